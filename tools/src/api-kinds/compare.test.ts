import { crd, int32, kind, object, optional, string } from '@capstan/api/model';
import type { JsonSchema } from '@capstan/api/model';
import { describe, expect, it } from 'vitest';

import { differences, fieldsOf } from './compare.js';
import type { PublishedCrd } from './draft/crd-file.js';
import { compareKind, unexpected } from './published.js';

const crate = kind({
  group: 'example.com',
  kind: 'Crate',
  plural: 'crates',
  scope: 'Namespaced',
  meanings: { Crate: 'A box.' },
  versions: [
    {
      name: 'v1',
      storage: true,
      columns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }],
      schema: object({ spec: object({ count: optional(int32()), size: string({ enum: ['S', 'L'] }) }) }),
    },
  ],
});

/** What upstream might publish, changed by the test. */
function published(change: (crd: PublishedCrd, spec: JsonSchema) => void): PublishedCrd {
  const copy = structuredClone(crd(crate)) as unknown as PublishedCrd;
  const spec = copy.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'] ?? {};
  change(copy, spec);
  return copy;
}

describe('the comparison with published definitions', () => {
  it('finds no fault with the same definition in other words', () => {
    const same = published((copy, spec) => {
      spec.description = 'Other words.';
      Object.assign(copy.spec.versions[0]?.additionalPrinterColumns?.[0] ?? {}, { description: 'Other words.' });
    });
    expect(compareKind([crate], same, [])).toEqual([]);
  });

  it.each<[string, (crd: PublishedCrd, spec: JsonSchema) => void, string]>([
    [
      'a field that ours lacks',
      (_, spec) => Object.assign(spec.properties ?? {}, { lid: { type: 'boolean' } }),
      'v1.spec.lid: ours lacks it',
    ],
    ['a field that only ours has', (_, spec) => delete spec.properties?.['count'], 'v1.spec.count: only ours has it'],
    ['what is required', (_, spec) => (spec.required = []), 'v1.spec.size: is not required by its authors'],
    [
      'another bound',
      (_, spec) => Object.assign(spec.properties?.['size'] ?? {}, { enum: ['S'] }),
      'v1.spec.size: enum is ["S","L"], upstream has ["S"]',
    ],
    [
      'another default',
      (_, spec) => Object.assign(spec.properties?.['size'] ?? {}, { default: 'S' }),
      'v1.spec.size: default is not set, upstream has "S"',
    ],
    [
      'another column',
      (copy) => Object.assign(copy.spec.versions[0]?.additionalPrinterColumns?.[0] ?? {}, { name: 'Dimension' }),
      'v1: columns is [{"name":"Size","type":"string","jsonPath":".spec.size"}], upstream has [{"name":"Dimension","type":"string","jsonPath":".spec.size"}]',
    ],
    [
      'another scope',
      (copy) => Object.assign(copy.spec, { scope: 'Cluster' }),
      'scope is "Namespaced", upstream has "Cluster"',
    ],
    ['another version', (copy) => Object.assign(copy.spec.versions[0] ?? {}, { name: 'v2' }), 'v2: ours lacks it'],
    ['another kind', (copy) => Object.assign(copy.spec.names, { kind: 'Box' }), 'ours has no such kind'],
  ])('names %s', (_, change, expected) => {
    expect(compareKind([crate], published(change), [])[0]).toBe(expected);
  });

  it('lets through what is meant, while it is so', () => {
    expect(unexpected(['a', 'b'], { a: 'we need it' })).toEqual(['b']);
    expect(unexpected([], { a: 'we need it' })).toEqual(['no longer so, though allowed: a']);
  });

  it('looks into lists and maps', () => {
    const schema = {
      type: 'array',
      items: { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'string' } } } },
    };
    expect([...fieldsOf(schema).keys()]).toEqual(['', '[]', '[]{}', '[]{}.a']);
    expect(differences(schema, { ...schema, maxItems: 3 })).toEqual([': maxItems is not set, upstream has 3']);
  });
});
