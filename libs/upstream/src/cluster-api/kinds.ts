import type { ResourceKind, ResourceRef } from '@capstan/kube';
import { CORE_GROUP } from './names.js';

/** The core kinds that the controllers read or write. */
export type CoreKind =
  | 'Cluster'
  | 'Machine'
  | 'MachineSet'
  | 'MachineDeployment'
  | 'MachineHealthCheck'
  | 'MachineDrainRule';

/** A core kind in a version. */
export function coreResource(kind: CoreKind, version: string): ResourceKind {
  return { group: CORE_GROUP, version, plural: `${kind.toLowerCase()}s`, namespaced: true, kind };
}

const core = (plural: string, namespaced = true): ResourceRef => ({ group: '', version: 'v1', plural, namespaced });

export const SECRETS = core('secrets');
export const NODES = core('nodes', false);
export const PODS = core('pods');
export const NAMESPACES = core('namespaces', false);
export const PERSISTENT_VOLUMES = core('persistentvolumes', false);
export const VOLUME_ATTACHMENTS: ResourceRef = {
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'volumeattachments',
  namespaced: false,
};
export const DAEMON_SETS: ResourceRef = { group: 'apps', version: 'v1', plural: 'daemonsets', namespaced: true };
export const DEFINITIONS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
