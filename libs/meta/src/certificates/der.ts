/** A DER document, a PEM block or a certificate request that cannot be read. The message is Go's where Go has one. */
export class CertificateRequestError extends Error {
  override readonly name = 'CertificateRequestError';
}

/** One value as it lies in a DER document. */
export interface DerValue {
  readonly tag: number;
  /** Tag, length and content. */
  readonly whole: Uint8Array;
  readonly content: Uint8Array;
}

/** The values lying side by side in `bytes`. Throws on anything that is not well formed. */
export function readDer(bytes: Uint8Array): DerValue[] {
  const values: DerValue[] = [];
  let at = 0;
  while (at < bytes.length) {
    const value = readOne(bytes, at);
    values.push(value);
    at += value.whole.length;
  }
  return values;
}

function readOne(bytes: Uint8Array, at: number): DerValue {
  const tag = bytes[at];
  let length = bytes[at + 1];
  if (tag === undefined || length === undefined)
    throw new CertificateRequestError('asn1: syntax error: truncated tag or length');
  let head = 2;
  if (length >= 0x80) {
    const count = length & 0x7f;
    if (count === 0) throw new CertificateRequestError('asn1: syntax error: indefinite length found (not DER)');
    if (count > 4) throw new CertificateRequestError('asn1: structure error: length too large');
    length = 0;
    for (let index = 0; index < count; index += 1) length = length * 256 + (bytes[at + 2 + index] ?? 0);
    head += count;
  }
  const end = at + head + length;
  if (end > bytes.length) throw new CertificateRequestError('asn1: syntax error: data truncated');
  return { tag, whole: bytes.subarray(at, end), content: bytes.subarray(at + head, end) };
}
