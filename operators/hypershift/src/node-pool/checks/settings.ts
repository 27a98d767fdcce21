import {
  CLUSTER_ANNOTATION,
  INVALID_PAUSE_REASON,
  MANAGED_LABEL_PREFIX,
  NODE_POOL_ANNOTATION,
  nodePoolReconciliationActive,
} from '@capstan/hosting';
import { ALL_IS_WELL, TYPES } from '../conditions.js';
import type { Facts } from '../facts.js';
import { inputsOf } from '../machines/template.js';
import { isGoing, keyOf } from '../resources.js';
import { joined } from './check.js';
import type { Check } from './check.js';

/** AutoscalingEnabled. Where a platform cannot begin at nothing, one node is kept. */
export const autoscaling: Check = ({ nodePool, platform }, said) => {
  const { autoScaling } = nodePool.spec;
  if (autoScaling === undefined) {
    said.say(TYPES.autoscaling, { status: 'False', reason: 'AsExpected' });
  } else if (autoScaling.min === 0 && platform !== undefined && !platform.nodePools.scalesFromZero) {
    const message = `platform ${platform.type} cannot scale up from no node at all: set spec.autoScaling.min to 1 or more`;
    said.fault(TYPES.autoscaling, message);
  } else {
    said.good(TYPES.autoscaling, `Maximum nodes: ${autoScaling.max}, Minimum nodes: ${autoScaling.min}`);
  }
  return true;
};

function managementProblem({ nodePool }: Facts): string | undefined {
  const { replace, upgradeType } = nodePool.spec.management;
  if (upgradeType === 'InPlace') return undefined;
  const { rollingUpdate, strategy } = replace ?? {};
  if (strategy === 'OnDelete') return undefined;
  if (strategy !== 'RollingUpdate') return 'spec.management.replace.strategy must be RollingUpdate or OnDelete';
  return rollingUpdate === undefined
    ? 'spec.management.replace.rollingUpdate must say maxSurge and maxUnavailable'
    : undefined;
}

/** UpdateManagementEnabled. */
export const management: Check = (facts, said) => {
  const problem = managementProblem(facts);
  if (problem === undefined) said.good(TYPES.management);
  else said.fault(TYPES.management, problem);
  return problem === undefined;
};

/** What is in the way of the pool: an object that has its name, or a namespace that has another owner. */
function strangerOf({ controlPlane, controlPlaneNamespace, hostedCluster, key, made }: Facts): string | undefined {
  const owner = controlPlane?.metadata.annotations?.[CLUSTER_ANNOTATION];
  if (owner !== undefined && owner !== keyOf(hostedCluster))
    return `namespace ${controlPlaneNamespace} belongs to HostedCluster ${owner}: rename this HostedCluster or its namespace`;
  for (const object of [made.machineDeployment, made.machineSet]) {
    const holder = object?.metadata.annotations?.[NODE_POOL_ANNOTATION];
    if (object === undefined || holder === key) continue;
    const whose = holder === undefined ? 'is not of a NodePool' : `belongs to NodePool ${holder}`;
    return `${object.kind} ${keyOf(object)} ${whose}: delete it, or make a NodePool of another name`;
  }
  return undefined;
}

const MOST_OF_A_LABEL = 63;
const LABEL =
  /^(?:[a-z0-9]([-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Names and labels that would be refused only when something is made of them. */
function namingProblem({ hostedCluster, nodePool }: Facts): string | undefined {
  const { name = '' } = nodePool.metadata;
  if (name.length > MOST_OF_A_LABEL)
    return `the name of a NodePool is a label of its nodes and can have ${MOST_OF_A_LABEL} characters, not ${name.length}: make one with a shorter name`;
  const { infraID = '' } = hostedCluster.spec;
  if (infraID.length > MOST_OF_A_LABEL)
    return `spec.infraID of HostedCluster ${keyOf(hostedCluster)} is longer than ${MOST_OF_A_LABEL} characters, which no Cluster can be called`;
  const odd = Object.keys(nodePool.spec.nodeLabels ?? {}).find((key) => !LABEL.test(`${MANAGED_LABEL_PREFIX}${key}`));
  if (odd === undefined) return undefined;
  return `spec.nodeLabels: ${JSON.stringify(odd)} cannot be a label of a machine behind ${MANAGED_LABEL_PREFIX}; give it a prefix such as example.com/, or shorten it`;
}

function platformProblem(facts: Facts): string | undefined {
  const { holder, hostedCluster, nodePool, platform, platformTypes } = facts;
  const { type } = nodePool.spec.platform;
  if (type !== hostedCluster.spec.platform.type)
    return `spec.platform.type is ${type}, but that of HostedCluster ${keyOf(hostedCluster)} is ${hostedCluster.spec.platform.type}: make a NodePool of that platform`;
  if (platform === undefined)
    return `spec.platform.type ${type} is not known to this installation, which has ${platformTypes.join(', ')}`;
  if (holder !== undefined) {
    const { kind, name } = nodePool.spec.platform.nodePoolRef ?? {};
    return `${kind} ${name} is used by NodePool ${keyOf(holder)}: refer to one of this NodePool's own`;
  }
  return namingProblem(facts) ?? strangerOf(facts);
}

/** ValidPlatformConfig, as far as it can be told without a release. */
export const platform: Check = (facts, said) => {
  const problem = platformProblem(facts);
  if (problem !== undefined) said.fault(TYPES.platformConfig, problem);
  return problem === undefined;
};

/** ValidPlatformConfig, by the platform itself. What runs goes on; nothing new is made. */
export const platformSettings: Check = (facts, said) => {
  const inputs = inputsOf(facts);
  if (inputs === undefined || facts.platform === undefined) return false;
  const problems = facts.platform.validateNodePool(inputs);
  if (problems.length === 0) said.good(TYPES.platformConfig, ALL_IS_WELL);
  else said.fault(TYPES.platformConfig, joined(problems.map(({ message, path }) => `${path}: ${message}`)));
  return problems.length === 0;
};

const PAYLOAD_ARCHITECTURES: Readonly<Record<string, string>> = {
  amd64: 'AMD64',
  arm64: 'ARM64',
  ppc64le: 'PPC64LE',
  s390x: 'S390X',
};

/** ValidArchPlatform. Machines of another architecture than the payload's would never become nodes. */
export const architecture: Check = ({ hostedCluster, nodePool, platform: known }, said) => {
  const { arch = 'amd64', platform: given } = nodePool.spec;
  const { payloadArch } = hostedCluster.status ?? {};
  const reason = 'InvalidArchPlatform';
  if (known !== undefined && !known.nodePools.architectures.includes(arch)) {
    const can = known.nodePools.architectures.join(', ');
    said.fault(
      TYPES.architecture,
      `platform ${given.type} has no machines of architecture ${arch}, only ${can}`,
      reason,
    );
    return false;
  }
  if (payloadArch !== undefined && payloadArch !== 'Multi' && payloadArch !== PAYLOAD_ARCHITECTURES[arch]) {
    const message = `the release of the HostedCluster is for ${payloadArch}, and this NodePool is ${arch}: give the HostedCluster a multi-architecture release, or make a NodePool of its architecture`;
    said.fault(TYPES.architecture, message, reason);
    return false;
  }
  said.good(TYPES.architecture);
  return true;
};

/** ReconciliationActive. */
export const active: Check = (facts, said) => {
  const { message, reason, status } = nodePoolReconciliationActive(facts);
  const isFault = reason === INVALID_PAUSE_REASON;
  said.say(TYPES.active, { status, reason, message, ...(isFault ? { isFault } : {}) });
  return true;
};

/** Without a word: a pool of a cluster that goes is deleted with it, and one of a cluster that begins waits. */
export const clusterStays: Check = ({ hostedCluster }) => !isGoing(hostedCluster);

/** Nodes could join nothing before the control plane can be reached. */
export const controlPlaneAnswers: Check = ({ hostedCluster }, said) => {
  if (hostedCluster.status?.kubeconfig !== undefined) return true;
  const message = `HostedCluster ${keyOf(hostedCluster)} has no kubeconfig yet, waiting`;
  said.say(TYPES.ready, { status: 'False', reason: 'WaitingForAvailable', message });
  return false;
};
