/** A percent sign that starts no escape, or a byte that should have been one. Neither is in a well-formed target. */
const SUSPECT = /%(?![0-9A-Fa-f]{2})|[^\x21-\x7e]/;
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;

/**
 * The request line's target as path and query, or undefined when its path cannot be read. Queries are never refused
 * here: the API itself says what it thinks of them.
 */
export function readTarget(raw: string): string | undefined {
  if (raw.charCodeAt(0) === 0x2f && !SUSPECT.test(raw)) return raw;
  const target = relative(raw);
  if (target === undefined) return undefined;
  const query = target.indexOf('?');
  if (BAD_ESCAPE.test(query < 0 ? target : target.slice(0, query))) return undefined;
  // Node reads the line as Latin-1: each such character is one raw byte of what is usually UTF-8.
  return target.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** The absolute form a proxy's client sends, without its authority. */
function relative(raw: string): string | undefined {
  if (raw.startsWith('/')) return raw;
  const absolute = /^https?:\/\/[^/?#]+/i.exec(raw);
  if (absolute === null) return undefined;
  const rest = raw.slice(absolute[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
