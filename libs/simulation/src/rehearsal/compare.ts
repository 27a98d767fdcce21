import { deepEqual, parseApiVersion, pushAll } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { swapObject } from '@capstan/migration';
import type { GroupMapping, Side } from '@capstan/translate';
import type { SimulationState } from '../scenario.js';

/** What two states of a hosted cluster are compared by. */
export interface ComparisonOptions {
  readonly mapping: GroupMapping;
  /** In which groups the objects are to be afterwards. */
  readonly side: Side;
  /** An object without what the procedure itself leaves on it; the same for both states. */
  readonly withoutTraces: (object: KubeObject) => KubeObject;
  /** What each object is compared as, kept from one comparison with these options to the next. Default: not kept. */
  readonly remembered?: WeakMap<KubeObject, unknown> | undefined;
  /** Resources (`apps/deployments`) and names of objects that do not count. */
  readonly ignores: (resource: string, object: KubeObject) => boolean;
}

const MOST_PATHS = 5;

/** What differs between the state before a procedure and the state after it; nothing when only the groups have changed. */
export function compareStates(before: SimulationState, after: SimulationState, options: ComparisonOptions): string[] {
  const old = indexed(before, options);
  const now = indexed(after, options);
  const differences: string[] = [];
  for (const [key, { object, isMoved }] of old) {
    const found = now.get(key);
    if (found === undefined) differences.push(`${key} is missing`);
    else pushAll(differences, compareObjects(key, [object, found.object], { ...options, isMoved }));
  }
  for (const key of now.keys()) if (!old.has(key)) differences.push(`${key} is there in addition`);
  const known = new Set(danglingOwners(before));
  const dangling = danglingOwners(after).filter((each) => !known.has(each));
  return [...differences, ...leftBehind(after, options), ...dangling];
}

interface Indexed {
  readonly object: KubeObject;
  /** Whether it is of a group that has two names. */
  readonly isMoved: boolean;
}

/** The objects that count, under their standard names; of moved ones those of the side that counts. */
function indexed(state: SimulationState, options: ComparisonOptions): Map<string, Indexed> {
  const { ignores, mapping, side } = options;
  const found = new Map<string, Indexed>();
  // Before, everything is in one group only: the side counts where both have objects.
  for (const [resource, objects] of state.entries())
    for (const object of objects) {
      if (ignores(resource, object)) continue;
      const own = mapping.side(groupOf(object));
      const key = keyOf(object, mapping);
      if (own !== undefined && own !== side && found.has(key)) continue;
      found.set(key, { object, isMoved: own !== undefined });
    }
  return found;
}

function groupOf({ apiVersion }: KubeObject): string {
  return parseApiVersion(apiVersion).group;
}

function keyOf({ apiVersion, kind, metadata: { name = '', namespace } }: KubeObject, mapping: GroupMapping): string {
  const { group } = parseApiVersion(apiVersion);
  const standard = mapping.side(group) === 'private' ? mapping.swap(group) : group;
  const type = standard === '' ? kind : `${kind}.${standard}`;
  return namespace === undefined ? `${type} ${name}` : `${type} ${namespace}/${name}`;
}

function compareObjects(
  key: string,
  [old, now]: readonly [KubeObject, KubeObject],
  options: ComparisonOptions & { readonly isMoved: boolean },
): readonly string[] {
  if (!options.isMoved && old.metadata.uid !== now.metadata.uid) return [`${key} was deleted and created again`];
  const [first, second] = [old, now].map((each) => comparableOnce(each, options));
  const paths = [...differingPaths(first, second, '')];
  if (paths.length === 0) return [];
  const rest = paths.length - MOST_PATHS;
  const listed = paths.slice(0, MOST_PATHS).join(', ');
  return [`${key} differs in ${listed}${rest > 0 ? ` and ${rest} more fields` : ''}`];
}

function comparableOnce(object: KubeObject, { mapping, remembered, withoutTraces }: ComparisonOptions): unknown {
  const known = remembered?.get(object);
  if (known !== undefined) return known;
  const made = comparable(withoutTraces(object), mapping);
  remembered?.set(object, made);
  return made;
}

/** An object without what every copy has of its own: UIDs, revisions, times of creation, field managers. */
function comparable(object: KubeObject, mapping: GroupMapping): unknown {
  const standard = mapping.side(groupOf(object)) === 'private' ? swapObject(object, mapping) : object;
  const { annotations = {}, finalizers = [], labels = {}, ownerReferences = [] } = standard.metadata;
  const owners = ownerReferences.map((reference) => {
    const { uid: _, apiVersion, ...rest } = reference;
    const { group, version } = parseApiVersion(apiVersion);
    return { ...rest, group: mapping.side(group) === 'private' ? mapping.swap(group) : group, version };
  });
  const { apiVersion, kind, metadata: _, status, ...content } = standard;
  return { apiVersion, kind, annotations, finalizers, labels, owners, ...content, status: withoutGenerations(status) };
}

function withoutGenerations(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutGenerations);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => key !== 'observedGeneration');
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutGenerations(each)]));
}

/** Where two values differ: paths alone, never what is there. */
function* differingPaths(one: unknown, other: unknown, path: string): Generator<string> {
  if (deepEqual(one, other)) return;
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) {
    yield path === '' ? 'everything' : path;
    return;
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
    yield* differingPaths(one[key], other[key], path === '' ? key : `${path}.${key}`);
}

/** Objects in a namespace that are still in the groups that do not count any more. */
function leftBehind(state: SimulationState, { ignores, mapping, side }: ComparisonOptions): readonly string[] {
  const left: string[] = [];
  for (const [resource, objects] of state.entries())
    for (const object of objects) {
      const own = mapping.side(groupOf(object));
      if (own === undefined || own === side || object.metadata.namespace === undefined) continue;
      if (!ignores(resource, object)) left.push(`${keyOf(object, mapping)} is still in group ${groupOf(object)}`);
    }
  return left;
}

/** Owner references to what is not there: the garbage collector would delete what they are on. */
function danglingOwners(state: SimulationState): readonly string[] {
  const living = new Set<string>();
  for (const [, objects] of state.entries()) for (const { metadata } of objects) living.add(metadata.uid ?? '');
  const dangling: string[] = [];
  for (const [, objects] of state.entries())
    for (const { kind, metadata } of objects)
      for (const owner of metadata.ownerReferences ?? [])
        if (!living.has(owner.uid))
          dangling.push(`${kind} ${metadata.name ?? ''} has an owner that is not there: ${owner.kind} ${owner.name}`);
  return dangling;
}
