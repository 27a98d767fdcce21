import { BadUsage } from '@capstan/kube';
import type { FlagValues } from '@capstan/kube';
import type { COMMON_FLAGS } from '@capstan/kube';

/** Flags of this operator, besides those of all operators. */
export const CAPI_OPERATOR_FLAGS = {
  /** Where the transport ConfigMaps are. */
  'transport-namespace': 'string',
  /** The platform, where there is no Infrastructure/cluster. */
  platform: 'string',
  /** The release that runs: whose feature gates count, and what is reported. */
  'release-version': 'string',
} as const;

/** What the flags and the environment come to. */
export interface CapiOperatorSettings {
  readonly transportNamespace: string;
  /** Undefined: that of Infrastructure/cluster. */
  readonly platform?: string | undefined;
  /** Undefined: those of FeatureGate/cluster. */
  readonly gates?: ReadonlySet<string> | undefined;
  readonly release: string;
}

/** Reads flags and environment; the only place that does. */
export function settingsFrom({
  env,
  flags,
  namespace,
}: {
  readonly env: Readonly<Record<string, string>>;
  readonly flags: FlagValues<typeof COMMON_FLAGS & typeof CAPI_OPERATOR_FLAGS>;
  readonly namespace: string;
}): CapiOperatorSettings {
  const gates = flags['feature-gates'];
  return {
    transportNamespace: flags['transport-namespace'] ?? namespace,
    ...(flags.platform === undefined ? {} : { platform: flags.platform }),
    ...(gates === undefined ? {} : { gates: enabledGates(gates) }),
    release: flags['release-version'] ?? env['RELEASE_VERSION'] ?? '',
  };
}

/** `A=true,B=false` as programs of Kubernetes take it. */
function enabledGates(text: string): ReadonlySet<string> {
  const enabled = new Set<string>();
  for (const part of text.split(',').filter((each) => each !== '')) {
    const [name = '', value = ''] = part.split('=');
    if (name === '' || !['true', 'false'].includes(value))
      throw new BadUsage(`--feature-gates: ${JSON.stringify(part)} is not of the form Name=true or Name=false`);
    if (value === 'true') enabled.add(name);
  }
  return enabled;
}
