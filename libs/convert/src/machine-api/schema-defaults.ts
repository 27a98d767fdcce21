/** What a server fills in where a field is absent. */
import type { JsonSchema } from '@capstan/api/model';
import type { JsonObject } from '@capstan/meta';
import { isRecord } from '../engine/path.js';

/** The value as a server would store it: an absent field with a default is the same as the default. */
export function withDefaults(value: unknown, schema: JsonSchema | undefined): unknown {
  if (schema === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => withDefaults(item, schema.items as JsonSchema | undefined));
  if (!isRecord(value)) return value;
  const made: JsonObject = { ...value };
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const held = made[name] ?? inner.default;
    if (held !== undefined) made[name] = withDefaults(held, inner);
  }
  return made;
}
