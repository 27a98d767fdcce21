import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import type { EncodedObject, StoreEvent } from '@capstan/apiserver';
import { CliError } from '../errors.js';

/** The layout of the records below; a reader refuses every other one. */
export const DATA_FORMAT = 1;

/**
 * One step of a batch. Keys order objects as lists do: `o`, the resource, a zero byte, then `namespace/name` as in etcd.
 */
export type Operation =
  | { readonly type: 'put'; readonly key: Buffer; readonly value: Buffer }
  | { readonly type: 'del'; readonly key: Buffer };

/** What is known of the whole; written in the batch of every change, so that it always speaks of what is there. */
export interface Summary {
  /** Of the last write. */
  readonly revision: number;
  /** No revision above this one can have been seen by anybody, whatever became of the process. */
  readonly ceiling: number;
  readonly objects: number;
  /** Of the revisions of all objects, modulo 2^48: a lost batch shows. */
  readonly sum: number;
}

/** The summary of nothing. */
export const EMPTY: Summary = { revision: 1, ceiling: 1, objects: 0, sum: 0 };

/** Writes under way when the disk fails may be read before they are kept; their revisions must not come again. */
const HEADROOM = 100_000;
const SUM_MODULUS = 2 ** 48;
/** A checksum of 4 bytes and a revision of 6. */
const HEADER = 10;
const CHECKED = 4;
const REVISION_BYTES = 6;
/** Where the summary is. */
export const SUMMARY_KEY = Buffer.from('s');
const OBJECT_PREFIX = 'o';

/** The stored state contradicts itself. */
export class DamagedData extends CliError {
  override readonly name = 'DamagedData';

  constructor(detail: string, options?: { readonly cause?: unknown; readonly otherwise?: string }) {
    const otherwise = options?.otherwise === undefined ? '' : `; ${options.otherwise}`;
    super(
      `the stored data is damaged: ${detail}`,
      `restore the whole directory from a backup, or name another with --data${otherwise}`,
      options,
    );
  }
}

/** The steps that make the events durable, and the summary after them. */
export function batchOf(before: Summary, events: readonly StoreEvent[]): { operations: Operation[]; after: Summary } {
  let { objects, sum, revision } = before;
  const operations: Operation[] = [];
  for (const event of events) {
    const { type, current, previous } = event;
    revision = event.revision;
    sum -= previous?.revision ?? 0;
    const key = keyOf(current);
    if (type === 'delete') {
      objects--;
      operations.push({ type: 'del', key });
    } else {
      if (type === 'create') objects++;
      sum += revision;
      operations.push({ type: 'put', key, value: valueOf(key, revision, current.bytes()) });
    }
  }
  sum = ((sum % SUM_MODULUS) + SUM_MODULUS) % SUM_MODULUS;
  const after: Summary = { revision, ceiling: revision + HEADROOM, objects, sum };
  operations.push(summaryOperation(after));
  return { operations, after };
}

/** Writes the summary alone. */
export function summaryOperation(summary: Summary): Operation {
  const text = Buffer.from(JSON.stringify({ format: DATA_FORMAT, ...summary }));
  return { type: 'put', key: SUMMARY_KEY, value: valueOf(SUMMARY_KEY, summary.revision, text) };
}

/** The summary in the value of its record. */
export function summaryIn(value: Buffer): Summary {
  return JSON.parse(value.subarray(HEADER).toString('utf8')) as Summary;
}

/** Collects what was stored, record by record, and checks each and the whole. */
export class StateReader {
  readonly objects: EncodedObject[] = [];
  #summary: Summary | undefined;
  #sum = 0;
  readonly #last: [resource: string, namespace: string] = ['', ''];

  read(key: Buffer, value: Buffer): void {
    const revision = checkedRevision(key, value);
    const bytes = value.subarray(HEADER);
    if (key.equals(SUMMARY_KEY)) {
      this.#summary = summaryIn(value);
      return;
    }
    const text = key.toString('utf8');
    const resourceEnd = text.indexOf('\0');
    const namespaceEnd = text.indexOf('/', resourceEnd);
    if (!text.startsWith(OBJECT_PREFIX) || resourceEnd < 0 || namespaceEnd < 0)
      throw new DamagedData(`it has a record ${JSON.stringify(text)}`);
    const resource = this.#shared(0, text.slice(OBJECT_PREFIX.length, resourceEnd));
    const namespace = this.#shared(1, text.slice(resourceEnd + 1, namespaceEnd));
    this.objects.push({ resource, namespace, name: text.slice(namespaceEnd + 1), revision, bytes });
    this.#sum = (this.#sum + revision) % SUM_MODULUS;
  }

  /** Neighbours have the same resource and mostly the same namespace: one text will do for all of them. */
  #shared(place: 0 | 1, text: string): string {
    if (this.#last[place] !== text) this.#last[place] = text;
    return this.#last[place];
  }

  /** The summary, once everything was read; that of nothing only where nothing was ever written. */
  finish(isBegun: boolean): Summary {
    const { objects } = this;
    if (this.#summary === undefined) {
      if (isBegun || objects.length > 0) throw new DamagedData('its summary is missing');
      return EMPTY;
    }
    const { revision, ceiling, objects: count, sum } = this.#summary;
    if (count !== objects.length) throw new DamagedData(`it has ${objects.length} objects where ${count} were stored`);
    if (sum !== this.#sum) throw new DamagedData('it has objects that are older than what was stored last');
    return { revision, ceiling, objects: count, sum };
  }
}

function keyOf({ resource, namespace, name }: Pick<StoreEvent, 'resource' | 'namespace' | 'name'>): Buffer {
  return Buffer.from(`${OBJECT_PREFIX}${resource}\0${namespace}/${name}`);
}

function valueOf(key: Buffer, revision: number, bytes: Uint8Array): Buffer {
  const value = Buffer.allocUnsafe(HEADER + bytes.length);
  value.writeUIntBE(revision, CHECKED, REVISION_BYTES);
  value.set(bytes, HEADER);
  value.writeUInt32BE(checksum(key, value), 0);
  return value;
}

function checkedRevision(key: Buffer, value: Buffer): number {
  if (value.length < HEADER || value.readUInt32BE(0) !== checksum(key, value))
    throw new DamagedData(`the checksum of ${JSON.stringify(key.toString('utf8'))} is wrong`);
  return value.readUIntBE(CHECKED, REVISION_BYTES);
}

/** Over the key too: a value under a wrong key is no better than a wrong value. */
function checksum(key: Buffer, value: Buffer): number {
  return crc32(value.subarray(CHECKED), crc32(key));
}
