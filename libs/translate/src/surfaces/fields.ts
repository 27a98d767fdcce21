import type { GroupMapping } from '../groups/mapping.js';
import { RefusingMapping } from '../groups/mapping.js';
import { HOLD_LIMIT } from '../json/output.js';
import type { Shape } from '../json/shape.js';
import { members, UNTOUCHED } from '../json/shape.js';
import { swapMessage } from './messages.js';

/** What every surface is built of: the fields that carry groups, for one mapping. */
export interface Fields {
  readonly mapping: GroupMapping;
  /** `group/version`. */
  readonly apiVersion: Shape;
  /** A group alone. */
  readonly group: Shape;
  /** A list of groups. */
  readonly groups: Shape;
  /** An object of which only `apiVersion` carries a group: references, `paramKind`. */
  readonly reference: Shape;
  /** An object of which only `apiGroup` does. */
  readonly typedReference: Shape;
  /** An object of which only `group` does. */
  readonly groupKind: Shape;
  /** The metadata of an object. */
  readonly metadata: Shape;
  /** Whatever an object of an unknown kind holds: every `apiVersion` and `apiGroup`, but for those of maps that users fill. */
  readonly anywhere: Shape;
  /** A message for people, of a Status. */
  readonly message: Shape;
}

const made = new WeakMap<GroupMapping, Fields>();

/** The fields for a mapping. */
export function fieldsOf(mapping: GroupMapping): Fields {
  const known = made.get(mapping);
  if (known !== undefined) return known;
  const apiVersion: Shape = { text: (text) => mapping.swapApiVersion(text) };
  const group: Shape = { text: (text) => mapping.swap(text) };
  const reference: Shape = { members: members({ apiVersion }) };
  const metadata: Shape = {
    members: members({ ownerReferences: { items: reference }, managedFields: { items: recorded(mapping) } }),
  };
  const fields: Fields = {
    mapping,
    apiVersion,
    group,
    groups: { items: group },
    reference,
    typedReference: { members: members({ apiGroup: group }) },
    groupKind: { members: members({ group }) },
    metadata,
    anywhere: anywhere({ apiVersion, apiGroup: group, metadata }),
    message: { text: (text) => swapMessage(mapping, text), textLimit: HOLD_LIMIT / 2 },
  };
  made.set(mapping, fields);
  return fields;
}

/** What a manager of fields wrote an object as: it names no object and gives no permission, so it is never refused. */
function recorded(mapping: GroupMapping): Shape {
  const swap = (text: string): string => mapping.swapApiVersion(text);
  const text = mapping instanceof RefusingMapping ? (written: string) => mapping.leniently(() => swap(written)) : swap;
  return { members: members({ apiVersion: { text } }) };
}

/** Maps of strings whose keys are the users': a label may be called apiGroup. */
const USERS_MAPS = [
  'labels',
  'annotations',
  'matchLabels',
  'nodeSelector',
  'fieldsV1',
  'data',
  'stringData',
  'binaryData',
];

function anywhere(names: Readonly<Record<string, Shape>>): Shape {
  const shape: Shape = {};
  const below: Record<string, Shape> = {};
  for (const name of USERS_MAPS) below[name] = UNTOUCHED;
  for (const [name, field] of Object.entries(names)) {
    // A schema declares properties of these names: there they are objects, which are gone through as any other.
    below[name] = name === 'metadata' ? field : { ...field, others: shape, items: shape };
  }
  const all = members(below);
  for (const field of Object.values(below)) if (field.others === shape) field.members = all;
  return Object.assign(shape, { members: all, others: shape, items: shape });
}

/** The same shape with more members. */
export function withMembers(shape: Shape, more: Readonly<Record<string, Shape>>): Shape {
  return { ...shape, members: new Map([...(shape.members ?? []), ...Object.entries(more)]) };
}
