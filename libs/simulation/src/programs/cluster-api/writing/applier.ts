import type { Client, ResourceRef } from '@capstan/kube';
import { canonicalHash, cloneJson } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import type { CoreKind } from '../kinds.js';
import type { CoreCodec } from './codec.js';
import type { CoreObjects } from './core-objects.js';
import { plain } from './plain.js';

const REMEMBERED_MS = 10 * 60_000;

/** What of an object may be applied. */
export function applicable(object: KubeObject): KubeObject {
  const { apiVersion, kind, metadata, spec } = object;
  const { name, namespace, uid, labels, annotations, finalizers, ownerReferences } = metadata;
  const kept = { name, namespace, uid, labels, annotations, finalizers, ownerReferences };
  return plain({ apiVersion, kind, metadata: kept, ...(spec === undefined ? {} : { spec }) }) as KubeObject;
}

/** Applies objects, and does not ask again for what is known to change nothing. */
export class Applier {
  readonly #objects: CoreObjects;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #codec: CoreCodec;
  readonly #known = new Map<string, number>();

  constructor(
    objects: CoreObjects,
    parts: { readonly client: Client; readonly clock: Clock; readonly codec: CoreCodec },
  ) {
    this.#objects = objects;
    this.#client = parts.client;
    this.#clock = parts.clock;
    this.#codec = parts.codec;
  }

  /** Applies a core object. With the state it has now, nothing is sent where that is known to be enough. */
  core<T extends KubeObject>(kind: CoreKind, object: T, owner: string, original?: T): Promise<T> {
    const wanted = applicable(object);
    return this.#unlessKnown(wanted, owner, original, () => this.#objects.apply(kind, wanted, { owner })) as Promise<T>;
  }

  /** Applies an object of a provider. */
  foreign(ref: ResourceRef, object: KubeObject, owner: string, original?: KubeObject): Promise<KubeObject> {
    const value = applicable(this.#codec.encodeOwners(object));
    const { name = '', namespace } = object.metadata;
    const options = { namespace, fieldManager: owner, force: true };
    return this.#unlessKnown(value, owner, original, () =>
      this.#client.patch(ref, name, { type: 'apply', value }, options),
    );
  }

  async #unlessKnown(
    wanted: KubeObject,
    owner: string,
    original: KubeObject | undefined,
    send: () => Promise<KubeObject>,
  ): Promise<KubeObject> {
    const identity = (version: string | undefined): string => canonicalHash({ wanted, owner, version });
    if (original !== undefined && this.#isKnown(identity(original.metadata.resourceVersion)))
      return cloneJson(original);
    const applied = await send();
    if (original !== undefined) this.#remember(identity(applied.metadata.resourceVersion));
    return applied;
  }

  #isKnown(identity: string): boolean {
    const until = this.#known.get(identity);
    if (until === undefined || until < this.#clock.monotonic()) return false;
    this.#remember(identity);
    return true;
  }

  #remember(identity: string): void {
    const now = this.#clock.monotonic();
    this.#known.delete(identity);
    this.#known.set(identity, now + REMEMBERED_MS);
    for (const [key, until] of this.#known) {
      if (until >= now) break;
      this.#known.delete(key);
    }
  }
}
