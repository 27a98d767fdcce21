/** Removes from a value what its schema does not know. */
import { type JsonObject, compareBytes } from '@capstan/meta';
import type { SchemaNode } from '../schema/schema-node.js';

function isMetaField(name: string): boolean {
  return name === 'metadata' || name === 'apiVersion' || name === 'kind';
}

/** Walks one value; the path is kept on a stack because it is needed for removed fields only. */
class Pruner {
  readonly removed: string[] = [];
  readonly #path: (string | number)[] = [];

  #record(name: string): void {
    let text = '';
    for (const part of this.#path) {
      text += typeof part === 'number' ? `[${part}]` : text === '' ? part : `.${part}`;
    }
    this.removed.push(text === '' ? name : `${text}.${name}`);
  }

  #remove(object: JsonObject, name: string): void {
    this.#record(name);
    delete object[name];
  }

  /** `resource`: the caller checks the type fields and the metadata. */
  prune(value: unknown, node: SchemaNode | undefined, resource: boolean): void {
    if (typeof value !== 'object' || value === null) return;
    if (node?.preserveUnknownFields === true) this.#preserve(value, node, resource);
    else if (Array.isArray(value)) this.#pruneItems(value, node);
    else if (node === undefined) for (const name of Object.keys(value)) this.#remove(value as JsonObject, name);
    else this.#pruneMembers(value as JsonObject, node, resource);
  }

  #pruneItems(list: readonly unknown[], node: SchemaNode | undefined): void {
    const items = node?.items;
    const at = this.#path.length;
    for (const [index, item] of list.entries()) {
      if (typeof item !== 'object' || item === null) continue;
      this.#path[at] = index;
      this.prune(item, items, items?.embeddedResource ?? false);
    }
    this.#path.length = at;
  }

  #pruneMembers(object: JsonObject, node: SchemaNode, resource: boolean): void {
    const { properties, additionalProperties } = node;
    for (const name in object) {
      if (resource && isMetaField(name)) continue;
      const member = properties?.get(name);
      if (member !== undefined) this.#descend(object[name], name, member);
      else if (additionalProperties === undefined) this.#remove(object, name);
      else
        this.#descend(object[name], name, typeof additionalProperties === 'object' ? additionalProperties : undefined);
    }
  }

  #descend(value: unknown, name: string, node: SchemaNode | undefined): void {
    if (typeof value !== 'object' || value === null) return;
    this.#path.push(name);
    this.prune(value, node, node?.embeddedResource ?? false);
    this.#path.length--;
  }

  #preserveItems(list: readonly unknown[], items: SchemaNode): void {
    const at = this.#path.length;
    for (const [index, item] of list.entries()) {
      if (typeof item !== 'object' || item === null) continue;
      this.#path[at] = index;
      this.#preserve(item, items, items.embeddedResource);
    }
    this.#path.length = at;
  }

  /** Unknown fields stay here, but what is specified is pruned below. */
  #preserve(value: object, node: SchemaNode, resource: boolean): void {
    if (Array.isArray(value)) {
      if (node.items !== undefined) this.#preserveItems(value, node.items);
      return;
    }
    const { properties, additionalProperties } = node;
    if (properties === undefined && additionalProperties === undefined) return;
    for (const [name, member] of Object.entries(value)) {
      if (resource && isMetaField(name)) continue;
      const specified = properties?.get(name);
      if (specified !== undefined) this.#descend(member, name, specified);
      else if (additionalProperties !== undefined) {
        this.#descend(member, name, typeof additionalProperties === 'object' ? additionalProperties : undefined);
      }
    }
  }
}

/**
 * Removes unknown fields in place and returns their paths (`spec.z`, `spec.list[0].y`) in byte order. At the root of a
 * resource, and of an embedded one, `apiVersion`, `kind` and `metadata` stay as they are.
 */
export function pruneValue(value: unknown, node: SchemaNode, root: boolean): string[] {
  const pruner = new Pruner();
  pruner.prune(value, node, root || node.embeddedResource);
  return pruner.removed.sort(compareBytes);
}
