import type { KubeObject, OwnerReference } from '@capstan/meta';
import type { Logger, PropagationPolicy, WorkQueue, WorkResult } from '@capstan/kube';
import type { DependencyGraph } from './graph.js';
import { identityText, referencedIdentity } from './identity.js';
import type { GraphNode } from './node.js';
import { NamespacedOwnerError, UnknownKindError } from './operations.js';
import type { Operations } from './operations.js';

/** Finalizer of a foreground deletion. */
export const FOREGROUND = 'foregroundDeletion';
/** Finalizer of a deletion that leaves the dependents. */
export const ORPHAN = 'orphan';

export interface CollectorOptions {
  readonly graph: DependencyGraph;
  readonly operations: Operations;
  readonly logger: Logger;
  readonly examineQueue: WorkQueue<GraphNode>;
}

interface Classified {
  /** Owners that live and are not waiting for their dependents. */
  readonly solid: OwnerReference[];
  readonly dangling: OwnerReference[];
  /** Owners being deleted in the foreground. */
  readonly waiting: OwnerReference[];
}

/** Decides about single objects, always on what the server answers at that moment. */
export class Collector {
  readonly #options: CollectorOptions;

  constructor(options: CollectorOptions) {
    this.#options = options;
  }

  /** Deletes the object when no owner is left, finishes its foreground deletion, or drops references to lost owners. */
  async examine(node: GraphNode): Promise<WorkResult> {
    const { graph, logger } = this.#options;
    if (node.virtual) {
      const current = graph.get(node.identity.uid);
      // Meanwhile seen or gone: informers take it from here.
      if (current === undefined || !current.virtual) return 'done';
    }
    try {
      const settled = await this.#examineLive(node);
      // A virtual node that exists must be seen by an informer some day; until then it is looked at again and again.
      return settled === 'absent' || !node.virtual ? 'done' : 'retry';
    } catch (error) {
      if (error instanceof NamespacedOwnerError) {
        logger.debug('reference to a namespaced owner from a cluster-scoped object', {
          object: identityText(node.identity),
        });
        return 'done';
      }
      if (!(error instanceof UnknownKindError)) throw error;
      logger.debug('kind not served, will be tried again', {
        object: identityText(node.identity),
        error: error.message,
      });
      return 'retry';
    }
  }

  /** Takes the object off its dependents, then lets it go. */
  async orphan(node: GraphNode): Promise<WorkResult> {
    const { operations } = this.#options;
    const { uid } = node.identity;
    await Promise.all([...node.dependents].map((dependent) => operations.removeOwners(dependent.identity, [uid])));
    await operations.removeFinalizer(node.identity, ORPHAN);
    return 'done';
  }

  async #examineLive(node: GraphNode): Promise<'absent' | 'present'> {
    const { graph, operations } = this.#options;
    // On its way already; its dependents come when it has gone.
    if (node.beingDeleted && !node.deletingDependents) return 'present';
    const live = await operations.live(node.identity);
    if (live === undefined) {
      graph.confirmAbsent(node.identity);
      return 'absent';
    }
    if (node.deletingDependents) {
      await this.#finishForeground(node);
      return 'present';
    }
    const references = live.metadata.ownerReferences ?? [];
    if (references.length === 0) return 'present';
    const owners = await this.#classify(node, references);
    if (owners.solid.length > 0) {
      // References to waiting owners go too, or those would wait for ever.
      const lost = [...owners.dangling, ...owners.waiting].map(({ uid }) => uid);
      if (lost.length > 0) await operations.removeOwners(node.identity, lost);
      return 'present';
    }
    const policy = await this.#policy(node, live, owners);
    if (await operations.delete(node.identity, live, policy)) return 'present';
    graph.confirmAbsent(node.identity);
    return 'absent';
  }

  async #policy(node: GraphNode, live: KubeObject, owners: Classified): Promise<PropagationPolicy> {
    const { logger, operations } = this.#options;
    if (owners.waiting.length > 0 && node.dependents.size > 0) {
      if ([...node.dependents].some((dependent) => dependent.deletingDependents)) {
        // Both an owner and a dependent wait: possibly in a circle, which this breaks.
        logger.info('owner references made non-blocking to break a possible cycle', {
          object: identityText(node.identity),
        });
        await operations.unblockOwners(node.identity, node.owners);
      }
      return 'Foreground';
    }
    const finalizers = live.metadata.finalizers ?? [];
    if (finalizers.includes(ORPHAN)) return 'Orphan';
    return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
  }

  async #finishForeground(node: GraphNode): Promise<void> {
    const blocking = node.blockingDependents();
    if (blocking.length === 0) await this.#options.operations.removeFinalizer(node.identity, FOREGROUND);
    for (const dependent of blocking) if (!dependent.deletingDependents) this.#options.examineQueue.add(dependent);
  }

  async #classify(node: GraphNode, references: readonly OwnerReference[]): Promise<Classified> {
    const classified: Classified = { solid: [], dangling: [], waiting: [] };
    for (const reference of references) {
      const owner = await this.#owner(node, reference);
      if (owner === undefined) classified.dangling.push(reference);
      else if (owner.metadata.deletionTimestamp != null && owner.metadata.finalizers?.includes(FOREGROUND) === true)
        classified.waiting.push(reference);
      else classified.solid.push(reference);
    }
    return classified;
  }

  /** The owner a reference means, or undefined when there is none. */
  async #owner(node: GraphNode, reference: OwnerReference): Promise<KubeObject | undefined> {
    const { absent } = this.#options.graph;
    const { namespace } = node.identity;
    if (absent.has(referencedIdentity(reference, '')) || absent.has(referencedIdentity(reference, namespace)))
      return undefined;
    const resource = await this.#options.operations.resource(reference.apiVersion, reference.kind);
    if (resource.namespaced && namespace === '') throw new NamespacedOwnerError();
    const identity = referencedIdentity(reference, resource.namespaced ? namespace : '');
    const owner = await this.#options.operations.live(identity);
    if (owner === undefined) absent.add(identity);
    return owner;
  }
}
