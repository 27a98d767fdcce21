import type { JsonSchema } from '@capstan/api/model';
import { describe, expect, it } from 'vitest';

import { withAdditions, withColumns, withRules } from './additions.js';
import type { PublishedCrd } from './crd-file.js';
import { deriveCrd } from './derive.js';
import type { Derivation } from './derive.js';

/** A kind that embeds what another one could hold. */
const crate: PublishedCrd = {
  metadata: { name: 'crates.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Crate', plural: 'crates' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['lid'],
                properties: {
                  colour: { type: 'string' },
                  lid: {
                    type: 'object',
                    required: ['size', 'hinge'],
                    properties: {
                      size: { type: 'string' },
                      hinge: { type: 'object', required: ['left'], properties: { left: { type: 'string' } } },
                    },
                  },
                },
                'x-kubernetes-validations': [
                  { rule: 'has(self.colour)', message: 'needs a colour' },
                  { rule: 'has(self.lid)', message: 'needs a lid' },
                ],
              },
            },
          },
        },
      },
    ],
  },
};

function specOf(crd: PublishedCrd): JsonSchema {
  return crd.spec.versions[0]?.schema.openAPIV3Schema.properties?.['spec'] ?? {};
}

describe('a change to a kind of others', () => {
  it('puts a field of ours in place of theirs', () => {
    const path = 'v1.spec.lid';
    const changed = withAdditions(crate, [{ path, schema: { type: 'string' }, replaces: true, reason: 'ours' }]);
    expect(specOf(changed).properties?.['lid']).toEqual({ type: 'string' });
    expect(specOf(changed).required).toEqual([]);
    expect(specOf(crate).required).toEqual(['lid']);
  });

  it('refuses to replace what is gone', () => {
    const addition = { path: 'v1.spec.lost', schema: {}, replaces: true as const, reason: 'ours' };
    expect(() => withAdditions(crate, [addition])).toThrow('Crate has no v1.spec.lost by now: take the addition away');
  });

  it('replaces a rule, or removes it', () => {
    const rules = [
      { path: 'v1.spec', message: 'needs a colour', becomes: "self.colour != ''", reason: 'ours' },
      { path: 'v1.spec', message: 'needs a lid', reason: 'ours' },
    ];
    expect(specOf(withAdditions(crate, [], rules))['x-kubernetes-validations']).toEqual([
      { rule: "self.colour != ''", message: 'needs a colour' },
    ]);
    const lost = [{ path: 'v1.spec', message: 'needs a handle', reason: 'ours' }];
    expect(() => withAdditions(crate, [], lost)).toThrow(
      'Crate has no rule at v1.spec with the message: needs a handle',
    );
  });
});

describe('rules of ours', () => {
  const addition = { path: 'v1.spec', rules: [{ rule: 'has(self.price)' }], reason: 'ours' };

  it('follow those of the authors', () => {
    const rules = specOf(withRules(crate, [addition]))['x-kubernetes-validations'];
    expect((rules as { rule: string }[]).map(({ rule }) => rule)).toEqual([
      'has(self.colour)',
      'has(self.lid)',
      'has(self.price)',
    ]);
    expect(withRules(crate, [])).toBe(crate);
  });

  it.each<[object, string]>([
    [{ path: 'v1.status' }, 'Crate has nothing at v1.status'],
    [{ rules: [{ rule: 'has(self.lid)' }] }, 'Crate has the rule at v1.spec by now: remove ours: has(self.lid)'],
  ])('are refused with %j', (change, message) => {
    expect(() => withRules(crate, [{ ...addition, ...change }])).toThrow(message);
  });
});

describe('a kind that is derived', () => {
  const lid: Derivation = {
    group: 'lids.example.com',
    version: 'v1',
    kind: 'Lid',
    plural: 'lids',
    spec: 'v1.spec.lid',
    borrowed: { colour: 'v1.spec.colour' },
    status: { type: 'object', properties: { ready: { type: 'boolean' } } },
    without: { 'hinge.left': 'nobody needs it' },
    optional: { size: 'lids come in one size' },
    columns: [],
  };

  it('holds what the other one embeds, but what it leaves out', () => {
    const derived = deriveCrd(crate, lid);
    expect(derived.metadata.name).toBe('lids.lids.example.com');
    expect(derived.spec.names).toEqual({ kind: 'Lid', listKind: 'LidList', plural: 'lids', singular: 'lid' });
    expect(specOf(derived)).toEqual({
      type: 'object',
      required: ['hinge'],
      properties: {
        size: { type: 'string' },
        hinge: { type: 'object', required: [], properties: {} },
        colour: { type: 'string' },
      },
    });
  });

  it.each<[Partial<Derivation>, string]>([
    [{ without: { handle: '' } }, 'v1.spec.lid has no handle to leave out'],
    [{ optional: { colour: '' } }, 'v1.spec.lid does not require colour'],
    [{ spec: 'v1.spec.handle' }, 'Crate has nothing at v1.spec.handle'],
    [{ borrowed: { handle: 'v2.spec.handle' } }, 'Crate has nothing at v2.spec.handle'],
  ])('refuses %j', (change, message) => {
    expect(() => deriveCrd(crate, { ...lid, ...change })).toThrow(message);
  });
});

describe('our printer columns', () => {
  const columns = [{ name: 'Colour', type: 'string', jsonPath: '.spec.colour' }] as const;

  it('are in every version of a copy', () => {
    const shown = withColumns(crate, columns);
    expect(shown.spec.versions.map((version) => version.additionalPrinterColumns)).toEqual([columns]);
    expect(crate.spec.versions[0]?.additionalPrinterColumns).toBeUndefined();
    expect(withColumns(crate)).toBe(crate);
  });

  it('are refused where the authors have some by now', () => {
    expect(() => withColumns(withColumns(crate, columns), columns)).toThrow(
      'Crate v1 has printer columns by now: remove ours',
    );
  });
});
