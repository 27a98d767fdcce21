import { isConflict, isNotFound } from '@capstan/meta';
import { timestamp } from '@capstan/kube';
import type { Informer, WorkResult } from '@capstan/kube';
import { targetNode } from '../daemon-set/placement.js';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { PODS } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';

interface Container {
  readonly name: string;
  readonly image: string;
}

/** How a container behaves, by the name of its image. */
type Behaviour = 'runs' | 'neverReady' | 'succeeds' | 'fails';

function behaviour(image: string): Behaviour {
  if (image.startsWith('broken')) return 'neverReady';
  if (image.startsWith('succeeds')) return 'succeeds';
  return image.startsWith('fails') ? 'fails' : 'runs';
}

/**
 * Runs pods of nodes that are nothing but objects: those that are bound to one, or made for one. They run at once, unless
 * their first image is called `broken…` (never ready), `succeeds…` or `fails…` (over at once), and go without grace.
 */
export class StandInKubelet extends QueueController {
  readonly #pods: Informer<Pod>;
  readonly #hasKubelet: (node: string) => boolean;
  #addresses = 0;

  /** `hasKubelet` selects the nodes whose own kubelet runs their pods. */
  constructor(options: WorkloadOptions, hasKubelet: (node: string) => boolean) {
    super(options, 'stand-in-kubelet');
    this.#hasKubelet = hasKubelet;
    this.#pods = this.informers.of<Pod>(PODS);
    this.follow(this.#pods);
  }

  protected async sync(key: string): Promise<WorkResult> {
    const pod = this.#pods.store.get(key);
    if (pod === undefined) return 'done';
    try {
      await this.#act(pod);
    } catch (error) {
      if (!isNotFound(error) && !isConflict(error)) throw error;
    }
    return 'done';
  }

  async #act(pod: Pod): Promise<void> {
    const { deletionTimestamp, name = '', namespace, uid } = pod.metadata;
    const node = pod.spec?.nodeName || targetNode(pod) || '';
    if (node === '' || this.#hasKubelet(node)) return;
    if (deletionTimestamp != null)
      await this.client.delete(PODS, name, { namespace, gracePeriodSeconds: 0, preconditions: { uid } });
    else if ((pod.spec?.nodeName ?? '') === '') await this.#bind(pod, node);
    else if (pod.status?.phase === 'Pending')
      await this.client.update<Pod>(PODS, { ...pod, status: this.#status(pod) }, { subresource: 'status' });
  }

  async #bind(pod: Pod, node: string): Promise<void> {
    const { name = '', namespace = '' } = pod.metadata;
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace },
      target: { apiVersion: 'v1', kind: 'Node', name: node },
    };
    await this.client.create(PODS, binding, { name, namespace, subresource: 'binding' });
  }

  #status(pod: Pod): NonNullable<Pod['status']> {
    const now = timestamp(this.clock);
    const containers = (pod.spec?.['containers'] ?? []) as Container[];
    const kind = behaviour(containers[0]?.image ?? '');
    const isReady = kind === 'runs';
    const over = kind === 'succeeds' || kind === 'fails';
    const condition = (type: string, holds: boolean) => ({
      type,
      status: holds ? 'True' : 'False',
      lastTransitionTime: now,
    });
    const exitCode = kind === 'fails' ? 1 : 0;
    this.#addresses += 1;
    const ip = `10.88.${(this.#addresses >> 8) & 255}.${this.#addresses & 255}`;
    return {
      ...pod.status,
      phase: over ? (kind === 'fails' ? 'Failed' : 'Succeeded') : 'Running',
      conditions: [
        condition('PodScheduled', true),
        condition('Initialized', true),
        condition('ContainersReady', isReady),
        condition('Ready', isReady),
      ],
      containerStatuses: containers.map(({ name, image }) => ({
        name,
        image,
        imageID: image,
        ready: isReady,
        restartCount: 0,
        state: over ? { terminated: { exitCode, startedAt: now, finishedAt: now } } : { running: { startedAt: now } },
      })),
      hostIP: '10.0.0.1',
      podIP: ip,
      podIPs: [{ ip }],
      startTime: now,
    };
  }
}
