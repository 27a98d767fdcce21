const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const PLAIN = /^[\u0020-\u007e]*$/;

/** The text of a quoted string; undefined when it is no JSON string, which is then left alone. */
export function readText(bytes: Buffer, from: number, to: number): string | undefined {
  const plain = bytes.toString('latin1', from + 1, to - 1);
  if (PLAIN.test(plain) && !plain.includes('\\')) return plain;
  try {
    const value: unknown = JSON.parse(decoder.decode(bytes.subarray(from, to)));
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
