export const usage = `Certmedic finds out why a cert-manager install doesn't work.

  certmedic check [--context NAME] [--kubeconfig FILE] [--bundle PATH | --demo NAME]
                  [--reported-error TEXT|@FILE] [--wait 5m] [-o text|json] [--lang en]
  certmedic explain TEXT | - | CHECK-ID [-o text|json] [--lang en]

check     Reads a cluster once, changes nothing, and says what is broken, why, and what to do.
          Without options it reads the kubeconfig's current context. --bundle reads a plain snapshot or a
          troubleshoot.sh support bundle; --demo a cluster that ships with Certmedic (healthy, ca-not-injected, …).
          --reported-error, as often as there are any, is what kubectl, Helm or an operator printed (a line or a
          screenful): the report says what accounts for it.
explain   Says what an error text means (- reads it from stdin), or what a check looks for.

Exit codes: 0 healthy; 4 with warnings; 3 broken, degraded or not installed; 5 unknown, settling, or nothing could be
read; 124 --wait ran out; 64 wrong usage.`;
