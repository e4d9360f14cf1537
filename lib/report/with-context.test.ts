import { expect, test } from "vitest";
import { withContext } from "./with-context.ts";

test("every kubectl and helm of a command names the context", () => {
  expect(withContext("kubectl get pods", "prod-eu")).toBe("kubectl --context prod-eu get pods");
  expect(withContext("helm upgrade x y \\\n  --set a=b", "prod-eu")).toBe("helm --kube-context prod-eu upgrade x y \\\n  --set a=b");
  expect(withContext("kubectl get a -o json | jq . | kubectl apply -f -", "c")).toBe(
    "kubectl --context c get a -o json | jq . | kubectl --context c apply -f -",
  );
  expect(withContext("for c in a b; do kubectl label $c x=y; done", "c")).toBe("for c in a b; do kubectl --context c label $c x=y; done");
  expect(withContext("CA=$(kubectl get secret x)", "c")).toBe("CA=$(kubectl --context c get secret x)");
});

test("a context that a shell would split or expand is quoted", () => {
  expect(withContext("kubectl get pods", "it's mine; rm")).toBe(`kubectl --context 'it'\\''s mine; rm' get pods`);
  expect(withContext("kubectl get pods", "arn:aws:eks:eu-west-1:1234:cluster/prod")).toBe("kubectl --context arn:aws:eks:eu-west-1:1234:cluster/prod get pods");
});

test("without a context the command stays as it is", () => {
  expect(withContext("kubectl get pods", null)).toBe("kubectl get pods");
});
