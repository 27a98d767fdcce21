import { BadUsage } from '@capstan/kube';
import type { COMMON_FLAGS, FlagValues, OperatorContext } from '@capstan/kube';
import { DEFAULT_SKEW_WIDTH } from '@capstan/release';

/** Flags of this operator, in addition to those of every operator. */
export const HYPERSHIFT_FLAGS = {
  'hosted-clusters': 'number',
  'metrics-addr': 'string',
  'node-pool-version-skew': 'number',
} as const;

/** What the flags and the environment come to. */
export interface HypershiftSettings {
  /** HostedClusters worked on at once. */
  readonly hostedClusters: number;
  /** How many minors nodes may be behind their control plane. */
  readonly skewWidth: number;
  /** Only HostedClusters with this scope; undefined: all there are. */
  readonly scope?: string | undefined;
}

const AT_ONCE = 10;

/** Reads flags and environment; the only place that does. Throws {@link BadUsage}. */
export function settingsFrom({
  env,
  flags,
}: {
  readonly env: Readonly<Record<string, string>>;
  readonly flags: FlagValues<typeof COMMON_FLAGS & typeof HYPERSHIFT_FLAGS>;
}): HypershiftSettings {
  const skewWidth = flags['node-pool-version-skew'] ?? DEFAULT_SKEW_WIDTH;
  if (!Number.isInteger(skewWidth) || skewWidth < 0)
    throw new BadUsage(`--node-pool-version-skew must be a number of minor versions such as 1, not ${skewWidth}`);
  const isScoped = env['ENABLE_HOSTEDCLUSTERS_ANNOTATION_SCOPING'] === 'true';
  return {
    hostedClusters: flags['hosted-clusters'] ?? AT_ONCE,
    skewWidth,
    ...(isScoped ? { scope: env['HOSTEDCLUSTERS_SCOPE_ANNOTATION'] ?? '' } : {}),
  };
}

/** The Lease that every HyperShift operator uses for leader election. */
export const LEASE = 'hypershift-operator-leader-elect';

type Options = OperatorContext<typeof HYPERSHIFT_FLAGS>['options'];

/** The election under its own name, unless the flags name another. */
export function electionIn(options: Options, named: string | undefined): Options['leaderElection'] {
  const { leaderElection } = options;
  return leaderElection === undefined || named !== undefined ? leaderElection : { ...leaderElection, name: LEASE };
}
