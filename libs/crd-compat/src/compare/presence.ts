/** Which members an object of the requirement has when the live definition sees it. */
import type { SchemaNode } from '@capstan/schema';
import type { ExclusionTree } from '../selection.js';
import { resourceNames, restOf } from './any.js';
import type { Pair } from './schemas.js';

/** Two nodes that describe one value, in objects of the requirement as the live definition sees them. */
export interface Seen {
  readonly required: SchemaNode;
  readonly live: SchemaNode;
  readonly excluded: ExclusionTree | undefined;
  readonly resource: boolean;
}

/** Whether a member is there. */
export type Presence = 'always' | 'maybe' | 'never' | 'unknown';

/** What a rule sees at a place. */
export function seenAt({ live, place, required }: Pair): Seen {
  return { required, live, excluded: place.excluded, resource: place.resource };
}

/** Members that are excluded, may be null, have another name in rules or are the server's own. */
function isUncertain({ excluded, resource }: Seen, name: string, node: SchemaNode | undefined): boolean {
  if (name.includes('__') || excluded?.has(name) === true || node?.nullable === true) return true;
  return resource && resourceNames.has(name);
}

/** Whether a member is there; unknown where rules see more than the schemas tell. */
export function presenceOf(seen: Seen, name: string): Presence {
  const { live, required } = seen;
  const wanted = required.properties?.get(name);
  const given = live.properties?.get(name);
  if (given === undefined || isUncertain(seen, name, given) || isUncertain(seen, name, wanted)) return 'unknown';
  if (given.default !== undefined) return 'always';
  if (wanted === undefined) return restOf(required) === undefined ? 'never' : 'unknown';
  return required.required.includes(name) ? 'always' : 'maybe';
}

/** A member that both sides describe. */
export function memberOf({ excluded, live, required }: Seen, name: string): Seen | undefined {
  const wanted = required.properties?.get(name);
  const given = live.properties?.get(name);
  if (wanted === undefined || given === undefined) return undefined;
  return { required: wanted, live: given, excluded: excluded?.get(name), resource: given.embeddedResource };
}

/** The items of a list that both sides describe and that cannot be null. */
export function itemOf({ excluded, live, required }: Seen): Seen | undefined {
  const { items: wanted } = required;
  const { items: given } = live;
  if (wanted === undefined || given === undefined || wanted.nullable || given.nullable) return undefined;
  return { required: wanted, live: given, excluded, resource: given.embeddedResource };
}
