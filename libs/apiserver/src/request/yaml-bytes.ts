import { isUtf8 } from 'node:buffer';
import { TypedDecodeError } from '../codec/index.js';

/** The text of a YAML body; bytes that are no text are refused in the words of the real server's reader. */
export function yamlText(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) refuseFirstFault(bytes);
  return new TextDecoder().decode(bytes);
}

/** How long a sequence is by its first byte, and what the smallest character is that needs it. */
function sequenceAt(first: number): { readonly width: number; readonly smallest: number } | undefined {
  if (first < 0x80) return { width: 1, smallest: 0 };
  if ((first & 0xe0) === 0xc0) return { width: 2, smallest: 0x80 };
  if ((first & 0xf0) === 0xe0) return { width: 3, smallest: 0x800 };
  return (first & 0xf8) === 0xf0 ? { width: 4, smallest: 0x10000 } : undefined;
}

function refuseFirstFault(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    const sequence = sequenceAt(first);
    if (sequence === undefined) throw new TypedDecodeError('yaml: invalid leading UTF-8 octet');
    const { width, smallest } = sequence;
    if (at + width > bytes.length) throw new TypedDecodeError('yaml: incomplete UTF-8 octet sequence');
    let character = width === 1 ? first : first & (0xff >> (width + 1));
    for (const next of bytes.subarray(at + 1, at + width)) {
      if ((next & 0xc0) !== 0x80) throw new TypedDecodeError('yaml: invalid trailing UTF-8 octet');
      character = (character << 6) | (next & 0x3f);
    }
    if (character < smallest) throw new TypedDecodeError('yaml: invalid length of a UTF-8 sequence');
    const isSurrogate = character >= 0xd800 && character <= 0xdfff;
    if (isSurrogate || character > 0x10ffff) throw new TypedDecodeError('yaml: invalid Unicode character');
    at += width;
  }
}
