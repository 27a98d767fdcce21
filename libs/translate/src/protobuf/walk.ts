import { isUtf8 } from 'node:buffer';
import { NAMED_AFTER_GROUPS } from './places.js';
import type { Edits } from './edits.js';
import type { FieldPlan, MessagePlan } from './plan.js';
import { DELIMITED, WireReader } from './wire.js';

/** Part of a body. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a walk over a body needs to know besides the plan. */
export interface Walk {
  readonly bytes: Buffer;
  readonly edits: Edits;
  /** Shorter strings are never changed. */
  readonly shortestText: number;
  /** An object within the object; gives by how much it grows. */
  readonly embedded: (span: Span) => number;
}

/** Walks over a message and notes what is to change in it; gives by how much it grows. */
export function walkMessage(walk: Walk, { start, end }: Span, plan: MessagePlan): number {
  const reader = new WireReader(walk.bytes);
  reader.at = start;
  let growth = 0;
  while (reader.at < end) {
    reader.field(end);
    const field = plan.fields[reader.number];
    if (field === undefined || reader.wire !== DELIMITED) continue;
    if (field.telling !== undefined && !isNamedAfterGroup(walk.bytes, { start, end }, field.telling)) continue;
    growth += walkField(walk, reader, field);
  }
  return growth;
}

function walkField(walk: Walk, reader: WireReader, field: FieldPlan): number {
  const { start, lengthAt, contentAt, at: end } = reader;
  const content: Span = { start: contentAt, end };
  if (field.isHidden?.(nameIn(walk.bytes, content)) === true) return walk.edits.remove(start, end);
  const isText = field.text !== undefined;
  if (isText && end - contentAt < walk.shortestText) return 0;
  if (field.isHiddenText?.(walk.bytes.toString('utf8', contentAt, end)) === true) return walk.edits.remove(start, end);
  const place = walk.edits.beginMessage();
  let growth = 0;
  if (field.text !== undefined) growth = changeText(walk, content, field.text);
  else if (field.message !== undefined) growth = walkMessage(walk, content, field.message);
  else if (field.isEmbedded === true) growth = walk.embedded(content);
  return walk.edits.endMessage(place, { lengthAt, contentAt, end }, growth);
}

function changeText({ bytes, edits }: Walk, { start, end }: Span, change: (text: string) => string): number {
  const text = bytes.toString('utf8', start, end);
  const changed = change(text);
  // What is no text does not come back from being read as one.
  if (changed === text || !isUtf8(bytes.subarray(start, end))) return 0;
  return edits.replace(start, end, Buffer.from(changed));
}

/** Every field that the numbers lead to, in its order. */
function eachAt(bytes: Buffer, { start, end }: Span, path: readonly number[], visit: (span: Span) => void): void {
  const [number, ...rest] = path;
  const reader = new WireReader(bytes);
  reader.at = start;
  while (reader.at < end) {
    reader.field(end);
    if (reader.number !== number || reader.wire !== DELIMITED) continue;
    const content: Span = { start: reader.contentAt, end: reader.at };
    if (rest.length === 0) visit(content);
    else eachAt(bytes, content, rest, visit);
  }
}

/** The last field that the numbers lead to: the one that counts where there are several. */
export function lastAt(bytes: Buffer, span: Span, path: readonly number[]): Span | undefined {
  let last: Span | undefined;
  eachAt(bytes, span, path, (found) => (last = found));
  return last;
}

/** The last string that the numbers lead to. */
export function textAt(bytes: Buffer, span: Span, path: readonly number[]): string {
  const found = lastAt(bytes, span, path);
  return found === undefined ? '' : bytes.toString('utf8', found.start, found.end);
}

/** The name in the metadata of an object. */
export function nameIn(bytes: Buffer, object: Span): string {
  return textAt(bytes, object, [1, 1]);
}

function isNamedAfterGroup(bytes: Buffer, message: Span, path: readonly number[]): boolean {
  let isNamed = false;
  eachAt(bytes, message, path, ({ start, end }) => {
    const [resource = ''] = bytes.toString('utf8', start, end).split('/', 1);
    isNamed ||= NAMED_AFTER_GROUPS.has(resource);
  });
  return isNamed;
}
