/** An object as JSON or YAML text, ending in a line break. */
export async function formatObject(value: unknown, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${await jsonOf(value)}\n`;
  const { stringify } = await import('yaml');
  // No anchors: an object that stands in two places is written twice, since not every reader follows aliases.
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
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
