import { isDeepStrictEqual } from 'node:util';
import type { Schema, SchemaFacts } from '@capstan/api/model';

/** One definition from a schema and the same schema as it is where a feature gate is on. */
export function mergeVariant(base: Schema, gate: string, other: Schema, path = ''): Schema {
  if (base.type !== other.type) throw new Error(`${path}: ${gate} changes the type`);
  if (base.optional !== other.optional) throw new Error(`${path}: ${gate} changes whether it is required`);
  const changed = changedFacts(base.facts, other.facts);
  const gatedFacts = changed === undefined ? base.gatedFacts : { ...base.gatedFacts, [gate]: changed };
  const properties = mergeProperties(base, gate, other, path);
  const items = mergeChild(base.items, gate, other.items, `${path}[]`);
  const values = mergeChild(base.values, gate, other.values, `${path}{}`);
  return {
    ...base,
    ...(gatedFacts === undefined ? {} : { gatedFacts }),
    ...(properties === undefined ? {} : { properties }),
    ...(items === undefined ? {} : { items }),
    ...(values === undefined ? {} : { values }),
  };
}

function mergeChild(
  base: Schema | undefined,
  gate: string,
  other: Schema | undefined,
  path: string,
): Schema | undefined {
  if (base === undefined && other === undefined) return undefined;
  if (base === undefined || other === undefined) throw new Error(`${path}: ${gate} changes what it holds`);
  return mergeVariant(base, gate, other, path);
}

function changedFacts(base: SchemaFacts, other: SchemaFacts): SchemaFacts | undefined {
  const keys = [...new Set([...Object.keys(base), ...Object.keys(other)])].toSorted();
  const changed = keys.filter((key) => !isDeepStrictEqual(base[key], other[key]));
  return changed.length === 0 ? undefined : Object.fromEntries(changed.map((key) => [key, other[key]]));
}

function mergeProperties(base: Schema, gate: string, other: Schema, path: string): Record<string, Schema> | undefined {
  const ours = base.properties ?? {};
  const theirs = other.properties ?? {};
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])].toSorted();
  if (keys.length === 0) return undefined;
  return Object.fromEntries(
    keys.map((key) => {
      const mine = ours[key];
      const added = theirs[key];
      if (added === undefined) {
        if (mine?.gate === undefined) throw new Error(`${path}.${key}: ${gate} takes it away`);
        return [key, mine];
      }
      if (mine === undefined) return [key, { ...added, gate }];
      if (mine.gate !== undefined) throw new Error(`${path}.${key}: both ${mine.gate} and ${gate} add it`);
      return [key, mergeVariant(mine, gate, added, `${path}.${key}`)];
    }),
  );
}
