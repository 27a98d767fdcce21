import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { draftGroup } from './draft.js';
import { literal, print, quoted } from './code.js';
import { camel, kebab, singular, versionSuffix } from './names.js';
import type { Addition } from './sources.js';

/** A definition with one of everything that has a form of its own. */
const CRATES = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: crates.example.com }
spec:
  group: example.com
  names: { kind: Crate, listKind: CrateList, plural: crates, singular: crate, shortNames: [cr] }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      additionalPrinterColumns:
        - { name: Size, type: string, jsonPath: .spec.size, description: A sentence of upstream. }
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          description: A sentence of upstream.
          type: object
          required: [spec]
          properties:
            apiVersion: { type: string }
            kind: { type: string }
            metadata: { type: object }
            spec:
              description: A sentence of upstream.
              type: object
              required: [size]
              x-kubernetes-validations:
                - { rule: "self.size != ''", message: needs a size }
              properties:
                size: { type: string, enum: [S, L], default: S }
                count: { type: integer, format: int32, minimum: 0 }
                since: { type: string, format: date-time, nullable: true }
                amount:
                  anyOf: [{ type: integer }, { type: string }]
                  x-kubernetes-int-or-string: true
                labels: { type: object, additionalProperties: { type: string } }
                extra: { x-kubernetes-preserve-unknown-fields: true }
                left: &side
                  type: object
                  required: [name]
                  properties: { name: { type: string }, colour: { type: string } }
                right: *side
                others: { type: array, items: *side, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name] }
`;

/** The same with a feature gate on. */
const GATED = CRATES.replace(
  'size: { type: string, enum: [S, L], default: S }',
  'size: { type: string, enum: [S, L, XL], default: S }\n                lid: { type: boolean }',
);

const EXPECTED = `// Drafted by tools/src/api-kinds/draft from example.com/crates@v1.0.0; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import {
  anything,
  array,
  boolean,
  gated,
  int32,
  intOrString,
  kind,
  map,
  named,
  nullable,
  object,
  optional,
  string,
  time,
} from '../../model/index.js';
import { meanings } from '../meanings.table.js';

const sideShape = object({ colour: optional(string()), name: string() });

/** A value of the shape Side. */
export interface Side extends Infer<typeof sideShape> {}

/** The shape Side. */
export const side: Schema<Side> = named('Side', sideShape);

const crateSpecShape = object(
  {
    amount: optional(intOrString()),
    count: optional(int32({ minimum: 0 })),
    extra: optional(anything()),
    labels: optional(map(string())),
    left: optional(side),
    lid: gated('Lids', optional(boolean())),
    others: optional(array(side, { listMapKeys: ['name'], listType: 'map' })),
    right: optional(side),
    since: optional(nullable(time())),
    size: string({ default: 'S', enum: ['S', 'L'], gated: { Lids: { enum: ['S', 'L', 'XL'] } } }),
  },
  { rules: [{ rule: "self.size != ''", message: 'needs a size' }] },
);

/** A value of the shape CrateSpec. */
export interface CrateSpec extends Infer<typeof crateSpecShape> {}

/** The shape CrateSpec. */
export const crateSpec: Schema<CrateSpec> = named('CrateSpec', crateSpecShape);

/** The kind Crate. */
export const crate = kind({
  group: 'example.com',
  kind: 'Crate',
  plural: 'crates',
  shortNames: ['cr'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1',
      storage: true,
      columns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size' }],
      subresources: { status: true },
      schema: object({ spec: crateSpec }),
    },
  ],
});

/** Crate in \`example.com/v1\`. */
export type Crate = KindOf<typeof crate, 'v1'>;
`;

describe('a draft', () => {
  let directory = '';

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'capstan-draft-'));
    await writeFile(join(directory, 'crates.yaml'), CRATES);
    await writeFile(join(directory, 'gated.yaml'), GATED);
    await writeFile(join(directory, 'shrunk.yaml'), CRATES.replace(/ +count: .*\n/, ''));
  });

  afterAll(() => rm(directory, { recursive: true }));

  const draft = (file: string, gated: string, names: Record<string, string>, additions: readonly Addition[] = []) =>
    draftGroup(
      {
        folder: 'crates',
        module: 'example.com/crates@v1.0.0',
        kinds: [{ file, gates: { Lids: gated }, additions }],
        names,
      },
      new Map([['example.com/crates', directory]]),
    );

  it('describes everything in our words, except for the sentences of upstream', async () => {
    const files = await draft('crates.yaml', 'gated.yaml', { 'Crate.spec.left': 'Side' });
    expect([...files.keys()]).toEqual(['tables/crate.ts', 'index.ts']);
    expect(files.get('tables/crate.ts')).toBe(EXPECTED);
    expect(files.get('index.ts')).toContain("export type { Crate, CrateSpec, Side } from './tables/crate.js';");
  });

  it('guesses the name of a shape that nobody named', async () => {
    const text = (await draft('crates.yaml', 'gated.yaml', {})).get('tables/crate.ts');
    expect(text).toContain('export interface Left extends');
  });

  it('keeps fields of ours next to those of upstream, until upstream has them too', async () => {
    const addition = {
      path: 'v1.spec.others.owner',
      schema: { type: 'string' },
      required: true as const,
      reason: 'ours',
    };
    const text = (await draft('crates.yaml', 'gated.yaml', {}, [addition])).get('tables/crate.ts');
    expect(text).toContain('object({ colour: optional(string()), name: string(), owner: string() })');
    await expect(draft('crates.yaml', 'gated.yaml', {}, [{ ...addition, path: 'v1.spec.size' }])).rejects.toThrow(
      'Crate has v1.spec.size by now: take the addition away',
    );
    await expect(draft('crates.yaml', 'gated.yaml', {}, [{ ...addition, path: 'v1.state.size' }])).rejects.toThrow(
      'Crate has no place for v1.state.size',
    );
  });

  it('refuses a name for what is not there, and a gate that takes something away', async () => {
    await expect(draft('crates.yaml', 'gated.yaml', { 'Crate.spec.lost': 'Lost' })).rejects.toThrow(
      'nothing is at Crate.spec.lost, which is to be called Lost',
    );
    await expect(draft('crates.yaml', 'shrunk.yaml', {})).rejects.toThrow('Crate.spec.count: Lids takes it away');
  });
});

describe('names', () => {
  it.each([
    ['AWSMachine', 'awsMachine', 'aws-machine'],
    ['ClusterAPI', 'clusterApi', 'cluster-api'],
    ['MachineSpecV1Beta1', 'machineSpecV1Beta1', 'machine-spec-v1-beta1'],
    ['IBMPowerVSMachine', 'ibmPowerVsMachine', 'ibm-power-vs-machine'],
    ['IBMVPCMachine', 'ibmVpcMachine', 'ibm-vpc-machine'],
    ['VSphereMachine', 'vsphereMachine', 'vsphere-machine'],
  ])('of %s are %s and %s', (name, constant, file) => {
    expect([camel(name), kebab(name)]).toEqual([constant, file]);
  });

  it.each([
    ['policies', 'policy'],
    ['addresses', 'address'],
    ['status', 'status'],
    ['boxes', 'box'],
    ['taints', 'taint'],
  ])('of what is in %s is %s', (list, element) => {
    expect(singular(list)).toBe(element);
  });

  it('of versions are joined to names', () => {
    expect(['v1', 'v1beta2', 'v1alpha1'].map(versionSuffix)).toEqual(['V1', 'V1Beta2', 'V1Alpha1']);
  });
});

describe('code', () => {
  it.each(['plain', "it's", 'a "word"', `it's a "word"`, 'back\\slash', 'line\nbreak', '$' + '{x}'])(
    'quotes %j',
    (text) => {
      expect(runInNewContext(quoted(text))).toBe(text);
    },
  );

  it('breaks what does not fit on a line', () => {
    const long = { values: Array.from({ length: 20 }, (_, at) => `value-${at}`), end: true };
    const lines = print(literal(long)).split('\n');
    expect(lines.every((line) => line.length <= 120)).toBe(true);
    expect(lines[1]).toBe('  values: [');
    expect(lines.at(-2)).toBe('  end: true,');
  });
});
