import { scriptedJson as json } from '@capstan/kube/testing';
import { ignoreNotFound } from '@capstan/meta';
import type { ApiRequest, ApiResponse, KubeObject, Transport } from '@capstan/meta';
import type { MigrationFixture } from './fixture.js';

const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true, kind: 'Pod' } as const;
const STANDARD = 'cluster.x-k8s.io';
const TEMPLATE = 'test/template';
const PROBE = /\/pods\/([^/:]+):\d+\/proxy\/readyz\/translation$/u;

interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly template: { readonly metadata?: object; readonly spec: { readonly initContainers?: readonly object[] } };
  };
}

/** How a pod does; what is left out is as it should be. */
export interface PodState {
  readonly phase?: string;
  /** Why its main container does not run. */
  readonly waiting?: string;
  readonly restarts?: number;
  /** When its main container ended last. */
  readonly endedAt?: string;
  /** What its proxy answers when it is asked whether it translates. */
  readonly proxy?: 'refuses' | 'wrong group' | 'no report';
}

/** The pods of Deployments, as their controllers and kubelets keep them. */
export class PlayedPods {
  /** How the pods of a Deployment do, each time that they are looked at. */
  readonly states: Map<string, (pod: { readonly isMigrated: boolean }) => PodState> = new Map();
  readonly #fixture: MigrationFixture;
  #created = 0;

  constructor(fixture: MigrationFixture) {
    this.#fixture = fixture;
  }

  /** Creates, deletes and reports the pods of a Deployment; its status. */
  async run(deployment: Deployment): Promise<object> {
    const { replicas: wanted = 1, template } = deployment.spec;
    const hash = JSON.stringify(template.spec);
    const isCurrent = (pod: KubeObject): boolean => pod.metadata.annotations?.[TEMPLATE] === hash;
    const living = (await this.#podsOf(deployment)).filter((pod) => !hasEnded(pod));
    const kept = living.filter(isCurrent).slice(0, wanted);
    for (const pod of living) if (!kept.includes(pod)) await this.#delete(pod);
    for (let count = kept.length; count < wanted; count += 1) await this.#create(deployment, hash);
    const pods = (await this.#podsOf(deployment)).filter((pod) => !hasEnded(pod));
    for (const pod of pods) await this.#report(deployment, pod);
    const state = this.#stateOf(deployment);
    const isAvailable = state.phase === undefined && state.waiting === undefined;
    const availableReplicas = isAvailable ? pods.length : 0;
    return { replicas: pods.length, updatedReplicas: pods.length, readyReplicas: availableReplicas, availableReplicas };
  }

  /** A node runs out of memory: the pods of the Deployment end, and stay as they are. */
  async evict(name: string): Promise<void> {
    for (const pod of await this.#list(name))
      await this.#write(pod, { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' });
  }

  /** Pods that were evicted. */
  async evicted(): Promise<readonly string[]> {
    const pods = (await this.#list()).filter(hasEnded);
    return pods.map(({ metadata }) => metadata.labels?.['app'] ?? '');
  }

  /** Answers what the API server would ask a proxy in a pod, and sends everything else on. */
  transport(inner: Transport): Transport {
    return {
      send: (request: ApiRequest): Promise<ApiResponse> => {
        const [, name] = PROBE.exec(request.target) ?? [];
        return name === undefined ? inner.send(request) : this.#answer(name);
      },
    };
  }

  async #answer(name: string): Promise<ApiResponse> {
    const at = { namespace: this.#fixture.namespace };
    const pod = await this.#fixture.client.get(PODS, name, at).catch(ignoreNotFound);
    const { proxy } = this.states.get(pod?.metadata.labels?.['app'] ?? '')?.({ isMigrated: true }) ?? {};
    const report = { state: 'ok', ok: true, asked: STANDARD, got: STANDARD, message: 'objects come under it' };
    if (pod === undefined || proxy === 'refuses')
      return json({ ...report, state: 'failed', ok: false, message: 'machines cannot be listed' }, 503);
    if (proxy === 'no report') return json({ healthy: true });
    return json(proxy === 'wrong group' ? { ...report, got: 'cluster.hypershift.openshift.io' } : report);
  }

  #stateOf({ metadata, spec }: Deployment): PodState {
    const isMigrated = spec.template.spec.initContainers !== undefined;
    return this.states.get(metadata.name ?? '')?.({ isMigrated }) ?? {};
  }

  async #report(deployment: Deployment, pod: KubeObject): Promise<void> {
    const { endedAt, phase = 'Running', restarts: restartCount = 0, waiting } = this.#stateOf(deployment);
    const state = waiting === undefined ? { running: {} } : { waiting: { reason: waiting } };
    const terminated = { exitCode: 1, reason: 'Error', finishedAt: endedAt };
    const main = { name: deployment.metadata.name, restartCount, state };
    const lastState = endedAt === undefined ? {} : { lastState: { terminated } };
    await this.#write(pod, {
      phase,
      containerStatuses: [{ ...main, ...lastState, image: 'i', imageID: 'i', ready: true }],
    });
  }

  async #write({ metadata: { name = '' } }: KubeObject, status: object): Promise<void> {
    const options = { namespace: this.#fixture.namespace, subresource: 'status' };
    await this.#fixture.client.patch(PODS, name, { type: 'merge', value: { status } }, options);
  }

  async #create({ metadata: { name = '' }, spec: { template } }: Deployment, hash: string): Promise<void> {
    this.#created += 1;
    const { initContainers, ...pod } = template.spec;
    const metadata = {
      name: `${name}-${this.#created}`,
      namespace: this.#fixture.namespace,
      labels: { app: name },
      annotations: { [TEMPLATE]: hash },
    };
    const spec = { ...pod, ...(initContainers === undefined ? {} : { initContainers }) };
    await this.#fixture.create(PODS, { metadata, spec } as never);
  }

  async #delete({ metadata: { name = '' } }: KubeObject): Promise<void> {
    const options = { namespace: this.#fixture.namespace, gracePeriodSeconds: 0 };
    await this.#fixture.client.delete(PODS, name, options).catch(ignoreNotFound);
  }

  #podsOf({ metadata }: Deployment): Promise<readonly KubeObject[]> {
    return this.#list(metadata.name);
  }

  async #list(name?: string): Promise<readonly KubeObject[]> {
    const pods = await this.#fixture.list(PODS);
    return name === undefined ? pods : pods.filter(({ metadata }) => metadata.labels?.['app'] === name);
  }
}

/** As a ReplicaSet decides it: such a pod is no replica any more. */
function hasEnded(pod: KubeObject): boolean {
  const { phase } = (pod['status'] ?? {}) as { readonly phase?: string };
  return phase === 'Failed' || phase === 'Succeeded';
}
