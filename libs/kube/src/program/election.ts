import type { ManagerOptions } from '../manager/manager.js';
import type { FlagValues } from './flags.js';
import type { COMMON_FLAGS } from './operator.js';

type Election = NonNullable<ManagerOptions['leaderElection']>;

/** The election that the flags of an operator ask for; undefined when they ask for none. */
export function electionOf(
  flags: FlagValues<typeof COMMON_FLAGS>,
  { identity, name, namespace }: { readonly name: string; readonly namespace: string; readonly identity: string },
): Election | undefined {
  if (flags['leader-elect'] !== true) return undefined;
  const durations = {
    leaseDurationMs: flags['leader-elect-lease-duration'],
    renewDeadlineMs: flags['leader-elect-renew-deadline'],
    retryPeriodMs: flags['leader-elect-retry-period'],
  };
  return {
    namespace: flags['leader-elect-resource-namespace'] ?? namespace,
    name: flags['leader-election-id'] ?? `${name}-leader-election`,
    identity,
    ...Object.fromEntries(Object.entries(durations).filter(([, value]) => value !== undefined)),
  };
}

/** The port of `host:port` or `:port`; undefined for `0` and nothing, which serve nothing. */
export function portOf(address: string | undefined): number | undefined {
  const port = Number((address ?? '').split(':').at(-1));
  return Number.isInteger(port) && port > 0 ? port : undefined;
}
