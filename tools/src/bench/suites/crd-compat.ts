import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kinds as clusterApi } from '@capstan/api/cluster-api';
import { kinds as config } from '@capstan/api/config';
import { kinds as hypershift } from '@capstan/api/hypershift';
import { kinds as aws } from '@capstan/api/infrastructure/aws';
import { kinds as azure } from '@capstan/api/infrastructure/azure';
import { kinds as kubevirt } from '@capstan/api/infrastructure/kubevirt';
import { kinds as openstack } from '@capstan/api/infrastructure/openstack';
import { kinds as machine } from '@capstan/api/machine';
import { type CustomResourceDefinition, crd } from '@capstan/api/model';
import { type RequirementCheck, prepareRequirement } from '@capstan/crd-compat';
import { cloneJson } from '@capstan/meta';
import type { BenchRow, BenchSuite } from '../model.js';
import { crdify } from './crdify.js';

const LARGE_BYTES = 355_000;
const MANY = 60;
const MEAN_BYTES = 70_000;

type Json = Record<string, unknown>;

/** Every leaf that is a text, in the order of the schema. */
function textLeaves(node: Json, out: Json[] = []): Json[] {
  if (node['type'] === 'string' && node['enum'] === undefined) out.push(node);
  for (const inner of Object.values((node['properties'] as Json | undefined) ?? {})) textLeaves(inner as Json, out);
  for (const key of ['items', 'additionalProperties']) {
    const inner = node[key];
    if (typeof inner === 'object' && inner !== null) textLeaves(inner as Json, out);
  }
  return out;
}

/** A copy in which so many leaves of every version are narrower. */
function narrowed(definition: CustomResourceDefinition, count: number, first: number): CustomResourceDefinition {
  const copy = cloneJson(definition);
  for (const { schema } of copy.spec.versions) {
    const leaves = textLeaves(schema.openAPIV3Schema as Json);
    const step = Math.max(1, Math.floor(leaves.length / count));
    for (let at = 0; at < count; at++) {
      const leaf = leaves[(first + at * step) % leaves.length];
      if (leaf !== undefined) leaf['maxLength'] = 3;
    }
  }
  return copy;
}

function bytes(definition: object): number {
  return JSON.stringify(definition).length;
}

/** The schema of the spec of a CRD, in its first version. */
function specOf(definition: CustomResourceDefinition): Json | undefined {
  const root = definition.spec.versions[0]?.schema.openAPIV3Schema as { readonly properties?: Json } | undefined;
  return root?.properties?.['spec'] as Json | undefined;
}

/** The CRD with the specs of others as further fields of its own, until it is so large. */
function enlarged(
  definition: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
  size: number,
): CustomResourceDefinition {
  const copy = cloneJson(definition);
  const own = specOf(copy)?.['properties'] as Json | undefined;
  for (let at = 0, left = size - bytes(copy); own !== undefined && left > 0; at++) {
    const other = others[at % others.length] as CustomResourceDefinition;
    const spec = specOf(other);
    if (spec?.['type'] !== 'object') continue;
    own[`${other.spec.names.singular ?? 'other'}${at}`] = cloneJson(spec);
    left -= bytes(spec);
  }
  return copy;
}

function prepared(definition: CustomResourceDefinition): RequirementCheck {
  const check = prepareRequirement(definition, { versions: definition.spec.versions.map(({ name }) => name) });
  if ('errors' in check) throw new Error(JSON.stringify(check.errors));
  return check.ok;
}

const TRIES = 5;

/** The best of a few tries: one alone measures what else the machine does. */
function milliseconds(work: () => unknown): number {
  let best = Infinity;
  for (let at = 0; at < TRIES; at++) {
    const begin = performance.now();
    work();
    best = Math.min(best, performance.now() - begin);
  }
  return best;
}

interface Files {
  readonly before: string;
  readonly after: string;
}

async function rows(files: Files): Promise<BenchRow[]> {
  const all = [hypershift, clusterApi, config, machine, aws, azure, kubevirt, openstack]
    .flat()
    .map((kind) => crd(kind));
  const largest = all.toSorted((a, b) => bytes(b) - bytes(a));
  const [first = crd(clusterApi[0] as (typeof clusterApi)[number]), ...others] = largest;
  const large = enlarged(first, others, LARGE_BYTES);
  // The small ones grow by the fields of those that are small themselves, so that each is as large as the mean.
  const small = others.toReversed().filter((each) => bytes(specOf(each) ?? {}) > 2000);
  const many = largest.slice(0, MANY).map((each, at) => enlarged(each, small.slice(at % small.length), MEAN_BYTES));
  const changed = many.map((each, at) => narrowed(each, 10, at));
  const [one, other] = [narrowed(large, 1, 0), narrowed(large, 1, 7)];
  const warm = prepared(large);
  warm.check(one);
  writeFileSync(files.before, JSON.stringify(large));
  writeFileSync(files.after, JSON.stringify(one));
  const { missing, program } = await crdify();
  const yardstick: Pick<BenchRow, 'missing' | 'reference'> =
    program === undefined
      ? { ...(missing !== undefined && { missing }) }
      : {
          reference: {
            name: 'crdify',
            run: () => milliseconds(() => spawnSync(program, [`file://${files.before}`, `file://${files.after}`])),
          },
        };
  const lower = { unit: 'ms', better: 'lower' } as const;
  // As a webhook does it: the server has validated the CRD. crdify never does.
  const cold = (): number => milliseconds(() => prepared(cloneJson(large)).check(one, { stored: one }));
  return [
    {
      name: 'a CRD of more than 355 KB, one leaf changed, cold',
      ...lower,
      target: 100,
      ...yardstick,
      run: cold,
    },
    {
      name: 'the same, validated as a new one',
      ...lower,
      run: () => milliseconds(() => warm.check(cloneJson(one))),
    },
    {
      name: 'the same, warm, another leaf',
      ...lower,
      target: 10,
      run: () => milliseconds(() => warm.check(other, { stored: other })),
    },
    {
      name: 'the same, warm, with the witnesses',
      ...lower,
      run: () => milliseconds(() => warm.check(other, { stored: other }).findings.map(({ proof }) => proof)),
    },
    {
      name: `${MANY} CRDs, more than 4 MB together, 10 changes each`,
      ...lower,
      target: 1500,
      run: () =>
        milliseconds(() =>
          many.map((each, at) => prepared(cloneJson(each)).check(changed[at] ?? each, { stored: changed[at] ?? each })),
        ),
    },
  ];
}

/** How long verdicts about CRDs take. */
export const crdCompatSuite: BenchSuite = {
  name: 'crd-compat',
  open: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-crd-compat-'));
    return {
      rows: await rows({ before: join(folder, 'before.json'), after: join(folder, 'after.json') }),
      close: async () => rmSync(folder, { recursive: true }),
    };
  },
};
