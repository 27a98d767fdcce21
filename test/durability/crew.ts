import { setTimeout as sleep } from 'node:timers/promises';
import type { Send } from './server-process.js';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const PODS = '/api/v1/namespaces/default/pods';
const REPLICAS = 3;
const LIMIT_MS = 30_000;
const LOOK_EVERY_MS = 50;

interface Pod {
  readonly metadata: { readonly name: string; readonly uid: string; readonly deletionTimestamp?: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
    readonly containerStatuses?: readonly { readonly restartCount: number; readonly state: { running?: object } }[];
  };
}

const template = { metadata: { labels: { app: 'crew' } }, spec: { containers: [{ name: 'main', image: 'any' }] } };

/** A Deployment and a pod that runs once, whose fate is followed over the deaths of the server. */
export class Crew {
  #isHired = false;
  /** Of the last time all was well: the pods by name. */
  #known = new Map<string, { uid: string; restarts: number }>();

  async hire(send: Send): Promise<void> {
    if (this.#isHired) return;
    const selector = { matchLabels: { app: 'crew' } };
    const single = { metadata: { name: 'single' }, spec: { ...template.spec, restartPolicy: 'Never' } };
    const spec = { replicas: REPLICAS, selector, template };
    const answers = [
      await send('POST', DEPLOYMENTS, { metadata: { name: 'crew' }, spec }),
      await send('POST', PODS, single),
    ];
    if (answers.some(({ status }) => status !== 201))
      throw new Error(
        `the Deployment and the pod were answered with ${answers.map(({ status }) => status).join(', ')}`,
      );
    this.#isHired = true;
  }

  /** Waits until the pods are at work again; what they did wrong on the way, in words. */
  async muster(send: Send, deaths: number): Promise<string[]> {
    const deadline = performance.now() + LIMIT_MS;
    let last = 'no pods';
    while (performance.now() < deadline) {
      const { items } = (await send('GET', PODS)).json() as { items: Pod[] };
      const crew = items.filter(({ metadata }) => metadata.name.startsWith('crew-'));
      const single = items.find(({ metadata }) => metadata.name === 'single');
      const missing = crew.filter((pod) => !this.#isAtWork(pod, deaths));
      last = JSON.stringify({ deaths, before: [...this.#known], missing, single: single?.status });
      // What runs once is not run again when the server that ran it is dead.
      const isSettled = single?.status?.phase === (this.#known.size > 0 && deaths > 0 ? 'Failed' : 'Running');
      if (isSettled && crew.length >= REPLICAS && missing.length === 0) {
        const complaints = this.#compare(crew, deaths);
        if (restarts(single) > 0) complaints.push('the pod that runs once was run again');
        this.#known = new Map(
          crew.map((pod) => [pod.metadata.name, { uid: pod.metadata.uid, restarts: restarts(pod) }]),
        );
        return complaints;
      }
      await sleep(LOOK_EVERY_MS);
    }
    return [`the pods did not come back: ${last}`];
  }

  /** Until the kubelet has looked, the status of before the death still stands. */
  #isAtWork(pod: Pod, deaths: number): boolean {
    const before = this.#known.get(pod.metadata.name);
    return isReady(pod) && (deaths === 0 || before === undefined || restarts(pod) > before.restarts);
  }

  #compare(crew: readonly Pod[], deaths: number): string[] {
    const complaints: string[] = [];
    if (crew.length !== REPLICAS) complaints.push(`${crew.length} pods of a deployment of ${REPLICAS}`);
    if (this.#known.size === 0) return complaints;
    for (const pod of crew) {
      const { name, uid } = pod.metadata;
      const before = this.#known.get(name);
      if (before?.uid !== uid) complaints.push(`${name} was not there before`);
      else if (restarts(pod) > before.restarts + deaths)
        complaints.push(`${name} ran ${restarts(pod) - before.restarts} times in ${deaths} servers`);
    }
    return complaints;
  }
}

function restarts({ status }: Pod): number {
  return status?.containerStatuses?.[0]?.restartCount ?? 0;
}

function isReady({ metadata, status }: Pod): boolean {
  const isTrue = status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  return metadata.deletionTimestamp === undefined && isTrue === true;
}
