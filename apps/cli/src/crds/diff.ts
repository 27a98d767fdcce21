import type { KubeObject } from '@capstan/meta';
import { formatObject } from '../output.js';
import { placeIn } from './pair.js';
import type { Pair } from './pair.js';

interface Versioned extends KubeObject {
  readonly spec: {
    readonly versions: readonly { readonly name: string; readonly schema?: { readonly openAPIV3Schema?: unknown } }[];
  };
}

/** How the schemas of the required versions differ, as `diff -u` prints it; descriptions do not count. */
export async function schemaDiff({ definition, requirement }: Pair): Promise<string> {
  const { createTwoFilesPatch } = await import('diff');
  const parts: string[] = [];
  for (const version of requirement.versions) {
    const before = await textOf(requirement.definition, version);
    const after = await textOf(definition.object as KubeObject, version);
    if (before === after) continue;
    const name = `${requirement.crdName}/${version}`;
    parts.push(
      createTwoFilesPatch(`${name} (required)`, `${name} (${placeIn(definition).source})`, before, after, '', ''),
    );
  }
  return parts.length === 0 ? '' : `\n${parts.join('')}`;
}

async function textOf(definition: KubeObject, version: string): Promise<string> {
  const found = (definition as Versioned).spec.versions.find(({ name }) => name === version);
  return found === undefined ? '' : formatObject(plain(found.schema?.openAPIV3Schema), 'yaml');
}

/** Without what people alone read, and in one order: only what means something is to show. */
function plain(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema)
    .filter(([key, value]) => key !== 'description' || typeof value !== 'string')
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, plain(value)]));
}
