const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** What a string between quotes says; undefined when it is no string of JSON, and then nobody's business. */
export function readText(raw: Uint8Array, hasEscapes: boolean): string | undefined {
  try {
    if (!hasEscapes) return decoder.decode(raw.subarray(1, -1));
    const value: unknown = JSON.parse(decoder.decode(raw));
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A string between quotes. */
export function writeText(text: string): Uint8Array {
  return encoder.encode(JSON.stringify(text));
}
