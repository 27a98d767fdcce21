/** An object as JSON or YAML text, ending in a line break. */
export async function formatObject(value: unknown, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${JSON.stringify(value, null, 2)}\n`;
  const { stringify } = await import('yaml');
  return stringify(value, { lineWidth: 0 });
}
