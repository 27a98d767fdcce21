import { readFileSync, readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { kinds as apiextensions } from './apiextensions/index.js';
import { kinds as clusterApi } from './cluster-api/index.js';
import { kinds as config } from './config/index.js';
import { kinds as machine } from './machine/index.js';
import { Place } from './model/index.js';
import type { Kind, Schema } from './model/index.js';
import { kinds as operator } from './operator/index.js';

const groups: Readonly<Record<string, readonly Kind[]>> = {
  apiextensions,
  'cluster-api': clusterApi,
  config,
  machine,
  operator,
};

/** Calls back for every node of a kind, in every version, with its depth in properties. */
function walk(kind: Kind, visit: (place: Place, depth: number) => void): void {
  const below = (schema: Schema, at: Place, depth: number): void => {
    const place = at.within(schema);
    visit(place, depth);
    for (const [key, property] of Object.entries(schema.properties ?? {}))
      below(property, place.property(key), depth + 1);
    const inner = schema.items ?? schema.values;
    if (inner !== undefined) below(inner, place.element(), depth);
  };
  for (const { name, schema } of kind.versions) below(schema, Place.root(kind, name), 0);
}

/** The files of a folder under `api/src`, by their path in it. */
function sources(folder: string): string[] {
  const root = fileURLToPath(new URL(folder, import.meta.url));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => posix.join(folder, file.replaceAll('\\', '/')));
}

describe.each(Object.entries(groups))('the definitions of %s', (folder, kinds) => {
  it.each(kinds.map((kind) => [kind.kind, kind] as const))('say what %s and its fields mean', (_, kind) => {
    const silent = new Set<string>();
    walk(kind, (place, depth) => {
      // The kind itself, and what stands directly in its spec and status.
      const told = depth === 0 || depth === 2;
      const [key = ''] = place.keys();
      if (told && key !== '' && !key.includes('.metadata') && place.meaning() === undefined) silent.add(key);
    });
    expect([...silent]).toEqual([]);
  });

  it('say nothing about what is not there', () => {
    const known = new Set<string>();
    for (const kind of kinds) walk(kind, (place) => place.keys().forEach((key) => known.add(key)));
    const said = kinds.flatMap((kind) => Object.keys(kind.meanings ?? {}));
    expect([...new Set(said)].filter((key) => !known.has(key))).toEqual([]);
  });

  it('say it in whole sentences', () => {
    const said = kinds.flatMap((kind) => Object.values(kind.meanings ?? {}));
    expect([...new Set(said)].filter((text) => !/^[A-Z0-9`].*\.$/.test(text) || text.length > 160)).toEqual([]);
  });

  it('store exactly one version of each kind', () => {
    const wrong = kinds.filter((kind) => kind.versions.filter((each) => each.storage === true).length !== 1);
    expect(wrong.map((kind) => kind.kind)).toEqual([]);
  });

  it('load no other group', () => {
    const wrong = sources(folder).flatMap((file) => {
      const text = readFileSync(fileURLToPath(new URL(file, import.meta.url)), 'utf8');
      return [...text.matchAll(/from '([^']+)'/g)]
        .map((match) => posix.join(posix.dirname(file), match[1] ?? ''))
        .filter((path) => !path.startsWith(`${folder}/`) && path !== 'model/index.js')
        .map((path) => `${file} loads ${path}`);
    });
    expect(wrong).toEqual([]);
  });
});
