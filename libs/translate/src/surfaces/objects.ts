import type { Shape } from '../json/shape.js';
import { members, UNTOUCHED } from '../json/shape.js';
import type { Fields } from './fields.js';
import { withMembers } from './fields.js';
import type { Surface } from './surface.js';

/** Values that users keep in Cluster API objects for other clusters to read, by kind: their paths are gone past. */
const LEFT_ALONE: Readonly<Record<string, readonly string[]>> = {
  ClusterClass: ['spec.patches.*.definitions.*.jsonPatches', 'spec.variables', 'status.variables'],
  Cluster: [
    'spec.topology.variables',
    'spec.topology.controlPlane.variables',
    'spec.topology.workers.machineDeployments.*.variables',
    'spec.topology.workers.machinePools.*.variables',
  ],
  // The catalogue of hooks has a group of its own that no server serves.
  ExtensionConfig: ['status.handlers.*.requestHook'],
};

const KIND_OF_RESOURCE: ReadonlyMap<string, string> = new Map([
  ['clusterclasses', 'ClusterClass'],
  ['clusters', 'Cluster'],
  ['extensionconfigs', 'ExtensionConfig'],
]);

/** A built-in object of which only the metadata can speak of other groups. */
export function plainObject({ apiVersion, metadata }: Fields): Surface {
  return { object: { members: members({ apiVersion, metadata }) } };
}

/** A custom object: references anywhere in it. */
export function customObject(fields: Fields, resource: string): Surface {
  return { object: ofKind(fields, KIND_OF_RESOURCE.get(resource)) };
}

/** Any object within another: its kind decides what is left alone in it. */
export function embeddedObject(fields: Fields): Shape {
  let object = embedded.get(fields);
  if (object === undefined) embedded.set(fields, (object = makeEmbedded(fields)));
  return object;
}

const embedded = new WeakMap<Fields, Shape>();

function makeEmbedded(fields: Fields): Shape {
  const object = ofKind(fields, undefined);
  const byKind = new Map(Object.keys(LEFT_ALONE).map((kind) => [kind, ofKind(fields, kind)]));
  return withMembers(object, { kind: { choose: (kind) => byKind.get(kind) } });
}

function ofKind({ apiVersion, metadata, anywhere }: Fields, kind: string | undefined): Shape {
  let object: Shape = { members: members({ apiVersion, metadata }), others: anywhere };
  for (const path of LEFT_ALONE[kind ?? ''] ?? []) object = leaveAlone(object, path.split('.'));
  return object;
}

/** The same shape, but for one path below it. */
function leaveAlone(shape: Shape, [first, ...rest]: readonly string[]): Shape {
  if (first === undefined) return UNTOUCHED;
  if (first === '*') return { ...shape, items: leaveAlone(shape.items ?? UNTOUCHED, rest) };
  const below = shape.members?.get(first) ?? shape.others ?? UNTOUCHED;
  return withMembers(shape, { [first]: leaveAlone(below, rest) });
}

/** An object with places of its own, by path: `*` is every element of a list. */
export function objectWith(fields: Fields, places: Readonly<Record<string, Shape>>): Surface {
  let { object } = plainObject(fields);
  for (const [path, shape] of Object.entries(places)) object = place(object, path.split('.'), shape);
  return { object };
}

function place(shape: Shape, [first, ...rest]: readonly string[], what: Shape): Shape {
  if (first === undefined) return what;
  if (first === '*') return { ...shape, items: place(shape.items ?? {}, rest, what) };
  return withMembers(shape, { [first]: place(shape.members?.get(first) ?? {}, rest, what) });
}
