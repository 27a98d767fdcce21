// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Kind } from '../../model/index.js';
import { gcpCluster } from './tables/gcp-cluster.js';
import { gcpClusterTemplate } from './tables/gcp-cluster-template.js';
import { gcpMachine } from './tables/gcp-machine.js';
import { gcpMachineTemplate } from './tables/gcp-machine-template.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [gcpCluster, gcpClusterTemplate, gcpMachine, gcpMachineTemplate];

export { gcpCluster, gcpClusterTemplate, gcpMachine, gcpMachineTemplate };
export type { GCPCluster, GCPClusterStatus } from './tables/gcp-cluster.js';
export type { GCPClusterTemplate, GCPClusterTemplateSpec } from './tables/gcp-cluster-template.js';
export type { GCPMachine, GCPMachineStatus } from './tables/gcp-machine.js';
export type { GCPMachineTemplate, GCPMachineTemplateSpec } from './tables/gcp-machine-template.js';
export type {
  Denied,
  EncryptionKey,
  GCPClusterSpec,
  GCPMachineSpec,
  ResourceManagerTag,
  TemplateMetadata,
} from './tables/shared.js';
