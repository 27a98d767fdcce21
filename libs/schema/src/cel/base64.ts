/** Base64 as the `byte` format of schemas reads it: the URL alphabet, padded, line breaks ignored. */

const shape = /^(?:[\w-]{4})*(?:[\w-]{2}==|[\w-]{3}=)?$/;

/** The bytes, or the index of the first character that does not belong. */
export function base64Decode(text: string): Uint8Array | number {
  const plain = text.replace(/[\r\n]/g, '');
  if (shape.test(plain)) {
    const bytes = atob(plain.replaceAll('-', '+').replaceAll('_', '/'));
    return Uint8Array.from(bytes, (char) => char.charCodeAt(0));
  }
  const bad = text.search(/[^\w\-\r\n]/);
  return bad === -1 ? text.length : bad;
}
