import type { ServedResource } from './served-resource.js';

/** All served resources by group, version and plural name. */
export class ResourceIndex {
  readonly #byPath = new Map<string, ServedResource>();

  constructor(resources: readonly ServedResource[]) {
    for (const served of resources) this.#byPath.set(`${served.apiVersion}/${served.definition.plural}`, served);
  }

  find(group: string, version: string, resource: string): ServedResource | undefined {
    return this.#byPath.get(group === '' ? `${version}/${resource}` : `${group}/${version}/${resource}`);
  }

  all(): ServedResource[] {
    return [...this.#byPath.values()];
  }
}
