import "server-only";
import { checkup } from "../checkup.ts";
import { ClusterError, InputError } from "../cluster/errors.ts";
import { errorsOf } from "../explain/explain.ts";
import type { Locale } from "../i18n/locales.ts";
import type { CheckupProblem, CheckupView, FindingView, StatusView } from "../model/view.ts";
import { findingOf } from "../report/finding.ts";
import { type Checkup, reportOf } from "../report/report.ts";
import { statusOf } from "../report/status.ts";
import { type Cluster, clusterNamed, clusters } from "./clusters.ts";
import { processState } from "./process-state.ts";

/** What this process knows of one cluster. */
interface Live {
  latest: Checkup | null;
  /** RFC 3339 of the latest one. */
  checkedAt: string | null;
  problem: CheckupProblem | null;
  /** Ends with the checkup that is under way. */
  running: Promise<void> | null;
  /** Whether what it was started with has changed meanwhile. */
  outdated: boolean;
  /** Errors that people said they saw, beside those that a snapshot holds. */
  reported: readonly string[];
  /** Since when the verdict is what it is, as far as this process has seen. */
  since: { readonly verdict: string; readonly at: string } | null;
}

const live = processState("checkups", () => new Map<string, Live>());

/** Between two looks at an install that settles. Milliseconds. */
const settlingPause = 5_000;
/** Of errors that people add, the newest count. */
const mostReported = 50;
/** Long enough for most clusters to answer, short enough that nobody stares at a white page. Milliseconds. */
const patience = 1_200;

/** The state of a cluster's checkup; the first call starts one and waits a moment for it. Null for an unknown cluster. */
export async function checkupView(name: string, locale: Locale): Promise<CheckupView | null> {
  const cluster = await clusterNamed(name);
  if (!cluster) return null;
  const state = stateOf(name);
  if (!state.latest && !state.problem) await Promise.race([start(cluster, state), wait(patience)]);
  return viewOf(cluster, state, locale);
}

/** Starts a checkup anew, unless one is running. Null for an unknown cluster. */
export async function checkAgain(name: string, locale: Locale): Promise<CheckupView | null> {
  const cluster = await clusterNamed(name);
  if (!cluster) return null;
  const state = stateOf(name);
  start(cluster, state);
  return viewOf(cluster, state, locale);
}

/** Adds the errors in a text to the diagnosis, which is made anew with them. Null for an unknown cluster. */
export function report(name: string, text: string, locale: Locale): Promise<CheckupView | null> {
  return changeReported(name, (before) => [...new Set([...before, ...errorsOf(text)])].slice(-mostReported), locale);
}

/** Takes one of them out of the diagnosis again. Null for an unknown cluster. */
export function dropReported(name: string, text: string, locale: Locale): Promise<CheckupView | null> {
  return changeReported(name, (before) => before.filter((one) => one !== text), locale);
}

async function changeReported(name: string, change: (before: readonly string[]) => readonly string[], locale: Locale): Promise<CheckupView | null> {
  const cluster = await clusterNamed(name);
  if (!cluster) return null;
  const state = stateOf(name);
  state.reported = change(state.reported);
  state.outdated = state.running !== null;
  start(cluster, state);
  return viewOf(cluster, state, locale);
}

/** What is known of one check in a cluster. Null for an unknown cluster, check, or one that was not reached yet. */
export async function findingView(name: string, id: string, locale: Locale): Promise<FindingView | null> {
  const view = await checkupView(name, locale);
  const { latest } = stateOf(name);
  if (!view || !latest) return null;
  const finding = findingOf(latest, id, locale);
  return finding && { ...finding, cluster: view.cluster, running: view.running, checkedAt: view.checkedAt };
}

/** What anyone may see of all clusters (security.md 4). */
export async function statusView(locale: Locale): Promise<StatusView> {
  const all = await clusters();
  await Promise.all(all.map((cluster) => checkupView(cluster.view.name, locale)));
  return {
    clusters: all.map(({ view }) => {
      const { latest, checkedAt, problem, since } = stateOf(view.name);
      return statusOf(view, latest, { asOf: checkedAt, since: since?.at ?? null, unreachable: problem !== null }, locale);
    }),
  };
}

/** The newest checkup of a cluster, or null. */
export function latestCheckup(name: string): Checkup | null {
  return stateOf(name).latest;
}

function stateOf(name: string): Live {
  let state = live.get(name);
  if (!state) {
    state = { latest: null, checkedAt: null, problem: null, running: null, outdated: false, reported: [], since: null };
    live.set(name, state);
  }
  return state;
}

function start(cluster: Cluster, state: Live): Promise<void> {
  state.running ??= run(cluster, state).finally(() => {
    state.running = null;
    if (!state.outdated) return;
    state.outdated = false;
    start(cluster, state);
  });
  return state.running;
}

async function run(cluster: Cluster, state: Live): Promise<void> {
  // What was seen whole stays on the page until the new look is whole too.
  const take = (seen: Checkup) => {
    if (!seen.final && state.latest?.final) return;
    state.latest = seen;
    state.checkedAt = new Date().toISOString();
    state.problem = null;
  };
  try {
    const target = await cluster.open();
    const input = { ...target.input, reportedErrors: [...target.input.reportedErrors, ...state.reported] };
    take(await checkup(target.cluster, input, take));
    const { verdict } = state.latest?.diagnosis ?? {};
    if (verdict && state.since?.verdict !== verdict) state.since = { verdict, at: new Date().toISOString() };
    // A young install is watched until it has settled or its window is over, which ends this by itself (catalogue 0.3).
    if (verdict === "settling" && cluster.view.kind !== "snapshot") setTimeout(() => start(cluster, state), settlingPause).unref();
  } catch (error) {
    // Nobody awaits a checkup to its end: a bug must neither end the process nor pass for a report.
    if (!(error instanceof ClusterError || error instanceof InputError)) console.error(error);
    // A look that failed half-way has said nothing.
    if (!state.latest?.final) state.latest = null;
    state.problem = problemOf(error);
  }
}

function problemOf(error: unknown): CheckupProblem {
  if (error instanceof ClusterError) return { reason: error.reason, message: error.message };
  if (error instanceof InputError) return { reason: "input", message: error.message };
  return { reason: "bad-answer", message: `The checkup failed, which is a bug in Certmedic; its output says more (${String(error)}).` };
}

function viewOf(cluster: Cluster, state: Live, locale: Locale): CheckupView {
  const { latest, checkedAt, problem, running, reported } = state;
  return { cluster: cluster.view, running: running !== null, checkedAt, problem, reported, report: latest && reportOf(latest, locale) };
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
