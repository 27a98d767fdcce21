/** The checksum of LevelDB's blocks; Node has another polynomial only. */
const POLYNOMIAL = 0x82f63b78;
const STEP = 8;

/** Table `n` moves a byte on by `n` bytes more, so that eight of them are taken at once. */
const TABLES: readonly Int32Array[] = tables();
const [T0, T1, T2, T3, T4, T5, T6, T7] = TABLES as readonly [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

function tables(): Int32Array[] {
  const made = Array.from({ length: STEP }, () => new Int32Array(256));
  const [first = new Int32Array(256)] = made;
  for (let byte = 0; byte < 256; byte++) {
    let sum = byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum & 1) === 1 ? (sum >>> 1) ^ POLYNOMIAL : sum >>> 1;
    first[byte] = sum;
  }
  for (let at = 1; at < STEP; at++)
    for (let byte = 0; byte < 256; byte++) {
      const before = made[at - 1]?.[byte] ?? 0;
      (made[at] ?? first)[byte] = (before >>> 8) ^ (first[before & 255] ?? 0);
    }
  return made;
}

/** CRC-32C of a part of some bytes. */
export function crc32c(bytes: Uint8Array, from: number, to: number): number {
  let sum = -1;
  let at = from;
  for (; at + STEP <= to; at += STEP) {
    const low =
      sum ^
      ((bytes[at] as number) |
        ((bytes[at + 1] as number) << 8) |
        ((bytes[at + 2] as number) << 16) |
        ((bytes[at + 3] as number) << 24));
    sum =
      (T7[low & 255] as number) ^
      (T6[(low >>> 8) & 255] as number) ^
      (T5[(low >>> 16) & 255] as number) ^
      (T4[low >>> 24] as number) ^
      (T3[bytes[at + 4] as number] as number) ^
      (T2[bytes[at + 5] as number] as number) ^
      (T1[bytes[at + 6] as number] as number) ^
      (T0[bytes[at + 7] as number] as number);
  }
  for (; at < to; at++) sum = (sum >>> 8) ^ (T0[(sum ^ (bytes[at] as number)) & 255] as number);
  return ~sum >>> 0;
}
