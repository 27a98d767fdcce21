import { BadUsage } from '@capstan/kube';
import type { COMMON_FLAGS, FlagValues } from '@capstan/kube';
import { CLUSTER_API_NAMESPACE, FEATURE_GATE, MACHINE_API_NAMESPACE } from './names.js';

/** Flags of this operator, besides those of all operators. */
export const MACHINE_API_FLAGS = {
  /** Where machines of Machine API are. */
  'machine-api-namespace': 'string',
  /** Where their counterparts are. */
  'cluster-api-namespace': 'string',
  /** The platform, where there is no Infrastructure/cluster. */
  platform: 'string',
} as const;

/** What the flags come to. */
export interface MachineApiSettings {
  readonly namespaces: { readonly machineApi: string; readonly clusterApi: string };
  /** Undefined: that of Infrastructure/cluster. */
  readonly platform?: string | undefined;
  /** Undefined: as in FeatureGate/cluster. */
  readonly isEnabled?: boolean | undefined;
}

/** Reads the flags; the only place that does. */
export function settingsFrom({
  flags,
}: {
  readonly flags: FlagValues<typeof COMMON_FLAGS & typeof MACHINE_API_FLAGS>;
}): MachineApiSettings {
  const isEnabled = gateIn(flags['feature-gates']);
  return {
    namespaces: {
      machineApi: flags['machine-api-namespace'] ?? MACHINE_API_NAMESPACE,
      clusterApi: flags['cluster-api-namespace'] ?? CLUSTER_API_NAMESPACE,
    },
    ...(flags.platform === undefined ? {} : { platform: flags.platform }),
    ...(isEnabled === undefined ? {} : { isEnabled }),
  };
}

/** `A=true,B=false` as programs of Kubernetes take it; undefined when our gate is not in it. */
function gateIn(text: string | undefined): boolean | undefined {
  let found: boolean | undefined;
  for (const part of (text ?? '').split(',').filter((each) => each !== '')) {
    const [name = '', value = ''] = part.trim().split('=');
    if (name === '' || !['true', 'false'].includes(value))
      throw new BadUsage(`--feature-gates: ${JSON.stringify(part)} is not of the form Name=true or Name=false`);
    if (name === FEATURE_GATE) found = value === 'true';
  }
  return found;
}
