import { minOf } from '@capstan/meta';
import { TranslationError } from '../errors.js';
import type { GroupMapping } from '../groups/mapping.js';
import { RefusingMapping } from '../groups/mapping.js';
import { Signs } from '../groups/signs.js';
import type { TextChange } from '../json/shape.js';
import { swapQuotaKey } from '../surfaces/quotas.js';
import { Edits } from './edits.js';
import type { Direction, ProtobufRoute } from './naming.js';
import { KindPlans } from './kinds.js';
import type { FieldPlan, MessagePlan } from './plan.js';
import type { Span, Walk } from './walk.js';
import { WireReader } from './wire.js';
import { lastAt, nameIn, textAt, walkMessage } from './walk.js';

/** What every body begins with: `k8s` and a zero byte. */
const MAGIC = Buffer.from('k8s\0', 'latin1');
/** Objects in objects in objects: no client has more. */
const DEEPEST_EMBEDDING = 8;
const OPEN_OBJECT = 0x7b;
const TYPE_META = 1;
const RAW = 2;
/** The numbers of the metadata in every object, and of the UID in it. */
const OBJECT_META = 1;
const UID = 5;

/** What a translation of protobuf bodies takes from the others. */
export interface ProtobufOptions {
  readonly mapping: GroupMapping;
  /** In responses the platform's own CRDs are left out, in requests private ones refused. Default: neither. */
  readonly direction?: Direction | undefined;
  /** What becomes of a message of a Status. Default: nothing. */
  readonly message?: TextChange | undefined;
  /** What becomes of an object that is embedded as JSON. Default: nothing. */
  readonly json?: ((bytes: Uint8Array) => Uint8Array) | undefined;
}

/**
 * Renames groups in protobuf bodies of built-in kinds, on the wire: strings at their places are exchanged, the lengths
 * of what is around them corrected, and every other byte is as it was.
 */
export class ProtobufTranslator {
  readonly #plans: KindPlans;
  readonly #typeMeta: FieldPlan;
  readonly #event: MessagePlan = {
    fields: [undefined, undefined, { message: { fields: [undefined, { isEmbedded: true }] } }],
  };
  readonly #signs: Signs;
  readonly #shortestText: number;
  readonly #json: ProtobufOptions['json'];

  constructor({ mapping, direction, message, json }: ProtobufOptions) {
    const apiVersion: TextChange = (text) => mapping.swapApiVersion(text);
    const group: TextChange = (text) => mapping.swap(text);
    const changes = {
      apiVersion,
      group,
      allowedGroup: group,
      recordedVersion: mapping instanceof RefusingMapping ? leniently(mapping, apiVersion) : apiVersion,
      name: (text: string) => mapping.swapAfterDot(text),
      quotaKey: (text: string) => swapQuotaKey(mapping, text),
      message: message ?? ((text: string) => text),
    };
    this.#plans = new KindPlans(mapping, changes, direction);
    this.#typeMeta = { message: { fields: [undefined, { text: apiVersion }] } };
    this.#signs = new Signs(mapping);
    this.#shortestText = minOf(mapping.needles.map((needle) => needle.length));
    this.#json = json;
  }

  /**
   * A whole body. The very same bytes come back when nothing is renamed, and for what is no body of this kind.
   * Throws a TranslationError for one that names a group and cannot be read.
   */
  body(bytes: Uint8Array, route?: ProtobufRoute): Uint8Array {
    const buffer = asBuffer(bytes);
    if (!isEnvelope(buffer, 0, buffer.length) || !this.#signs.areIn(buffer)) return bytes;
    const walk = this.#walk(buffer, route, 0);
    walk.embedded({ start: 0, end: buffer.length });
    return walk.edits.size === 0 ? bytes : walk.edits.apply(buffer);
  }

  /** An event of a watch, without its length; undefined for one that is left out. */
  event(bytes: Uint8Array, route?: ProtobufRoute): Uint8Array | undefined {
    const buffer = asBuffer(bytes);
    if (!this.#signs.areIn(buffer)) return bytes;
    const whole: Span = { start: 0, end: buffer.length };
    if (route !== undefined && this.#plans.isHidden(eventName(buffer, whole), route)) return undefined;
    const walk = this.#walk(buffer, route, 0);
    walkMessage(walk, 0, buffer.length, this.#event);
    return walk.edits.size === 0 ? bytes : walk.edits.apply(buffer);
  }

  #walk(bytes: Buffer, route: ProtobufRoute | undefined, depth: number): Walk {
    const edits = new Edits();
    return this.#walkAt(
      { bytes, edits, reader: new WireReader(bytes), shortestText: this.#shortestText },
      route,
      depth,
    );
  }

  #walkAt(base: Omit<Walk, 'embedded'>, route: ProtobufRoute | undefined, depth: number): Walk {
    return { ...base, embedded: (span) => this.#embedded(base, span, { route, depth }) };
  }

  #embedded(base: Omit<Walk, 'embedded'>, span: Span, at: Embedding): number {
    const { bytes, edits } = base;
    if (!isEnvelope(bytes, span.start, span.end)) {
      if (this.#json === undefined || bytes[span.start] !== OPEN_OBJECT) return 0;
      const before = bytes.subarray(span.start, span.end);
      const after = this.#json(before);
      return before.equals(after) ? 0 : edits.replace(span.start, span.end, after);
    }
    if (at.depth >= DEEPEST_EMBEDDING)
      throw new TranslationError(
        'UNSUPPORTED',
        `objects are embedded in each other more than ${DEEPEST_EMBEDDING} deep`,
      );
    const message: Span = { start: span.start + MAGIC.length, end: span.end };
    const plan = this.#envelope(bytes, message, at.route);
    return walkMessage(this.#walkAt(base, at.route, at.depth + 1), message.start, message.end, plan);
  }

  #envelope(bytes: Buffer, message: Span, route: ProtobufRoute | undefined): MessagePlan {
    const apiVersion = textAt(bytes, message, [TYPE_META, 1]);
    const kind = textAt(bytes, message, [TYPE_META, 2]);
    return { fields: [undefined, this.#typeMeta, { message: this.#plans.planOf(apiVersion, kind, route) }] };
  }
}

interface Embedding {
  readonly route: ProtobufRoute | undefined;
  readonly depth: number;
}

function leniently(mapping: RefusingMapping, change: TextChange): TextChange {
  return (text) => mapping.leniently(() => change(text));
}

/** Whether a body has the UID of its object. */
export function hasUid(bytes: Uint8Array): boolean {
  const buffer = asBuffer(bytes);
  return textAt(buffer, { start: MAGIC.length, end: buffer.length }, [RAW, OBJECT_META, UID]) !== '';
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isEnvelope(bytes: Buffer, start: number, end: number): boolean {
  return end - start > MAGIC.length && bytes.compare(MAGIC, 0, MAGIC.length, start, start + MAGIC.length) === 0;
}

/** The name of the object of an event; empty for a bookmark and for an error. */
function eventName(bytes: Buffer, event: Span): string {
  const object = lastAt(bytes, event, [2, 1]);
  if (object === undefined || !isEnvelope(bytes, object.start, object.end)) return '';
  const message = lastAt(bytes, { start: object.start + MAGIC.length, end: object.end }, [RAW]);
  return message === undefined ? '' : nameIn(bytes, message);
}
