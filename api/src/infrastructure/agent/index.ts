// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Kind } from '../../model/index.js';
import { agentCluster } from './tables/agent-cluster.js';
import { agentMachine } from './tables/agent-machine.js';
import { agentMachineTemplate } from './tables/agent-machine-template.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [agentCluster, agentMachine, agentMachineTemplate];

export { agentCluster, agentMachine, agentMachineTemplate };
export type {
  AgentCluster,
  AgentClusterSpec,
  AgentClusterStatus,
  AgentClusterV1Alpha1,
} from './tables/agent-cluster.js';
export type {
  AgentMachineTemplate,
  AgentMachineTemplateSpec,
  AgentMachineTemplateV1Alpha1,
} from './tables/agent-machine-template.js';
export type { AgentMachine, AgentMachineStatus, AgentMachineV1Alpha1 } from './tables/agent-machine.js';
export type { AgentMachineSpec, LegacyCondition, ObjectName } from './tables/shared.js';
