/** An object as JSON or YAML text, ending in a line break. */
export async function formatObject(value: unknown, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${await jsonOf(value)}\n`;
  const { stringify } = await import('yaml');
  return stringify(value, { lineWidth: 0 });
}

/** Indented JSON; integers beyond 2^53 keep all their digits. */
async function jsonOf(value: unknown): Promise<string> {
  try {
    return JSON.stringify(value, null, 2);
  } catch (error) {
    // The native encoder refuses bigint; the other is loaded for nothing else.
    if (!(error instanceof TypeError)) throw error;
    const { indentJson, stringifyJson } = await import('@capstan/meta');
    return indentJson(stringifyJson(value, { hasBigInt: true }));
  }
}
