import type { Edits } from './edits.js';
import type { FieldPlan, MessagePlan, KindField } from './plan.js';
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
  /** Shared by all messages: save the position before descending into one. */
  readonly reader: WireReader;
  /** Shorter strings are never changed. */
  readonly shortestText: number;
  /** An object within the object; gives by how much it grows. */
  readonly embedded: (span: Span) => number;
}

/** Walks over a message and notes what is to change in it; gives by how much it grows. */
export function walkMessage(walk: Walk, start: number, end: number, plan: MessagePlan): number {
  const { reader } = walk;
  const { fields } = plan;
  let growth = 0;
  reader.at = start;
  while (reader.at < end) {
    reader.field(end);
    const field = reader.wire === DELIMITED ? fields[reader.number] : undefined;
    if (field === undefined) continue;
    const next = reader.at;
    if (field.kindField === undefined || isNamedAfterGroup(walk.bytes, { start, end }, field.kindField))
      growth += walkField(walk, field);
    reader.at = next;
  }
  return growth;
}

/** The field that was just read. */
function walkField(walk: Walk, field: FieldPlan): number {
  const { edits, reader } = walk;
  const { start, lengthAt, contentAt, at: end } = reader;
  if (field.text !== undefined) {
    if (end - contentAt < walk.shortestText) return 0;
    const text = walk.bytes.toString('latin1', contentAt, end);
    if (field.isHiddenText?.(text) === true) return edits.remove(start, end);
    const changed = field.text(text);
    if (changed === text) return 0;
    return edits.lengthen({ lengthAt, contentAt, end }, edits.replace(contentAt, end, Buffer.from(changed, 'latin1')));
  }
  if (field.isHidden?.(nameIn(walk.bytes, { start: contentAt, end })) === true) return edits.remove(start, end);
  const growth =
    field.message === undefined
      ? walk.embedded({ start: contentAt, end })
      : walkMessage(walk, contentAt, end, field.message);
  return edits.lengthen({ lengthAt, contentAt, end }, growth);
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

function isNamedAfterGroup(bytes: Buffer, message: Span, { path, names }: KindField): boolean {
  let isNamed = false;
  eachAt(bytes, message, path, ({ start, end }) => {
    const [resource = ''] = bytes.toString('utf8', start, end).split('/', 1);
    isNamed ||= names.has(resource);
  });
  return isNamed;
}
