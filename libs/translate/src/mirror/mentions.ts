import type { JsonObject } from '@capstan/meta';
import type { GroupMapping } from '../groups/mapping.js';

/** A name that may be a group, as a word of its own. */
const WORD = /[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?/g;

/** Of a schema what only people read. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['description', 'title', 'example', 'externalDocs', 'message']);

/**
 * Places of schemas that name a group in a value the server acts on: a default, an enumeration, a pattern, a rule. What
 * is stored has the private name, and whether the text means that cannot be known: the installer is warned.
 */
export function mentionsOf(name: string, versions: readonly JsonObject[], mapping: GroupMapping): string[] {
  const found: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string') {
      const group = (value.match(WORD) ?? []).find((word) => mapping.side(word) !== undefined);
      if (group !== undefined) found.push(`${name}: ${path} names ${group}, and is left as it is`);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, below] of Object.entries(value)) {
        // A property may be called as a keyword is: then it has a schema and not a text.
        if (typeof below === 'string' && FOR_PEOPLE.has(key)) continue;
        visit(below, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
      }
    }
  };
  for (const { name: version, schema } of versions) visit(schema, String(version));
  return found;
}
