import type { Problem } from '@capstan/hosting';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { HostingPlatform } from '../hosting/platform.js';
import type { HostedClusterInputs, NodePoolInputs } from '../hosting/inputs.js';
import { clusterInputs, nodePoolInputs, testRelease } from './inputs.js';

/** What a platform is tried with. */
export interface HostingExamples {
  /** `spec.platform.<key>` of HostedClusters: valid, and together with every field. */
  readonly clusters: readonly JsonObject[];
  /** `spec.platform.<key>` of NodePools: likewise. */
  readonly pools: readonly JsonObject[];
  /** The Secrets that the clusters name. */
  readonly secrets: readonly KubeObject[];
  /** What releases say of the machine images of the platform. */
  readonly bootImages: JsonObject;
  /** What one would say to `create cluster` and `create nodepool`. */
  readonly createFlags: Readonly<Record<string, string>>;
  /** Of a pool on the platform. Default amd64. */
  readonly architecture?: string | undefined;
  /** False for a platform that the published HostedCluster does not know: its fields are then not looked up there. */
  readonly isPublished?: false | undefined;
}

/** One thing that must be true of a platform. */
export interface ConformanceCheck {
  readonly name: string;
  /** Throws when it is not. */
  readonly run: () => void;
}

/** What is wrong with a platform. */
export class ConformanceFailure extends Error {
  override readonly name = 'ConformanceFailure';
}

/** Fails unless it is so. */
export function must(isSo: boolean, message: string): void {
  if (!isSo) throw new ConformanceFailure(message);
}

/** A platform with what it is tried with. */
export interface Subject {
  readonly platform: HostingPlatform;
  readonly examples: HostingExamples;
}

/** The inputs for a cluster with these settings; frozen, as platforms change nothing. */
export function inputsOf({ examples, platform }: Subject, settings: JsonObject): HostedClusterInputs {
  const inputs = clusterInputs(platform, settings, examples.secrets);
  return { ...frozen(inputs), secrets: inputs.secrets, release: testRelease('4.22.0', examples.bootImages) };
}

/** The inputs for a pool of the first cluster. */
export function poolInputsOf({ examples, platform }: Subject, pool: JsonObject, cluster?: JsonObject): NodePoolInputs {
  const inputs = nodePoolInputs(platform, { cluster: cluster ?? examples.clusters[0] ?? {}, pool });
  const { nodePool } = inputs;
  const spec = { ...nodePool.spec, arch: examples.architecture ?? 'amd64' };
  const release = testRelease('4.22.0', examples.bootImages);
  return { ...frozen({ ...inputs, nodePool: { ...nodePool, spec } as typeof nodePool }), release };
}

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (value instanceof Map) return value;
  for (const each of Object.values(value)) frozen(each);
  return Object.freeze(value);
}

/** Whether a template was refused. */
export function isRefused(made: JsonObject | readonly Problem[]): made is readonly Problem[] {
  return Array.isArray(made);
}

/** All outputs of a platform for a cluster, for comparison. */
export function outputsOfCluster({ platform }: Subject, inputs: HostedClusterInputs): JsonObject {
  const problems = platform.validate(inputs);
  if (problems.length > 0) return { problems };
  const { settings, type } = platform.controlPlane(inputs);
  const written = { type, ...(settings === undefined ? {} : { [platform.key]: settings }) };
  const { controlPlaneNamespace, hostedCluster, infraID } = inputs;
  const { dns, networking } = hostedCluster.spec ?? {};
  const controlPlane: unknown = {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedControlPlane',
    metadata: { name: hostedCluster.metadata.name, namespace: controlPlaneNamespace },
    spec: { infraID, dns, networking, platform: written },
  };
  return {
    controlPlane: written,
    cluster: platform.cluster?.spec(inputs),
    notYet: platform.cluster?.notYet?.(inputs),
    companions: platform.cluster?.companions?.(inputs),
    secretNames: platform.secretNames(inputs),
    credentials: platform.credentials(inputs),
    program: platform.program?.(inputs),
    components: platform.components({ controlPlane: controlPlane as never, controlPlaneNamespace, infraID }),
    hasLostCredentials: platform.hasLostCredentials?.(inputs),
  };
}

/** All outputs of a platform for a pool, for comparison. */
export function outputsOfPool({ platform }: Subject, inputs: NodePoolInputs): JsonObject {
  const problems = platform.validateNodePool(inputs);
  const { machineTemplate, nodePools } = platform;
  if (problems.length > 0 || machineTemplate === undefined) return { problems };
  const spec = machineTemplate.spec(inputs);
  if (isRefused(spec)) return { problems: spec };
  return {
    spec,
    named: machineTemplate.named?.(spec),
    failureDomain: machineTemplate.failureDomain?.(inputs),
    companions: machineTemplate.companions?.(inputs),
    isInterruptible: nodePools.isInterruptible?.(inputs),
    capacity: nodePools.capacity?.(inputs) as JsonObject | undefined,
  };
}
