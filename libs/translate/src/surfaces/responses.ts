import type { Shape } from '../json/shape.js';
import { members } from '../json/shape.js';
import type { Fields } from './fields.js';
import { withMembers } from './fields.js';
import { statusShape } from './status.js';
import type { Surface } from './surface.js';

/** What a response may hold. */
export interface Expected {
  readonly isList: boolean;
  readonly isWatch: boolean;
  /** The client takes tables. */
  readonly isTable: boolean;
}

/** The body of a response about objects: one, a list, a table, a Status, or a stream of events. */
export function responseShape(fields: Fields, surface: Surface, { isList, isWatch, isTable }: Expected): Shape {
  const status = statusShape(fields, surface);
  if (!isWatch)
    return chosenByKind(isList ? listShape(fields, surface) : surface.object, {
      status,
      table: isTable ? tableShape(surface) : undefined,
    });
  const object = shown(surface);
  const event = chosenByKind(object, { status: undefined, table: isTable ? tableShape(surface) : undefined });
  const failed: Shape = { members: members({ object: status }) };
  const isHiding = surface.decideByName !== undefined;
  return {
    filtered: isHiding,
    members: members({
      type: {
        // A bookmark has no name to decide by, and an informer waits for it.
        decide: isHiding ? (type) => (type === 'BOOKMARK' || type === 'ERROR' ? 'keep' : undefined) : undefined,
        choose: (type) => (type === 'ERROR' ? failed : undefined),
      },
      object: event,
    }),
  };
}

/** Status and Table have their kind first; everything else is the kind of the route. */
function chosenByKind(shape: Shape, { status, table }: { status: Shape | undefined; table: Shape | undefined }): Shape {
  const choose = (kind: string): Shape | undefined =>
    kind === 'Status' ? status : kind === 'Table' ? table : undefined;
  return withMembers(shape, { kind: { ...shape.members?.get('kind'), choose } });
}

function listShape({ apiVersion }: Fields, surface: Surface): Shape {
  return {
    members: members({
      apiVersion,
      items: { items: { ...shown(surface), filtered: surface.decideByName !== undefined } },
    }),
  };
}

/** The rows of a table: the name is the first cell, and the object may be left out. */
function tableShape(surface: Surface): Shape {
  const { decideByName, swapName } = surface;
  const name: Shape = { text: swapName, decide: decideByName };
  const cells = swapName === undefined ? {} : { cells: { sequence: [name] } };
  const row: Shape = { filtered: decideByName !== undefined, members: members({ ...cells, object: shown(surface) }) };
  return { members: members({ rows: { items: row } }) };
}

/** An object that is left out by its name. */
function shown({ object, decideByName }: Surface): Shape {
  if (decideByName === undefined) return object;
  const metadata = object.members?.get('metadata') ?? {};
  const name: Shape = { ...metadata.members?.get('name'), decide: decideByName };
  return withMembers(object, { metadata: withMembers(metadata, { name }) });
}
