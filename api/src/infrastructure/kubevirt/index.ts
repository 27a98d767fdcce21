// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Kind } from '../../model/index.js';
import { kubevirtCluster } from './tables/kubevirt-cluster.js';
import { kubevirtClusterTemplate } from './tables/kubevirt-cluster-template.js';
import { kubevirtMachine } from './tables/kubevirt-machine.js';
import { kubevirtMachineTemplate } from './tables/kubevirt-machine-template.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [
  kubevirtCluster,
  kubevirtClusterTemplate,
  kubevirtMachine,
  kubevirtMachineTemplate,
];

export { kubevirtCluster, kubevirtClusterTemplate, kubevirtMachine, kubevirtMachineTemplate };
export type { KubevirtCluster, KubevirtClusterStatus } from './tables/kubevirt-cluster.js';
export type { KubevirtClusterTemplate, KubevirtClusterTemplateSpec } from './tables/kubevirt-cluster-template.js';
export type { KubevirtMachine, KubevirtMachineStatus } from './tables/kubevirt-machine.js';
export type { KubevirtMachineTemplate, KubevirtMachineTemplateSpec } from './tables/kubevirt-machine-template.js';
export type {
  CloudInitNoCloud,
  DataSource,
  DataSourceRef,
  InfraClusterSecretRef,
  KubevirtClusterSpec,
  KubevirtMachineSpec,
  LegacyCondition,
  LivenessProbe,
  MatchExpression,
  MemoryDump,
  NodeSelectorTerm,
  Pit,
  PodAffinity,
  PodAffinityTerm,
  Preference,
  Pvc,
  Resources,
} from './tables/shared.js';
