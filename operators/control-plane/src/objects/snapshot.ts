import type { ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';

/** What there is of a control plane, as the caches have it and as this reconciliation has changed it since. */
export class Snapshot {
  readonly #kinds = new Map<string, Map<string, KubeObject>>();

  /** Puts an object in the place of the one of its name. */
  put(kind: ResourceRef, object: KubeObject): void {
    let ofKind = this.#kinds.get(kind.plural);
    if (ofKind === undefined) this.#kinds.set(kind.plural, (ofKind = new Map<string, KubeObject>()));
    ofKind.set(object.metadata.name ?? '', object);
  }

  drop(kind: ResourceRef, name: string): void {
    this.#kinds.get(kind.plural)?.delete(name);
  }

  get<T extends KubeObject = KubeObject>(kind: ResourceRef, name: string): T | undefined {
    return this.#kinds.get(kind.plural)?.get(name) as T | undefined;
  }

  list<T extends KubeObject = KubeObject>(kind: ResourceRef): readonly T[] {
    return [...(this.#kinds.get(kind.plural)?.values() ?? [])] as unknown as T[];
  }
}
