import type { KubeObject } from '@capstan/meta';
import type { ReflectorTarget } from '@capstan/kube';
import { FOREGROUND, ORPHAN } from './collector.js';
import type { Observation } from './graph.js';
import type { Identity } from './identity.js';

export interface RosterOptions {
  /** How owner references name objects of this resource. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly observe: (observation: Observation) => void;
  readonly remove: (identity: Identity) => void;
  /** Something is not as it was when the roster was first complete. */
  readonly changed?: (() => void) | undefined;
}

/** The names of one namespace, each with its uid. */
interface Place {
  /** One text for all, however many objects bring their own copy of it. */
  readonly namespace: string;
  readonly uids: Map<string, string>;
}

const NO_OWNERS: Observation['owners'] = Object.freeze([]);

/**
 * Who is there of one resource. Keeps of an object its name and uid and no more: there are as many of these as there are
 * objects in the cluster, and nearly all of them own nothing and are owned by nobody.
 */
export class Roster implements ReflectorTarget<KubeObject, Observation> {
  readonly #options: RosterOptions;
  #places = new Map<string, Place>();
  #isComplete = false;
  #onComplete: (() => void)[] = [];

  constructor(options: RosterOptions) {
    this.#options = options;
  }

  /** Resolves when the first complete state is known. */
  whenComplete(): Promise<void> {
    return this.#isComplete ? Promise.resolve() : new Promise((resolve) => this.#onComplete.push(resolve));
  }

  reduce({ metadata }: KubeObject): Observation {
    const { deletionTimestamp, finalizers, name = '', namespace = '', ownerReferences, uid = '' } = metadata;
    const { apiVersion, kind } = this.#options;
    return {
      identity: { apiVersion, kind, namespace: this.#places.get(namespace)?.namespace ?? namespace, name, uid },
      owners: ownerReferences === undefined || ownerReferences.length === 0 ? NO_OWNERS : ownerReferences,
      beingDeleted: deletionTimestamp != null,
      foreground: finalizers?.includes(FOREGROUND) === true,
      orphan: finalizers?.includes(ORPHAN) === true,
    };
  }

  replace(observations: readonly Observation[]): void {
    const gone = this.#places;
    this.#places = new Map();
    for (const observation of observations) {
      const { namespace, name, uid } = observation.identity;
      const before = gone.get(namespace)?.uids;
      const known = before?.get(name);
      before?.delete(name);
      if (known !== undefined && known !== uid) this.#options.remove({ ...observation.identity, uid: known });
      this.#enter(observation);
    }
    for (const { namespace, uids } of gone.values()) {
      for (const [name, uid] of uids) this.#options.remove(this.#identity(namespace, name, uid));
    }
    if (this.#isComplete) return this.#options.changed?.();
    this.#isComplete = true;
    for (const resolve of this.#onComplete.splice(0)) resolve();
  }

  upsert(observation: Observation): void {
    const { namespace, name, uid } = observation.identity;
    const known = this.#places.get(namespace)?.uids.get(name);
    // Deleted and created again while nobody looked.
    if (known !== undefined && known !== uid) this.#options.remove({ ...observation.identity, uid: known });
    this.#enter(observation);
    this.#options.changed?.();
  }

  remove({ identity }: Observation): void {
    const { namespace, name } = identity;
    const place = this.#places.get(namespace);
    const known = place?.uids.get(name);
    if (place === undefined || known === undefined) return;
    place.uids.delete(name);
    if (place.uids.size === 0) this.#places.delete(namespace);
    this.#options.remove({ ...identity, uid: known });
    this.#options.changed?.();
  }

  #enter(observation: Observation): void {
    const { namespace, name, uid } = observation.identity;
    const place = this.#places.get(namespace);
    if (place === undefined) this.#places.set(namespace, { namespace, uids: new Map([[name, uid]]) });
    else place.uids.set(name, uid);
    this.#options.observe(observation);
  }

  #identity(namespace: string, name: string, uid: string): Identity {
    const { apiVersion, kind } = this.#options;
    return { apiVersion, kind, namespace, name, uid };
  }
}
