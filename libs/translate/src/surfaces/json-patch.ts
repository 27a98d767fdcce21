import { TranslationError } from '../errors.js';
import { JsonRewriter } from '../json/rewriter.js';
import type { Shape } from '../json/shape.js';
import { members, UNTOUCHED } from '../json/shape.js';
import type { Surface } from './surface.js';

interface Operation {
  readonly op?: unknown;
  readonly path?: unknown;
  readonly from?: unknown;
  readonly value?: unknown;
}

/** Whatever servers take for the place of an element: they count from the end too, and do not mind signs and zeros. */
const INDEX = /^(?:-|[+-]?[0-9]+)$/;

/** A JSON patch: values are translated by the field that they land on, and pointers where they go through keys that carry groups. */
export function rewriteJsonPatch(patch: Uint8Array, surface: Surface): Uint8Array {
  const rewriter = new JsonRewriter(jsonPatchShape(readOperations(patch), surface));
  return Buffer.concat([...rewriter.push(patch), ...rewriter.end()]);
}

/** What is no patch is for the server to refuse. */
function readOperations(patch: Uint8Array): readonly unknown[] {
  try {
    const operations: unknown = JSON.parse(Buffer.from(patch).toString());
    return Array.isArray(operations) ? operations : [];
  } catch {
    return [];
  }
}

/** The shape of one patch: an operation may say its value before its path, so the operations must be known. */
function jsonPatchShape(operations: readonly unknown[], surface: Surface): Shape {
  return { sequence: operations.map((operation) => operationShape((operation ?? {}) as Operation, surface)) };
}

function operationShape({ op, path, from, value }: Operation, surface: Surface): Shape {
  if (typeof path !== 'string') return UNTOUCHED;
  const segments = splitPointer(path);
  if ((op === 'copy' || op === 'move') && typeof from === 'string') refuseCrossing(surface, op, { from, path });
  const document = surface.forDocument?.(nested(segments, value)) ?? surface.object;
  const landed = walk(document, segments);
  const pointer: Shape = { text: (text) => (text === path ? landed.pointer : text) };
  const source: Shape = { text: (text) => (text === from ? walk(surface.object, splitPointer(text)).pointer : text) };
  return { members: members({ value: alone(landed.shape), path: pointer, from: source }) };
}

/**
 * What is copied within an object is not seen: between a place where groups are renamed and one where they are not, it
 * would come to name another group.
 */
function refuseCrossing(surface: Surface, op: string, { from, path }: { from: string; path: string }): void {
  const source = walk(surface.object, splitPointer(from));
  const target = walk(surface.object, splitPointer(path));
  const isAlike = source.shape === target.shape || (isUntouched(source.shape) && isUntouched(target.shape));
  if (isAlike && !source.dependsOnSiblings && !target.dependsOnSiblings) return;
  throw new TranslationError(
    'HIDDEN',
    `${op} from ${JSON.stringify(from)} to ${JSON.stringify(path)} leads from where API groups are translated to where they are not, or back: write the value with add or replace`,
  );
}

/** Whether nothing there, or below, is translated. */
const isUntouched = (shape: Shape): boolean => Object.keys(shape).length === 0;

const values = new WeakMap<Shape, Shape>();

/** The shape of the value alone: it decides nothing about the operation around it. */
function alone(shape: Shape): Shape {
  if (shape.decide === undefined && shape.choose === undefined) return shape;
  let value = values.get(shape);
  if (value === undefined) values.set(shape, (value = { ...shape, decide: undefined, choose: undefined }));
  return value;
}

const splitPointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));

const escape = (segment: string): string => segment.replaceAll('~', '~0').replaceAll('/', '~1');

interface Walked {
  readonly shape: Shape;
  /** With its keys renamed. */
  readonly pointer: string;
  /** What is translated there depends on sibling members, which the patch does not show. */
  readonly dependsOnSiblings: boolean;
}

/** The place a pointer leads to. */
function walk(document: Shape, segments: readonly string[]): Walked {
  let shape = document;
  let pointer = '';
  let dependsOnSiblings = false;
  for (const segment of segments) {
    pointer += `/${escape(shape.keys?.(segment) ?? segment)}`;
    const inner = below(shape, segment);
    dependsOnSiblings ||= inner === UNTOUCHED && isChosen(shape);
    shape = inner;
  }
  return {
    shape,
    pointer,
    dependsOnSiblings: dependsOnSiblings || (segments.length > 0 && shape.items?.choose !== undefined),
  };
}

/** Whether a member decides the shape of its siblings. */
function isChosen({ members: named }: Shape): boolean {
  return [...(named?.values() ?? [])].some(({ choose, items }) => choose !== undefined || items?.choose !== undefined);
}

function below({ items, sequence, members: named, others }: Shape, segment: string): Shape {
  const isElement = INDEX.test(segment) && (items !== undefined || sequence !== undefined);
  const shape = isElement ? (sequence?.[0] ?? items) : (named?.get(segment) ?? others);
  return shape ?? UNTOUCHED;
}

/** A document in which only that value is. */
function nested(segments: readonly string[], value: unknown): unknown {
  return segments.reduceRight<unknown>(
    (inner, segment) => (INDEX.test(segment) ? [inner] : { [segment]: inner }),
    value,
  );
}
