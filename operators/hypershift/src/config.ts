import { LEGACY_SCOPE, PROXY_IMAGE_ENV, PROXY_NATIVE_ENV } from '@capstan/hosting';
import type { OperatorMode } from '@capstan/hosting';
import { BadUsage } from '@capstan/kube';
import type { COMMON_FLAGS, FlagValues, OperatorContext } from '@capstan/kube';
import { checkDns1123Label } from '@capstan/meta';
import { DEFAULT_SKEW_WIDTH } from '@capstan/release';
import { LEASE, PRIVATE_LEASE, shardLease } from './names.js';
import type { ProxySettings } from './sidecar/injection.js';

/** Flags of this operator, in addition to those of every operator. */
export const HYPERSHIFT_FLAGS = {
  'direct-kubeconfig': 'string',
  'hosted-clusters': 'number',
  legacy: 'boolean',
  'metrics-addr': 'string',
  'node-pool-version-skew': 'number',
  'private-capi-types': 'boolean',
  scope: 'string',
} as const;

/** What the flags and the environment come to. */
export interface HypershiftSettings {
  /** HostedClusters worked on at once. */
  readonly hostedClusters: number;
  /** How many minors nodes may be behind their control plane. */
  readonly skewWidth: number;
  /** Which HostedClusters it reconciles, of all operators. */
  readonly mode: OperatorMode;
  /** The proxy of control plane components, where they use private types. */
  readonly proxy: ProxySettings | undefined;
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
  const mode = modeFrom(flags, scopeIn(env));
  const proxy = mode.kind === 'private' ? proxyFrom(env) : undefined;
  return { hostedClusters: flags['hosted-clusters'] ?? AT_ONCE, skewWidth, mode, proxy };
}

function proxyFrom(env: Readonly<Record<string, string>>): ProxySettings {
  const { [PROXY_IMAGE_ENV]: image = '', [PROXY_NATIVE_ENV]: native = 'true' } = env;
  if (image === '')
    throw new BadUsage(`--private-capi-types needs ${PROXY_IMAGE_ENV}: set it to the image of the API proxy`);
  if (native !== 'true' && native !== 'false')
    throw new BadUsage(`${PROXY_NATIVE_ENV} must be true or false, not ${JSON.stringify(native)}`);
  return { image, native: native === 'true' };
}

/** The scope of the environment; undefined: all there are. */
function scopeIn(env: Readonly<Record<string, string>>): string | undefined {
  return env['ENABLE_HOSTEDCLUSTERS_ANNOTATION_SCOPING'] === 'true'
    ? (env['HOSTEDCLUSTERS_SCOPE_ANNOTATION'] ?? '')
    : undefined;
}

type ModeFlags = Pick<
  FlagValues<typeof HYPERSHIFT_FLAGS>,
  'direct-kubeconfig' | 'legacy' | 'private-capi-types' | 'scope'
>;

/** As which of several operators it runs; the environment names a scope only where flags do not, or the same one. */
function modeFrom(flags: ModeFlags, envScope: string | undefined): OperatorMode {
  const given = givenModes(flags);
  const [[flag, mode] = [], ...others] = given;
  if (others.length > 0)
    throw new BadUsage(`${given.map(([name]) => name).join(' and ')} exclude each other: set one of them`);
  if (flags['direct-kubeconfig'] !== undefined && mode?.kind !== 'private')
    throw new BadUsage('--direct-kubeconfig is used with --private-capi-types only: remove it');
  if (mode === undefined) return { kind: 'standard', scope: envScope };
  const scope = scopeOf(mode);
  if (envScope !== undefined && envScope !== scope)
    throw new BadUsage(
      `${flag} is for scope ${JSON.stringify(scope)}, but HOSTEDCLUSTERS_SCOPE_ANNOTATION is ${JSON.stringify(envScope)}: remove that variable`,
    );
  return mode;
}

function givenModes({ legacy, 'private-capi-types': isPrivate, scope }: ModeFlags): [string, OperatorMode][] {
  const modes: [string, OperatorMode][] = [];
  if (isPrivate === true) modes.push(['--private-capi-types', { kind: 'private' }]);
  if (legacy === true) modes.push(['--legacy', { kind: 'legacy' }]);
  if (scope !== undefined) modes.push(['--scope', shard(scope)]);
  return modes;
}

/** The scope annotation of the HostedClusters of a mode. */
function scopeOf(mode: OperatorMode): string {
  if (mode.kind === 'legacy') return LEGACY_SCOPE;
  return mode.kind === 'shard' ? mode.scope : '';
}

function shard(scope: string): OperatorMode {
  if (scope === LEGACY_SCOPE)
    throw new BadUsage(`--scope ${LEGACY_SCOPE} is the operator on standard types: set --legacy`);
  if (checkDns1123Label(scope).length > 0)
    throw new BadUsage(
      `--scope ${JSON.stringify(scope)} must be lower case letters, digits and dashes, such as shard-1`,
    );
  return { kind: 'shard', scope };
}

function leaseOf(mode: OperatorMode): string {
  if (mode.kind === 'private') return PRIVATE_LEASE;
  return mode.kind === 'shard' ? shardLease(mode.scope) : LEASE;
}

type Options = OperatorContext<typeof HYPERSHIFT_FLAGS>['options'];

/** The election under the name of its mode, unless the flags name another. */
export function electionIn(
  options: Options,
  { mode, named }: { readonly mode: OperatorMode; readonly named?: string | undefined },
): Options['leaderElection'] {
  const { leaderElection } = options;
  return leaderElection === undefined || named !== undefined
    ? leaderElection
    : { ...leaderElection, name: leaseOf(mode) };
}
