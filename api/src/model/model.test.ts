import { describe, expect, expectTypeOf, it } from 'vitest';

import {
  UnknownVersion,
  anyObject,
  anything,
  array,
  boolean,
  condition,
  crd,
  described,
  duration,
  embedded,
  gated,
  gatesOf,
  int32,
  int64,
  intOrString,
  integer,
  kind,
  labelSelector,
  map,
  named,
  nullable,
  number,
  object,
  optional,
  quantity,
  resource,
  rules,
  string,
  structuralSchema,
  time,
  withDefault,
} from './index.js';
import type { EmbeddedObject, Infer, Kind, KindOf, LabelSelector, ObjectMeta, Schema } from './index.js';

const size = named('Size', object({ height: int32(), width: optional(int32({ minimum: 1 })) }));

const crate = kind({
  group: 'example.com',
  kind: 'Crate',
  plural: 'crates',
  shortNames: ['cr'],
  scope: 'Namespaced',
  labels: { team: 'storage' },
  meanings: {
    Crate: 'A box.',
    'Crate.spec.sizes': 'All of its sizes.',
    'Crate@v1.spec.sizes': 'The sizes of old.',
    'Size.height': 'How high it is.',
  },
  conversion: { service: { namespace: 'default', name: 'hook', path: '/convert' } },
  versions: [
    { name: 'v1', served: false, schema: object({ spec: optional(object({ sizes: array(size) })) }) },
    {
      name: 'v2',
      storage: true,
      columns: [{ name: 'Colour', type: 'string', jsonPath: '.spec.colour' }],
      subresources: { status: true, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
      selectableFields: ['.spec.colour'],
      schema: object({
        spec: object(
          {
            colour: string({ enum: ['red', 'blue'], gated: { Paint: { enum: ['red', 'blue', 'green'] } } }),
            fragile: gated('Glass', boolean()),
            sizes: optional(array(size, { listType: 'atomic' })),
          },
          { rules: [{ rule: 'self.sizes.size() > 0', message: 'has no size' }] },
        ),
        status: optional(object({ n: optional(int64()) })),
      }),
    },
  ],
});

function schemaOf(of: Schema): unknown {
  const holder = kind({
    group: 'example.com',
    kind: 'Holder',
    plural: 'holders',
    scope: 'Cluster',
    versions: [{ name: 'v1', storage: true, schema: object({ it: optional(of) }) }],
  });
  return structuralSchema(holder, 'v1').properties?.['it'];
}

describe('the builders', () => {
  it.each<[string, Schema, object]>([
    ['a string', string({ minLength: 1, pattern: '^a' }), { type: 'string', minLength: 1, pattern: '^a' }],
    ['an integer', integer({ minimum: 0 }), { type: 'integer', minimum: 0 }],
    ['32 bits', int32(), { type: 'integer', format: 'int32' }],
    ['64 bits', int64({ maximum: 9 }), { type: 'integer', format: 'int64', maximum: 9 }],
    ['a number', number(), { type: 'number' }],
    ['a boolean', boolean({ default: true }), { type: 'boolean', default: true }],
    ['a time', time(), { type: 'string', format: 'date-time' }],
    ['a duration', duration(), { type: 'string', format: 'duration' }],
    [
      'an integer or string',
      intOrString(),
      { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
    ],
    [
      'a map',
      map(string(), { maxProperties: 3 }),
      { type: 'object', maxProperties: 3, additionalProperties: { type: 'string' } },
    ],
    ['anything', anything(), { 'x-kubernetes-preserve-unknown-fields': true }],
    ['any object', anyObject(), { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
    [
      'an object of another kind',
      embedded(),
      { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    ],
    ['null', nullable(string()), { type: 'string', nullable: true }],
    ['a default', withDefault(int32(), 0), { type: 'integer', format: 'int32', default: 0 }],
    ['a meaning', described(string(), 'A word.'), { type: 'string', description: 'A word.' }],
    [
      'a list keyed by name',
      array(object({ name: string() }), { listType: 'map', listMapKeys: ['name'], maxItems: 4 }),
      {
        type: 'array',
        items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
        maxItems: 4,
        'x-kubernetes-list-map-keys': ['name'],
        'x-kubernetes-list-type': 'map',
      },
    ],
    [
      'rules',
      rules(string(), [{ rule: 'self == oldSelf', message: 'is immutable' }]),
      { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'is immutable' }] },
    ],
  ])('write %s as a structural schema has it', (_, schema, expected) => {
    expect(schemaOf(schema)).toEqual(expected);
  });

  it('say of an amount how it is written', () => {
    const { pattern } = schemaOf(quantity()) as { pattern: string };
    const written = new RegExp(pattern);
    expect(['1', '-1', '1.5Gi', '500m', '1e3', '2E+3'].filter((text) => !written.test(text))).toEqual([]);
    expect(['', 'Gi', '1 Gi', '1Kb'].filter((text) => written.test(text))).toEqual([]);
  });

  it('hand out frozen data', () => {
    const choice = string({ enum: ['a'], rules: [{ rule: 'true' }] });
    const parts = [size, size.properties, size.facts, crate, optional(size), choice.facts['enum']];
    expect(parts.every((each) => Object.isFrozen(each))).toBe(true);
    expect(() => Object.assign((choice.facts['x-kubernetes-validations'] as object[])[0] ?? {}, { rule: '' })).toThrow(
      TypeError,
    );
  });
});

describe('the types', () => {
  it('follow the definition', () => {
    expectTypeOf<Infer<typeof size>>().toEqualTypeOf<{ height: number; width?: number }>();
    const one = string({ enum: ['a', 'b'] });
    expectTypeOf<Infer<typeof one>>().toEqualTypeOf<'a' | 'b'>();
    const three = int32({ enum: [3, 5] });
    expectTypeOf<Infer<typeof three>>().toEqualTypeOf<3 | 5>();
    const [port, name] = [integer({ default: 1 }), string({ default: 'a' })];
    expectTypeOf<Infer<typeof port>>().toEqualTypeOf<number>();
    expectTypeOf<Infer<typeof name>>().toEqualTypeOf<string>();
    const many = object({ a: array(one), m: map(nullable(time())), e: embedded(), x: anything(), p: intOrString() });
    expectTypeOf<Infer<typeof many>>().toEqualTypeOf<{
      a: ('a' | 'b')[];
      m: Record<string, string | null>;
      e: EmbeddedObject;
      x: unknown;
      p: number | string;
    }>();
  });

  it('are those of whole objects for kinds', () => {
    expectTypeOf<KindOf<typeof crate, 'v2'>>().toEqualTypeOf<{
      apiVersion: 'example.com/v2';
      kind: 'Crate';
      metadata: ObjectMeta;
      spec: { colour: 'red' | 'blue' | 'green'; fragile?: boolean; sizes?: { height: number; width?: number }[] };
      status?: { n?: number };
    }>();
    expectTypeOf<KindOf<typeof crate, 'v1'>['spec']>().toEqualTypeOf<
      { sizes: { height: number; width?: number }[] } | undefined
    >();
    // @ts-expect-error: there is no such version
    expectTypeOf<KindOf<typeof crate, 'v3'>>().toBeNever();
    expectTypeOf<typeof crate>().toExtend<Kind>();
  });

  it('of the shapes of Kubernetes have names', () => {
    expectTypeOf<Infer<typeof labelSelector>>().toEqualTypeOf<LabelSelector>();
    expectTypeOf<Infer<typeof condition>['status']>().toEqualTypeOf<'True' | 'False' | 'Unknown'>();
  });
});

describe('a kind', () => {
  it('has the structural schema of the variant that is asked for', () => {
    const spec = (gates: string[]) => structuralSchema(crate, 'v2', { gates }).properties?.['spec'];
    expect(Object.keys(spec([])?.properties ?? {})).toEqual(['colour', 'sizes']);
    expect(spec([])?.required).toEqual(['colour']);
    expect(spec(['Glass'])?.required).toEqual(['colour', 'fragile']);
    expect(spec([])?.properties?.['colour']).toEqual({ type: 'string', enum: ['red', 'blue'] });
    expect(spec(['Paint'])?.properties?.['colour']).toEqual({ type: 'string', enum: ['red', 'blue', 'green'] });
    expect(gatesOf(crate)).toEqual(['Glass', 'Paint']);
  });

  it('describes fields, the nearest to the kind first, and does not repeat it for the elements', () => {
    const sizes = (version: string) => {
      const found = structuralSchema(crate, version).properties?.['spec']?.properties?.['sizes'];
      return [found?.description, found?.items?.description, found?.items?.properties?.['height']?.description];
    };
    expect(sizes('v2')).toEqual(['All of its sizes.', undefined, 'How high it is.']);
    expect(sizes('v1')).toEqual(['The sizes of old.', undefined, 'How high it is.']);
  });

  it('knows words that mean the same everywhere, and uses them last', () => {
    const box = kind({
      group: 'example.com',
      kind: 'Box',
      plural: 'boxes',
      scope: 'Cluster',
      meanings: { '*.width': 'How wide.', '*.height': 'Never used.', 'Size.height': 'How high it is.' },
      versions: [{ name: 'v1', storage: true, schema: object({ spec: size }) }],
    });
    const spec = structuralSchema(box, 'v1').properties?.['spec'];
    expect(spec?.description).toBe('What is wanted.');
    expect(spec?.properties?.['height']?.description).toBe('How high it is.');
    expect(spec?.properties?.['width']?.description).toBe('How wide.');
  });

  it('has metadata that may have rules of its own', () => {
    const strict = kind({
      group: 'example.com',
      kind: 'One',
      plural: 'ones',
      scope: 'Cluster',
      versions: [
        { name: 'v1', storage: true, schema: object({ metadata: object({ name: string({ enum: ['one'] }) }) }) },
      ],
    });
    const { properties, required } = structuralSchema(strict, 'v1');
    expect(required).toEqual(['metadata']);
    // Nothing else: a server refuses a description there.
    expect(properties?.['metadata']).toEqual({
      type: 'object',
      properties: { name: { type: 'string', enum: ['one'] } },
      required: ['name'],
    });
    expectTypeOf<KindOf<typeof strict, 'v1'>['metadata']>().toEqualTypeOf<ObjectMeta>();
  });

  it('becomes a CustomResourceDefinition', () => {
    const { metadata, spec } = crd(crate);
    expect(metadata).toEqual({ name: 'crates.example.com', labels: { team: 'storage' } });
    expect(spec.names).toEqual({
      kind: 'Crate',
      listKind: 'CrateList',
      plural: 'crates',
      singular: 'crate',
      shortNames: ['cr'],
    });
    expect(spec.conversion).toEqual({
      strategy: 'Webhook',
      webhook: {
        conversionReviewVersions: ['v1'],
        clientConfig: { service: { namespace: 'default', name: 'hook', path: '/convert' } },
      },
    });
    expect(spec.versions.map((version) => ({ ...version, schema: undefined }))).toEqual([
      { name: 'v1', served: false, storage: false },
      {
        name: 'v2',
        served: true,
        storage: true,
        additionalPrinterColumns: [{ name: 'Colour', type: 'string', jsonPath: '.spec.colour' }],
        subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
        selectableFields: [{ jsonPath: '.spec.colour' }],
      },
    ]);
    expect(crd(crate, { conversion: 'none' }).spec.conversion).toBeUndefined();
  });

  it('hands out a CustomResourceDefinition that belongs to the caller', () => {
    const changed = crd(crate);
    const colour = changed.spec.versions[1]?.schema.openAPIV3Schema.properties?.['spec']?.properties?.['colour'];
    const choices = colour?.['enum'] as string[] | undefined;
    choices?.push('green');
    changed.spec.names.shortNames?.push('box');
    expect(crd(crate)).not.toEqual(changed);
    expect(crd(crate)).toEqual(crd(crate));
  });

  it('is addressed as a resource', () => {
    const stored = { group: 'example.com', version: 'v2', plural: 'crates', namespaced: true, kind: 'Crate' };
    expect(resource(crate)).toEqual(stored);
    expect(resource(crate, 'v1')).toEqual({ ...stored, version: 'v1' });
    expect(() => resource(crate, 'v9')).toThrow(new UnknownVersion('Crate', 'v9'));
  });
});
