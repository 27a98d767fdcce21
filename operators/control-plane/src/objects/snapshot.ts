import type { ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';

/** What there is of a control plane, as the caches have it and as this reconciliation has changed it since. */
export class Snapshot {
  readonly #objects = new Map<string, KubeObject>();
  readonly #kinds = new Map<string, Map<string, KubeObject>>();

  /** Puts an object in the place of the one of its name. */
  put(kind: ResourceRef, object: KubeObject): void {
    const name = object.metadata.name ?? '';
    this.#objects.set(`${kind.plural}/${name}`, object);
    const ofKind = this.#kinds.get(kind.plural) ?? new Map<string, KubeObject>();
    this.#kinds.set(kind.plural, ofKind.set(name, object));
  }

  drop(kind: ResourceRef, name: string): void {
    this.#objects.delete(`${kind.plural}/${name}`);
    this.#kinds.get(kind.plural)?.delete(name);
  }

  get<T extends KubeObject = KubeObject>(kind: ResourceRef, name: string): T | undefined {
    return this.#objects.get(`${kind.plural}/${name}`) as T | undefined;
  }

  list<T extends KubeObject = KubeObject>(kind: ResourceRef): readonly T[] {
    return [...(this.#kinds.get(kind.plural)?.values() ?? [])] as unknown as T[];
  }
}
