import type { StructDef, TypeRef } from '@capstan/api/kubernetes';
import type { GroupMapping } from '@capstan/translate';

/*
 * The translation of an object, computed over its JSON form and with the names of JSON: a second opinion on the wire
 * format. It takes from the type tables only what is a map, for a key of a map is not a field.
 */

type Json = Readonly<Record<string, unknown>>;

/** A sentence with its names renamed, for tests: word by word. */
export function renamedWords(mapping: GroupMapping, sentence: string): string {
  return sentence.replaceAll(/[^\s"]+/g, (word) => mapping.swapAfterDot(word));
}

const NAMED_RESOURCES = /^(customresourcedefinitions|apiservices|\*)(\/|$)/;
const NAMED_KINDS = /^(customresourcedefinitions|apiservices|CustomResourceDefinition|APIService)(\/|$)/;

/** Walks an object by its struct. */
export class Reference {
  readonly #mapping: GroupMapping;
  readonly #embedded: (value: unknown) => unknown;

  constructor(mapping: GroupMapping, embedded: (value: unknown) => unknown) {
    this.#mapping = mapping;
    this.#embedded = embedded;
  }

  /** The object as it should come out. */
  object(value: Json, struct: StructDef): Json {
    const kind = String(value['kind']);
    const out = this.#struct(value, struct, kind);
    return { ...out, apiVersion: this.#mapping.swapApiVersion(String(value['apiVersion'])) };
  }

  #struct(value: Json, struct: StructDef, path: string): Json {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        const type = struct.field(key)?.type;
        const here = `${path}.${key}`;
        return [key, type === undefined ? inner : this.#value(inner, type, { path: here, siblings: value })];
      }),
    );
  }

  #value(value: unknown, type: TypeRef, at: { readonly path: string; readonly siblings: Json }): unknown {
    if (value === null || value === undefined) return value;
    if (Array.isArray(value) && type.kind === 'list')
      return value.map((each) => this.#value(each, type.element, { ...at, path: `${at.path}[]` }));
    if (typeof value === 'string' && type.kind === 'scalar') return this.#text(value, at.path, at.siblings);
    if (type.kind === 'struct') return this.#struct(value as Json, type.struct, at.path);
    if (type.kind === 'map') return this.#map(value as Json, type.value, at);
    return at.path === 'ControllerRevision.data' || at.path === 'ControllerRevisionList.items[].data'
      ? this.#embedded(value)
      : value;
  }

  #map(value: Json, type: TypeRef, at: { readonly path: string; readonly siblings: Json }): Json {
    const isQuota = /^ResourceQuota(List\.items\[\])?\.(spec\.hard|status\.(hard|used))$/.test(at.path);
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        isQuota && key.startsWith('count/') ? `count/${this.#mapping.swapAfterDot(key.slice(6))}` : key,
        this.#value(inner, type, { ...at, path: `${at.path}{}` }),
      ]),
    );
  }

  #text(value: string, path: string, siblings: Json): string {
    const [, change] = PLACES.find(([place]) => place.test(path)) ?? [];
    if (change !== undefined) return change(this.#mapping, value);
    if (!/\.(resourceNames\[\]|resourceAttributes\.name|details\.name)$/.test(path)) return value;
    const decisive = [siblings['resources'] ?? siblings['resource'] ?? siblings['kind'] ?? []].flat();
    const named = 'kind' in siblings ? NAMED_KINDS : NAMED_RESOURCES;
    const isNamed = decisive.some((each) => typeof each === 'string' && named.test(each));
    return isNamed ? this.#mapping.swapAfterDot(value) : value;
  }
}

/** Paths and what a string is there; the first that fits counts. */
const PLACES: readonly (readonly [RegExp, (mapping: GroupMapping, value: string) => string])[] = [
  // The version that a path of fields is written in is none of an object.
  [/\.fieldRef\.apiVersion$/, (_, value) => value],
  [/\.apiVersion$/, (mapping, value) => mapping.swapApiVersion(value)],
  [/\.(apiGroup|apiGroups\[\])$/, (mapping, value) => mapping.swap(value)],
  [/\.(resourceAttributes|details|parentRef)\.group$/, (mapping, value) => mapping.swap(value)],
  [/^(CustomResourceDefinition|APIService)(List\.items\[\])?\.spec\.group$/, (mapping, value) => mapping.swap(value)],
  [
    /^(CustomResourceDefinition|APIService)(List\.items\[\])?\.metadata\.name$/,
    (mapping, value) => mapping.swapAfterDot(value),
  ],
  [/^Status\.message$/, renamedWords],
];
