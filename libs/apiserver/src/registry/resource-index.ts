import type { ServedResource } from './served-resource.js';

function pathOf(served: ServedResource): string {
  return `${served.apiVersion}/${served.definition.plural}`;
}

/** All served resources by group, version and plural name. Built-in ones are fixed and come before custom ones. */
export class ResourceIndex {
  readonly #byPath = new Map<string, ServedResource>();
  readonly #custom = new Map<string, ServedResource>();
  readonly #builtin: ReadonlySet<string>;

  constructor(resources: readonly ServedResource[]) {
    for (const served of resources) this.#byPath.set(pathOf(served), served);
    this.#builtin = new Set(resources.map(({ storage }) => storage));
  }

  find(group: string, version: string, resource: string): ServedResource | undefined {
    const path = group === '' ? `${version}/${resource}` : `${group}/${version}/${resource}`;
    return this.#byPath.get(path) ?? this.#custom.get(path);
  }

  /** The resource whose objects are of that kind. */
  findKind(group: string, version: string, kind: string): ServedResource | undefined {
    return this.all().find(
      ({ definition }) => definition.group === group && definition.version === version && definition.kind === kind,
    );
  }

  /** Whether a built-in resource has that name, in whatever version. */
  isBuiltin(group: string, resource: string): boolean {
    return this.#builtin.has(`${group}/${resource}`);
  }

  /** Exchanges custom resources for others. */
  replaceCustom(before: readonly ServedResource[], after: readonly ServedResource[]): void {
    for (const served of before) this.#custom.delete(pathOf(served));
    for (const served of after) if (!this.#byPath.has(pathOf(served))) this.#custom.set(pathOf(served), served);
  }

  /** All versions of a resource; what is stored in one place is one resource. */
  versionsOf({ storage, custom }: ServedResource): ServedResource[] {
    const among = custom === undefined ? this.#byPath : this.#custom;
    return [...among.values()].filter((served) => served.storage === storage);
  }

  all(): ServedResource[] {
    return [...this.#byPath.values(), ...this.#custom.values()];
  }
}
