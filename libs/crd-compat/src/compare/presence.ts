/** Which members an object of the requirement has when the live CRD sees it. */
import type { SchemaNode } from '@capstan/schema';
import type { ExclusionTree } from '../selection.js';
import { resourceNames, restOf } from '../drafts/any.js';
import { takesLists } from './formats.js';
import type { Pair } from './schemas.js';

/** Two nodes that describe one value, in objects of the requirement as the live CRD sees them. */
export interface Seen {
  readonly required: SchemaNode;
  readonly live: SchemaNode;
  readonly excluded: ExclusionTree | undefined;
  readonly resource: boolean;
  /** The minor release of Kubernetes 1.x. */
  readonly minor: number;
}

/** Whether a member is there. */
export type Presence = 'always' | 'maybe' | 'never' | 'unknown';

/** What a rule sees at a place. */
export function seenAt({ live, place, required }: Pair, minor: number): Seen {
  return { required, live, excluded: place.excluded, resource: place.resource, minor };
}

/** Whether rules may meet a value of another type there: null, or a list that passes because of a format. */
export function isStrange({ live, minor, required }: Seen): boolean {
  return required.nullable || live.nullable || takesLists(required, minor);
}

/** Members that are excluded, may be null or a list for their format, have another name in rules or are the server's own. */
function isUncertain({ excluded, minor, resource }: Seen, name: string, node: SchemaNode | undefined): boolean {
  if (name.includes('__') || excluded?.has(name) === true || node?.nullable === true) return true;
  return (node !== undefined && takesLists(node, minor)) || (resource && resourceNames.has(name));
}

/** Whether a member is there; unknown where rules see more than the schemas describe. */
export function presenceOf(seen: Seen, name: string): Presence {
  const { live, required } = seen;
  const wanted = required.properties?.get(name);
  const given = live.properties?.get(name);
  if (given === undefined || isUncertain(seen, name, wanted)) return 'unknown';
  // What the requirement does not know is never there, whatever it may be.
  const isKept = wanted !== undefined || restOf(required) !== undefined || given.default !== undefined;
  if (!isKept && !isUncertain(seen, name, { ...given, format: '' })) return 'never';
  return isUncertain(seen, name, given) ? 'unknown' : certainPresence(required, name, given);
}

function certainPresence(required: SchemaNode, name: string, given: SchemaNode): Presence {
  if (given.default !== undefined) return 'always';
  if (required.properties?.has(name) !== true) return 'unknown';
  return required.required.includes(name) ? 'always' : 'maybe';
}

/** A member that both sides describe. */
export function memberOf({ excluded, live, minor, required }: Seen, name: string): Seen | undefined {
  const wanted = required.properties?.get(name);
  const given = live.properties?.get(name);
  if (wanted === undefined || given === undefined) return undefined;
  return { required: wanted, live: given, excluded: excluded?.get(name), resource: given.embeddedResource, minor };
}

/** The items of a list that both sides describe and that are what they are described as. */
export function itemOf({ excluded, live, minor, required }: Seen): Seen | undefined {
  const { items: wanted } = required;
  const { items: given } = live;
  if (wanted === undefined || given === undefined) return undefined;
  const item = { required: wanted, live: given, excluded, resource: given.embeddedResource, minor };
  return isStrange(item) ? undefined : item;
}
