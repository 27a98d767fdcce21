import { includesDesired } from '@capstan/kube';
import type { Client, ResourceRef } from '@capstan/kube';
import { deepEqual } from '@capstan/meta';
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

/** Applies objects, and does not ask again for what was applied before and is still there. */
export class Applier {
  readonly #objects: CoreObjects;
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #codec: CoreCodec;
  readonly #known = new Map<string, { readonly wanted: KubeObject; readonly until: number }>();

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
  async core<T extends KubeObject>(kind: CoreKind, object: T, owner: string, original?: T): Promise<T> {
    const wanted = applicable(object);
    const send = (): Promise<KubeObject> => this.#objects.apply(kind, wanted, { owner });
    const applied = await this.#unlessKnown(wanted, owner, original, send);
    if (original === undefined) this.know(applied, wanted, owner);
    return applied as T;
  }

  /** What was wanted of an object, under whatever name it was sent, is what its owner of fields has applied. */
  know({ metadata: { uid } }: KubeObject, wanted: KubeObject, owner: string): void {
    if (uid === undefined) return;
    this.#remember(`${owner} ${uid}`, { ...wanted, metadata: { ...wanted.metadata, uid } });
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
    if (original === undefined) return send();
    const key = `${owner} ${original.metadata.uid ?? ''}`;
    if (this.#isKnown(key, wanted) && includesDesired(original, wanted, 'superset')) return { ...original };
    const applied = await send();
    this.#remember(key, wanted);
    return applied;
  }

  /** Whether the very same was the last that was applied. */
  #isKnown(key: string, wanted: KubeObject): boolean {
    const last = this.#known.get(key);
    if (last === undefined || last.until < this.#clock.monotonic() || !deepEqual(last.wanted, wanted)) return false;
    this.#remember(key, wanted);
    return true;
  }

  #remember(key: string, wanted: KubeObject): void {
    const now = this.#clock.monotonic();
    this.#known.delete(key);
    this.#known.set(key, { wanted, until: now + REMEMBERED_MS });
    for (const [each, { until }] of this.#known) {
      if (until >= now) break;
      this.#known.delete(each);
    }
  }
}
