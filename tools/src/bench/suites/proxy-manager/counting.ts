import { Informer, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { Client, ResourceRef } from '@capstan/kube';
import { isConditionTrue } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';

const LIMIT_MS = 300_000;

interface Counted extends KubeObject {
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly readyReplicas?: number;
    readonly replicas?: number;
  };
}

/** When a change of scale was done. */
export interface Arrival {
  /** All machines are ready, or gone. */
  readonly machinesAt: number;
  /** Until their MachineDeployment reports them, too: it is polled once a second. */
  readonly countedAt: number;
}

/** Watches machines and their MachineDeployment. Requests of its own would take time from the server. */
export class Counting {
  readonly #machines: Informer<Counted>;
  readonly #deployments: Informer<Counted>;
  readonly #ending = new AbortController();

  constructor(client: Client, group: string) {
    const watched = (plural: string): Informer<Counted> => {
      const resource: ResourceRef = { group, version: 'v1beta2', plural, namespaced: true };
      const [clock, random] = [systemClock(), systemRandom()];
      return new Informer<Counted>({ client, resource, clock, random, logger: silentLogger() });
    };
    this.#machines = watched('machines');
    this.#deployments = watched('machinedeployments');
    for (const informer of [this.#machines, this.#deployments]) void informer.run(this.#ending.signal);
  }

  close(): void {
    this.#ending.abort();
  }

  /** Resolves when so many machines are there, ready and counted; to be called while there are more, or fewer. */
  async arrival(replicas: number): Promise<Arrival> {
    const ready = new Set<string>();
    const present = new Set<string>();
    const machinesAt = this.#when(this.#machines, (machine, isGone) => {
      const name = machine.metadata.name ?? '';
      if (isGone) {
        present.delete(name);
        ready.delete(name);
      } else {
        present.add(name);
        if (isConditionTrue(machine.status?.conditions, 'Ready')) ready.add(name);
        else ready.delete(name);
      }
      return present.size === replicas && ready.size === replicas;
    });
    const countedAt = this.#when(
      this.#deployments,
      ({ metadata, status }) =>
        metadata.name === 'workers' &&
        (status?.readyReplicas ?? 0) === replicas &&
        (status?.replicas ?? 0) === replicas,
    );
    const [machines, counted] = await Promise.all([machinesAt, countedAt]);
    return { machinesAt: machines, countedAt: counted };
  }

  async #when(informer: Informer<Counted>, holds: (object: Counted, isGone: boolean) => boolean): Promise<number> {
    let [done, late]: (() => void)[] = [];
    const happened = new Promise<void>((resolve, reject) => {
      done = resolve;
      const what = 'as many machines as were asked for';
      late = () => reject(new Error(`condition not met within ${LIMIT_MS / 1000} s: ${what}`));
    });
    const observe = (object: Counted, isGone = false): void => void (holds(object, isGone) && done?.());
    const handler = informer.addHandler({
      add: (now) => observe(now),
      update: (_, now) => observe(now),
      delete: (last) => observe(last, true),
    });
    const timer = setTimeout(() => late?.(), LIMIT_MS);
    await happened.finally(() => {
      clearTimeout(timer);
      handler.remove();
    });
    return performance.now();
  }
}
