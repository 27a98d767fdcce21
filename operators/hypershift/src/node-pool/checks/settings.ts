import { objectKey } from '@capstan/kube';
import {
  ALL_IS_WELL,
  CLUSTER_ANNOTATION,
  INVALID_PAUSE_REASON,
  MANAGED_LABEL_PREFIX,
  NODE_POOL_ANNOTATION,
  NODE_POOL_CONDITIONS,
  nodePoolReconciliationActive,
} from '@capstan/hosting';
import type { Snapshot } from '../snapshot.js';
import { inputsOf } from '../machines/template.js';
import { isDeleting } from '../resources.js';
import { joined } from './check.js';
import type { Check } from './check.js';

/** AutoscalingEnabled. Where a platform cannot begin at nothing, one node is kept. */
export const autoscaling: Check = ({ nodePool, platform }, conditions) => {
  const { autoScaling } = nodePool.spec;
  if (autoScaling === undefined) {
    conditions.set(NODE_POOL_CONDITIONS.autoscaling, { status: 'False', reason: 'AsExpected' });
  } else if (autoScaling.min === 0 && platform !== undefined && !platform.nodePools.scalesFromZero) {
    const message = `platform ${platform.type} cannot scale up from no node at all: set spec.autoScaling.min to 1 or more`;
    conditions.setFault(NODE_POOL_CONDITIONS.autoscaling, message);
  } else {
    conditions.setTrue(
      NODE_POOL_CONDITIONS.autoscaling,
      `Maximum nodes: ${autoScaling.max}, Minimum nodes: ${autoScaling.min}`,
    );
  }
  return true;
};

function managementProblem({ nodePool }: Snapshot): string | undefined {
  const { replace, upgradeType } = nodePool.spec.management;
  if (upgradeType === 'InPlace') return undefined;
  const { rollingUpdate, strategy } = replace ?? {};
  if (strategy === 'OnDelete') return undefined;
  if (strategy !== 'RollingUpdate') return 'spec.management.replace.strategy must be RollingUpdate or OnDelete';
  return rollingUpdate === undefined
    ? 'spec.management.replace.rollingUpdate must set maxSurge and maxUnavailable'
    : undefined;
}

/** UpdateManagementEnabled. */
export const management: Check = (snapshot, conditions) => {
  const problem = managementProblem(snapshot);
  if (problem === undefined) conditions.setTrue(NODE_POOL_CONDITIONS.management);
  else conditions.setFault(NODE_POOL_CONDITIONS.management, problem);
  return problem === undefined;
};

/** What is in the way of the pool: an object that has its name, or a namespace that has another owner. */
function strangerOf({
  controlPlane,
  controlPlaneNamespace,
  hostedCluster,
  key,
  existing,
}: Snapshot): string | undefined {
  const owner = controlPlane?.metadata.annotations?.[CLUSTER_ANNOTATION];
  if (owner !== undefined && owner !== objectKey(hostedCluster))
    return `namespace ${controlPlaneNamespace} belongs to HostedCluster ${owner}: rename this HostedCluster or its namespace`;
  for (const object of [existing.machineDeployment, existing.machineSet]) {
    const holder = object?.metadata.annotations?.[NODE_POOL_ANNOTATION];
    if (object === undefined || holder === key) continue;
    const whose = holder === undefined ? 'is not of a NodePool' : `belongs to NodePool ${holder}`;
    return `${object.kind} ${objectKey(object)} ${whose}: delete it, or create a NodePool of another name`;
  }
  return undefined;
}

const MOST_OF_A_LABEL = 63;
const LABEL =
  /^(?:[a-z0-9]([-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Names and labels that would be refused only when something is made of them. */
function namingProblem({ hostedCluster, nodePool }: Snapshot): string | undefined {
  const { name = '' } = nodePool.metadata;
  if (name.length > MOST_OF_A_LABEL)
    return `the name of a NodePool is a label of its nodes and can have ${MOST_OF_A_LABEL} characters, not ${name.length}: create one with a shorter name`;
  const { infraID = '' } = hostedCluster.spec;
  if (infraID.length > MOST_OF_A_LABEL)
    return `spec.infraID of HostedCluster ${objectKey(hostedCluster)} is longer than ${MOST_OF_A_LABEL} characters, which no Cluster can be called`;
  const odd = Object.keys(nodePool.spec.nodeLabels ?? {}).find((key) => !LABEL.test(`${MANAGED_LABEL_PREFIX}${key}`));
  if (odd === undefined) return undefined;
  return `spec.nodeLabels: ${JSON.stringify(odd)} cannot be a label of a machine behind ${MANAGED_LABEL_PREFIX}; give it a prefix such as example.com/, or shorten it`;
}

function platformProblem(snapshot: Snapshot): string | undefined {
  const { holder, hostedCluster, nodePool, platform, platformTypes } = snapshot;
  const { type } = nodePool.spec.platform;
  if (type !== hostedCluster.spec.platform.type)
    return `spec.platform.type is ${type}, but that of HostedCluster ${objectKey(hostedCluster)} is ${hostedCluster.spec.platform.type}: create a NodePool of that platform`;
  if (platform === undefined)
    return `spec.platform.type ${type} is not known to this installation, which has ${platformTypes.join(', ')}`;
  if (holder !== undefined) {
    const { kind, name } = nodePool.spec.platform.nodePoolRef ?? {};
    return `${kind} ${name} is used by NodePool ${objectKey(holder)}: refer to one of this NodePool's own`;
  }
  return namingProblem(snapshot) ?? strangerOf(snapshot);
}

/** ValidPlatformConfig, as far as it can be checked without a release. */
export const platform: Check = (snapshot, conditions) => {
  const problem = platformProblem(snapshot);
  if (problem !== undefined) conditions.setFault(NODE_POOL_CONDITIONS.platformConfig, problem);
  return problem === undefined;
};

/** ValidPlatformConfig, by the platform itself. What runs goes on; nothing new is made. */
export const platformSettings: Check = (snapshot, conditions) => {
  const inputs = inputsOf(snapshot);
  if (inputs === undefined || snapshot.platform === undefined) return false;
  const problems = snapshot.platform.validateNodePool(inputs);
  if (problems.length === 0) conditions.setTrue(NODE_POOL_CONDITIONS.platformConfig, ALL_IS_WELL);
  else
    conditions.setFault(
      NODE_POOL_CONDITIONS.platformConfig,
      joined(problems.map(({ message, path }) => `${path}: ${message}`)),
    );
  return problems.length === 0;
};

const PAYLOAD_ARCHITECTURES: Readonly<Record<string, string>> = {
  amd64: 'AMD64',
  arm64: 'ARM64',
  ppc64le: 'PPC64LE',
  s390x: 'S390X',
};

/** ValidArchPlatform. Machines of another architecture than the payload's would never become nodes. */
export const architecture: Check = ({ hostedCluster, nodePool, platform: known }, conditions) => {
  const { arch = 'amd64', platform: given } = nodePool.spec;
  const { payloadArch } = hostedCluster.status ?? {};
  const reason = 'InvalidArchPlatform';
  if (known !== undefined && !known.nodePools.architectures.includes(arch)) {
    const can = known.nodePools.architectures.join(', ');
    conditions.setFault(
      NODE_POOL_CONDITIONS.architecture,
      `platform ${given.type} has no machines of architecture ${arch}, only ${can}`,
      reason,
    );
    return false;
  }
  if (payloadArch !== undefined && payloadArch !== 'Multi' && payloadArch !== PAYLOAD_ARCHITECTURES[arch]) {
    const message = `the release of the HostedCluster is for ${payloadArch}, and this NodePool is ${arch}: give the HostedCluster a multi-architecture release, or create a NodePool of its architecture`;
    conditions.setFault(NODE_POOL_CONDITIONS.architecture, message, reason);
    return false;
  }
  conditions.setTrue(NODE_POOL_CONDITIONS.architecture);
  return true;
};

/** ReconciliationActive. */
export const active: Check = (snapshot, conditions) => {
  const { message, reason, status } = nodePoolReconciliationActive(snapshot);
  const isFault = reason === INVALID_PAUSE_REASON;
  conditions.set(NODE_POOL_CONDITIONS.active, { status, reason, message, ...(isFault ? { isFault } : {}) });
  return true;
};

/** Without a word: a pool of a cluster that goes is deleted with it, and one of a cluster that begins waits. */
export const clusterStays: Check = ({ hostedCluster }) => !isDeleting(hostedCluster);

/** Nodes could join nothing before the control plane can be reached. */
export const controlPlaneAnswers: Check = ({ hostedCluster }, conditions) => {
  if (hostedCluster.status?.kubeconfig !== undefined) return true;
  const message = `HostedCluster ${objectKey(hostedCluster)} has no kubeconfig yet, waiting`;
  conditions.set(NODE_POOL_CONDITIONS.ready, { status: 'False', reason: 'WaitingForAvailable', message });
  return false;
};
