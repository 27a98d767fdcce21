import type { Meanings } from '../../model/index.js';

/** What the kinds of the Agent provider and their fields mean. */
export const meanings: Meanings = {
  AgentCluster: 'The infrastructure of a cluster whose machines are hosts that announced themselves by an agent.',
  'AgentClusterSpec.controlPlaneEndpoint': 'Where clients reach the API server of the cluster.',
  'AgentClusterSpec.ignitionEndpoint': 'Where hosts fetch their first configuration.',
  'AgentClusterStatus.clusterDeploymentReference': 'The ClusterDeployment that agents are bound to.',
  'AgentClusterStatus.conditions': 'What holds of the object, one entry per aspect.',
  'AgentClusterStatus.failureDomains': 'Places that fail on their own, to spread machines over.',
  'AgentClusterStatus.ready': 'True once everything the object asks for is there.',
  AgentMachine: 'A host that an agent announced, taken for a machine.',
  'AgentMachineSpec.agentLabelSelector': 'Which agents may become the machine.',
  'AgentMachineSpec.providerID': 'The name of the host as the cloud provider and the Node know it.',
  'AgentMachineStatus.addresses': 'The addresses of the machine.',
  'AgentMachineStatus.agentRef': 'The agent that became the machine.',
  'AgentMachineStatus.conditions': 'What holds of the object, one entry per aspect.',
  'AgentMachineStatus.failureMessage': 'The terminal failure, as a message for people.',
  'AgentMachineStatus.failureReason': 'The terminal failure, as a reason for programs.',
  'AgentMachineStatus.ready': 'True once everything the object asks for is there.',
  AgentMachineTemplate: 'A template of AgentMachines.',
  'AgentMachineTemplateSpec.template': 'What the objects created from the template look like.',
  LegacyCondition: 'A condition with a severity, and no generation.',
  ObjectName: 'An object by name and namespace.',
};
