/** How server-side apply sees a schema: what is merged part by part, what as a whole, and what identifies an item. */
import { type SchemaNode, valueSchemaOf } from './schema-node.js';

/** `deduced` is a value the schema says nothing about: maps in it are merged by member, lists as a whole. */
export type MergeKind = 'scalar' | 'list' | 'map' | 'deduced';

/** One node of the view. */
export interface MergeNode {
  readonly kind: MergeKind;
  /** An atomic value has one owner; of a granular one each part has its own. */
  readonly merge: 'atomic' | 'granular';
  /** What identifies an item of a granular list; none means the item itself does. */
  readonly keys: readonly string[];
  /** The defaults of the keys that have one, which items that lack the key go by. */
  readonly keyDefaults: Readonly<Record<string, unknown>>;
  /** The view of a member, or `undefined` where the schema has none. */
  member(name: string): MergeNode | undefined;
  /** The view of the items of a list. */
  items(): MergeNode | undefined;
}

const noKeys: readonly string[] = [];
const noDefaults: Readonly<Record<string, unknown>> = {};

function leaf(kind: MergeKind, merge: MergeNode['merge'], below?: () => MergeNode): MergeNode {
  return {
    kind,
    merge,
    keys: noKeys,
    keyDefaults: noDefaults,
    member: () => (kind === 'scalar' ? undefined : below?.()),
    items: () => (kind === 'scalar' || kind === 'map' ? undefined : below?.()),
  };
}

const scalar = leaf('scalar', 'atomic');
const deduced: MergeNode = leaf('deduced', 'granular', () => deduced);

function struct(members: Readonly<Record<string, MergeNode>>): MergeNode {
  return { ...leaf('map', 'granular'), member: (name) => (Object.hasOwn(members, name) ? members[name] : undefined) };
}

function keyedList(keys: readonly string[], item: MergeNode): MergeNode {
  return { ...leaf('list', 'granular'), keys, items: () => item };
}

const texts = leaf('map', 'granular', () => scalar);
const owner = { ...leaf('map', 'atomic', () => scalar) };

/** Metadata is the same everywhere, whatever the schema says about its names. */
const objectMeta = struct({
  annotations: texts,
  labels: texts,
  finalizers: keyedList(noKeys, scalar),
  ownerReferences: keyedList(['uid'], owner),
  managedFields: leaf('list', 'atomic', () => deduced),
  ...Object.fromEntries(
    [
      'name',
      'generateName',
      'namespace',
      'selfLink',
      'uid',
      'resourceVersion',
      'generation',
      'creationTimestamp',
      'deletionTimestamp',
      'deletionGracePeriodSeconds',
    ].map((name) => [name, scalar]),
  ),
});

class SchemaView implements MergeNode {
  readonly kind: MergeKind;
  readonly merge: MergeNode['merge'];
  readonly keys: readonly string[];
  readonly keyDefaults: Readonly<Record<string, unknown>>;
  readonly #node: SchemaNode;
  readonly #resource: boolean;
  readonly #members = new Map<string, MergeNode>();
  #items: MergeNode | undefined;

  constructor(node: SchemaNode, resource: boolean) {
    this.#node = node;
    this.#resource = resource;
    this.kind = node.type === 'array' ? 'list' : 'map';
    this.merge = isGranular(node) ? 'granular' : 'atomic';
    this.keys = node.listType === 'map' ? node.listMapKeys : noKeys;
    this.keyDefaults = keyDefaultsOf(node, this.keys);
  }

  member(name: string): MergeNode | undefined {
    if (this.kind !== 'map') return undefined;
    const known = this.#members.get(name);
    if (known !== undefined) return known;
    const view = this.#viewOf(name);
    if (view !== undefined) this.#members.set(name, view);
    return view;
  }

  #viewOf(name: string): MergeNode | undefined {
    if (this.#resource) {
      if (name === 'metadata') return objectMeta;
      if (name === 'apiVersion' || name === 'kind') return scalar;
    }
    const node = this.#node.properties?.get(name) ?? valueSchemaOf(this.#node);
    if (node !== undefined) return viewOf(node, node.embeddedResource);
    const open = this.#node.preserveUnknownFields === true || this.#node.additionalProperties === true;
    return open ? deduced : undefined;
  }

  items(): MergeNode | undefined {
    const { items } = this.#node;
    if (items === undefined) return undefined;
    return (this.#items ??= viewOf(items, items.embeddedResource));
  }
}

function isGranular(node: SchemaNode): boolean {
  return node.type === 'array' ? node.listType === 'map' || node.listType === 'set' : node.mapType !== 'atomic';
}

function keyDefaultsOf(node: SchemaNode, keys: readonly string[]): Readonly<Record<string, unknown>> {
  const defaults: Record<string, unknown> = {};
  for (const key of keys) {
    const value = node.items?.properties?.get(key)?.default;
    if (value !== undefined) defaults[key] = value;
  }
  return defaults;
}

function viewOf(node: SchemaNode, resource: boolean): MergeNode {
  if (node.type === 'array' || node.type === 'object') return new SchemaView(node, resource);
  return node.type === '' && !node.intOrString ? deduced : scalar;
}

/** The view of a custom resource. */
export function mergeViewOf(root: SchemaNode): MergeNode {
  return viewOf(root, true);
}

/** How a list at a path of member names and indices merges, or `undefined` where there is no list. */
export function listTypeOf(root: SchemaNode, path: readonly (string | number)[]): 'atomic' | 'set' | 'map' | undefined {
  let node: SchemaNode | undefined = root;
  for (const step of path) {
    if (node === undefined) return undefined;
    node = typeof step === 'number' ? node.items : (node.properties?.get(step) ?? valueSchemaOf(node));
  }
  if (node?.type !== 'array') return undefined;
  return node.listType === 'set' || node.listType === 'map' ? node.listType : 'atomic';
}
