import { readFileSync } from 'node:fs';
import { crc32c } from './crc32c.js';
import { unpackSnappy, varint } from './snappy.js';

/** Two handles, padding, and the magic number of the file type. */
const FOOTER = 48;
const MAGIC = 'db4775248b80fb57';
/** A byte for how the block is packed, and its checksum. */
const TRAILER = 5;
const SNAPPY = 1;
const MASK_DELTA = 0xa282ead8;

/** Where a block is. */
interface Handle {
  readonly offset: number;
  readonly size: number;
}

/**
 * Whether every block of a LevelDB table is as it was written. LevelDB checks that only on request, which our binding
 * cannot make, and ends the process over some blocks that are not.
 */
export function isTableSound(path: string): boolean {
  const bytes = readFileSync(path);
  const footer = bytes.length - FOOTER;
  if (footer < 0 || bytes.readBigUInt64LE(bytes.length - 8).toString(16) !== MAGIC) return false;
  const [others, next] = handleAt(bytes, footer);
  const [index] = handleAt(bytes, next);
  if (![others, index].every((handle) => isSound(bytes, handle))) return false;
  const handles = [...handlesIn(block(bytes, index)), ...handlesIn(block(bytes, others))];
  return handles.every((handle) => isSound(bytes, handle));
}

function handleAt(bytes: Buffer, at: number): readonly [handle: Handle, end: number] {
  const [offset, next] = varint(bytes, at);
  const [size, end] = varint(bytes, next);
  return [{ offset, size }, end];
}

function isSound(bytes: Buffer, { offset, size }: Handle): boolean {
  const end = offset + size;
  if (end + TRAILER > bytes.length - FOOTER) return false;
  return masked(crc32c(bytes, offset, end + 1)) === bytes.readUInt32LE(end + 1);
}

/** As LevelDB stores checksums: one over bytes that have one among them would be no good. */
function masked(sum: number): number {
  return (((sum >>> 15) | (sum << 17)) + MASK_DELTA) >>> 0;
}

function block(bytes: Buffer, { offset, size }: Handle): Buffer {
  const content = bytes.subarray(offset, offset + size);
  return bytes[offset + size] === SNAPPY ? unpackSnappy(content) : content;
}

/** The values of a block that lists blocks. */
function handlesIn(entries: Buffer): Handle[] {
  const restarts = entries.readUInt32LE(entries.length - 4);
  const end = entries.length - 4 - 4 * restarts;
  const found: Handle[] = [];
  for (let at = 0; at < end;) {
    const [, afterShared] = varint(entries, at);
    const [unshared, afterUnshared] = varint(entries, afterShared);
    const [length, afterLength] = varint(entries, afterUnshared);
    const value = afterLength + unshared;
    found.push(handleAt(entries, value)[0]);
    at = value + length;
  }
  return found;
}
