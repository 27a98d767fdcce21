import { Buffer, isUtf8 } from 'node:buffer';
import type { Wall } from './syntax/reader.js';

/** A text, and what is found wrong with its bytes once it has been read so far. */
export interface YamlBytes {
  readonly text: string;
  readonly wall?: Wall;
}

/** The real server's reader takes its input in parts of so many bytes, and looks at each as a whole. */
const PART_BYTES = 512;

/** The text of a YAML body, up to the first byte that no reader takes. */
export function yamlBytes(bytes: Uint8Array): YamlBytes {
  const fault = isUtf8(bytes) && !hasControls(bytes) ? undefined : firstFault(bytes);
  if (fault === undefined) return { text: textOf(bytes) };
  const { at, words } = fault;
  const seen = textOf(bytes.subarray(0, startOfPart(bytes, at)));
  return { text: seen, wall: { at: seen.length, words } };
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8').decode(bytes);
}

/** A character that does not fit into a part is looked at with the next. */
function startOfPart(bytes: Uint8Array, at: number): number {
  let start = at - (at % PART_BYTES);
  while (start > 0 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}

function hasControls(bytes: Uint8Array): boolean {
  return CONTROL.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'));
}

const CONTROL = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const CONTROL_WORDS = 'control characters are not allowed';

interface Fault {
  readonly at: number;
  readonly words: string;
}

/** How long a sequence is by its first byte, and what the smallest character is that needs it. */
function sequenceAt(first: number): { readonly width: number; readonly smallest: number } | undefined {
  if (first < 0x80) return { width: 1, smallest: 0 };
  if ((first & 0xe0) === 0xc0) return { width: 2, smallest: 0x80 };
  if ((first & 0xf0) === 0xe0) return { width: 3, smallest: 0x800 };
  return (first & 0xf8) === 0xf0 ? { width: 4, smallest: 0x10000 } : undefined;
}

function firstFault(bytes: Uint8Array): Fault | undefined {
  for (let at = 0; at < bytes.length;) {
    const sequence = sequenceAt(bytes[at] ?? 0);
    const words = sequence === undefined ? 'invalid leading UTF-8 octet' : faultOf(bytes, at, sequence);
    if (words !== undefined) return { at, words };
    at += sequence?.width ?? 1;
  }
  return undefined;
}

function faultOf(
  bytes: Uint8Array,
  at: number,
  { width, smallest }: { readonly width: number; readonly smallest: number },
): string | undefined {
  const first = bytes[at] ?? 0;
  if (at + width > bytes.length) return 'incomplete UTF-8 octet sequence';
  let character = width === 1 ? first : first & (0xff >> (width + 1));
  for (const next of bytes.subarray(at + 1, at + width)) {
    if ((next & 0xc0) !== 0x80) return 'invalid trailing UTF-8 octet';
    character = (character << 6) | (next & 0x3f);
  }
  if (character < smallest) return 'invalid length of a UTF-8 sequence';
  const isSurrogate = character >= 0xd800 && character <= 0xdfff;
  if (isSurrogate || character > 0x10ffff) return 'invalid Unicode character';
  return width === 1 && CONTROL.test(String.fromCharCode(first)) ? CONTROL_WORDS : undefined;
}
