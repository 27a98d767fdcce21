import type { KubevirtNodePoolPlatform, KubevirtPlatform } from '@capstan/api/hypershift';
import { settingsOf } from '@capstan/provider';
import type { OfPlatform } from '@capstan/provider';

/** The field of `spec.platform` with the settings. */
export const KEY = 'kubevirt';

/** The Secret of the control plane namespace with the way to another cluster that runs the machines. */
export const INFRA_CREDENTIALS = 'kubevirt-infra-credentials';
/** Label of what belongs to a cluster in the cluster that runs its machines. */
export const INFRA_ID_LABEL = 'hypershift.openshift.io/infra-id';

/** The settings of a cluster, as its schema has admitted them. */
export function clusterSettings(of: OfPlatform): KubevirtPlatform {
  return settingsOf(of, { key: KEY }) as unknown as KubevirtPlatform;
}

/** The settings of a pool, as its schema has admitted them. */
export function poolSettings(of: OfPlatform): KubevirtNodePoolPlatform {
  return settingsOf(of, { key: KEY }) as unknown as KubevirtNodePoolPlatform;
}

/** Where the machines run: in the namespace of the control plane unless another cluster runs them. */
export function infraNamespaceOf(of: OfPlatform, controlPlaneNamespace: string): string {
  const namespace = clusterSettings(of).credentials?.infraNamespace ?? '';
  return namespace === '' ? controlPlaneNamespace : namespace;
}
