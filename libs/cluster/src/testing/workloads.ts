import type { KubeObject } from '@capstan/meta';
import { controllerOf } from '@capstan/meta';
import { findCondition } from '../workload/conditions.js';
import { isActive, isReady } from '../workload/pods.js';
import { DEPLOYMENTS, PODS, REPLICA_SETS } from '../workload/resources.js';
import type { Deployment, Pod, ReplicaSet } from '../workload/resources.js';
import type { ScenarioContext } from './context.js';

/** What a workload in a scenario is made of. */
export interface WorkloadSpec {
  readonly image?: string;
  readonly replicas?: number;
  readonly [field: string]: unknown;
}

/** The template of pods labelled `app: <name>`. */
export function template(name: string, image = 'runs:1'): Deployment['spec']['template'] {
  // No grace: the scenario's kubelet takes none, and a server without one should not wait either.
  const spec = { containers: [{ name: 'main', image }], terminationGracePeriodSeconds: 0 };
  return { metadata: { labels: { app: name } }, spec };
}

/** A Deployment or ReplicaSet of pods labelled `app: <name>`. */
export function workload(
  context: ScenarioContext,
  kind: 'Deployment' | 'ReplicaSet' | 'StatefulSet' | 'DaemonSet',
  name: string,
  { image, ...spec }: WorkloadSpec = {},
): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: context.namespace, labels: { app: name } },
    spec: { selector: { matchLabels: { app: name } }, template: template(name, image), ...spec },
  };
}

/** Reads of scenarios about workloads. */
export class Workloads {
  readonly #context: ScenarioContext;

  constructor(context: ScenarioContext) {
    this.#context = context;
  }

  create(kind: 'Deployment' | 'ReplicaSet', name: string, spec: WorkloadSpec = {}): Promise<KubeObject> {
    const resource = kind === 'Deployment' ? DEPLOYMENTS : REPLICA_SETS;
    return this.#context.client.create(resource, workload(this.#context, kind, name, spec));
  }

  async deployment(name: string): Promise<Deployment> {
    return (await this.#context.mustLive(name, DEPLOYMENTS)) as Deployment;
  }

  async pods(app: string): Promise<Pod[]> {
    const { client, namespace } = this.#context;
    const { items } = await client.list<Pod>(PODS, { namespace, labelSelector: `app=${app}` });
    return [...items];
  }

  async activePods(app: string): Promise<Pod[]> {
    return (await this.pods(app)).filter(isActive);
  }

  /** The ReplicaSets of a Deployment, by revision. */
  async sets(app: string): Promise<ReplicaSet[]> {
    const { client, namespace } = this.#context;
    const { items } = await client.list<ReplicaSet>(REPLICA_SETS, { namespace, labelSelector: `app=${app}` });
    const revision = (set: ReplicaSet): number =>
      Number(set.metadata.annotations?.['deployment.kubernetes.io/revision']);
    return [...items].sort((a, b) => revision(a) - revision(b));
  }

  readyPods(app: string, count: number): Promise<Pod[]> {
    return this.#context.eventually(`${count} pods of ${app} are ready`, async () => {
      const pods = await this.activePods(app);
      return pods.length === count && pods.every(isReady) && pods;
    });
  }

  /** Waits for what `kubectl rollout status` waits for, and for the last word of the controller. */
  rolledOut(name: string, count: number): Promise<Deployment> {
    return this.#context.eventually(`${name} is rolled out`, async () => {
      const deployment = await this.deployment(name);
      const { status = {}, metadata } = deployment;
      const { availableReplicas = 0, observedGeneration, replicas = 0, updatedReplicas = 0 } = status;
      const isThere = [replicas, updatedReplicas, availableReplicas].every((replica) => replica === count);
      const reason = findCondition(status.conditions, 'Progressing')?.reason;
      const isReported = ['NewReplicaSetAvailable', 'DeploymentPaused'].includes(reason ?? '');
      return isThere && isReported && observedGeneration === metadata.generation && deployment;
    });
  }

  patch(name: string, spec: unknown, resource = DEPLOYMENTS): Promise<unknown> {
    const { client, namespace } = this.#context;
    return client.patch(resource, name, { type: 'strategic', value: { spec } }, { namespace });
  }

  setImage(name: string, image: string): Promise<unknown> {
    return this.patch(name, { template: { spec: { containers: [{ name: 'main', image }] } } });
  }
}

/** The uid of an object's controller. */
export function ownerUid(object: KubeObject): string | undefined {
  return controllerOf(object)?.uid;
}
