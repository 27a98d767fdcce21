import type { Pod } from '@capstan/cluster';
import type { Client, Logger } from '@capstan/kube';
import { errorText } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { Clock } from '@capstan/meta';
import { evictPod } from '../machine-api/machine/drain.js';
import { OutOfBounds, setToBeDeleted } from './actions.js';
import type { GroupActions } from './actions.js';
import type { AutoscalerSettings } from './flags.js';
import { isLeaving } from './node-groups.js';
import type { Membership } from './node-groups.js';
import { staysBehind } from './scale-down.js';

/** A node on its way out: tainted, then drained, then wanted no more. */
interface Deletion {
  readonly sinceMs: number;
  readonly membership: Membership;
  isRemoved: boolean;
}

export interface DeletionOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly actions: GroupActions;
  readonly settings: AutoscalerSettings;
}

/** How a step of all deletions went. */
export interface DeletionOutcome {
  readonly removed: readonly string[];
  readonly failed: readonly string[];
}

/** The nodes that are being deleted. Nothing waits here: each step reads how far things are. */
export class Deletions {
  readonly #options: DeletionOptions;
  readonly #under = new Map<string, Deletion>();

  constructor(options: DeletionOptions) {
    this.#options = options;
  }

  has(node: string): boolean {
    return this.#under.has(node);
  }

  get size(): number {
    return this.#under.size;
  }

  /** Begins with a node: from now on no pod is placed on it. */
  async begin(node: string, membership: Membership): Promise<void> {
    const { client, clock, settings } = this.#options;
    const seconds = Math.floor(clock.now() / 1000);
    await setToBeDeleted(client, node, { seconds, isCordoned: settings.cordonNodeBeforeTerminating });
    this.#under.set(node, { sinceMs: clock.monotonic(), membership, isRemoved: false });
  }

  /** Advances the deletion of every node. `podsOf` and `memberOf` read the current state. */
  async step(
    podsOf: (node: string) => readonly Pod[],
    memberOf: (node: string) => Membership | undefined,
    signal: AbortSignal,
  ): Promise<DeletionOutcome> {
    const removed: string[] = [];
    const failed: string[] = [];
    for (const [node, deletion] of this.#under) {
      const membership = memberOf(node) ?? deletion.membership;
      if (memberOf(node) === undefined || isLeaving(membership.machine)) {
        this.#under.delete(node);
        continue;
      }
      try {
        if (deletion.isRemoved) {
          await this.#giveUpLate(node, deletion, failed);
          continue;
        }
        if (!(await this.#drain(podsOf(node), signal))) await this.#giveUpLate(node, deletion, failed);
        else {
          await this.#options.actions.remove(
            membership.group,
            membership.machine,
            new Date(this.#options.clock.now()).toISOString(),
          );
          deletion.isRemoved = true;
          removed.push(node);
        }
      } catch (error) {
        this.#options.logger.warn('cannot delete a node', { node, error: errorText(error) });
        if (error instanceof OutOfBounds) await this.#giveUp(node, failed);
      }
    }
    return { removed, failed };
  }

  /** One more step of draining; true when no pod is left that has to be evicted. */
  async #drain(pods: readonly Pod[], signal: AbortSignal): Promise<boolean> {
    const moving = pods.filter((pod) => !staysBehind(pod));
    for (const pod of moving)
      if (pod.metadata.deletionTimestamp == null)
        await evictPod(this.#options.client, pod, { grace: undefined, signal });
    return moving.length === 0;
  }

  async #giveUpLate(node: string, { sinceMs }: Deletion, failed: string[]): Promise<void> {
    const { clock, settings } = this.#options;
    if (clock.monotonic() - sinceMs > settings.maxGracefulTerminationMs) await this.#giveUp(node, failed);
  }

  async #giveUp(node: string, failed: string[]): Promise<void> {
    await this.release(node);
    this.#under.delete(node);
    failed.push(node);
  }

  /** Lets pods on a node again. */
  async release(node: string): Promise<void> {
    const { client, settings } = this.#options;
    await setToBeDeleted(client, node, { seconds: undefined, isCordoned: settings.cordonNodeBeforeTerminating }).catch(
      ignoreNotFound,
    );
  }
}
