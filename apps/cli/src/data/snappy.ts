/** Reads a varint; gives it and where it ends. */
export function varint(bytes: Buffer, from: number): readonly [value: number, end: number] {
  let [value, at, scale] = [0, from, 1];
  for (;;) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at];
    scale *= 128;
  }
}

/** Unpacks what Snappy has packed. Its checksum must have been checked before: bytes that make no sense are not looked for. */
export function unpackSnappy(packed: Buffer): Buffer {
  const [length, begin] = varint(packed, 0);
  const out = Buffer.alloc(length);
  let [at, end] = [begin, 0];
  while (at < packed.length) {
    const tag = packed[at++] ?? 0;
    if ((tag & 3) === 0) {
      const more = Math.max(0, (tag >>> 2) - 59);
      const size = (more === 0 ? tag >>> 2 : packed.readUIntLE(at, more)) + 1;
      at += more;
      end += packed.copy(out, end, at, at + size);
      at += size;
      continue;
    }
    const { distance, size, taken } = copyOf(packed, tag, at);
    at += taken;
    // What is copied may overlap what it makes.
    for (const stop = end + size; end < stop; end++) out[end] = out[end - distance] ?? 0;
  }
  return out;
}

function copyOf(packed: Buffer, tag: number, at: number): { distance: number; size: number; taken: number } {
  if ((tag & 3) === 1)
    return { distance: ((tag >>> 5) << 8) | (packed[at] ?? 0), size: ((tag >>> 2) & 7) + 4, taken: 1 };
  const taken = (tag & 3) === 2 ? 2 : 4;
  return { distance: packed.readUIntLE(at, taken), size: (tag >>> 2) + 1, taken };
}
