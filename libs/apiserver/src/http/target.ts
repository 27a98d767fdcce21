const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/;

/**
 * The request line's target as path and query, or undefined when its path cannot be read. Queries are never refused
 * here: the API itself answers them.
 */
export function readTarget(raw: string): string | undefined {
  const target = relative(raw);
  if (target === undefined || !BAD_ESCAPE.test(target)) return target;
  const query = target.indexOf('?');
  return BAD_ESCAPE.test(query < 0 ? target : target.slice(0, query)) ? undefined : target;
}

/** The absolute form a proxy's client sends, without its authority. */
function relative(raw: string): string | undefined {
  if (raw.startsWith('/')) return raw;
  const absolute = /^https?:\/\/[^/?#]+/i.exec(raw);
  if (absolute === null) return undefined;
  const rest = raw.slice(absolute[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}
