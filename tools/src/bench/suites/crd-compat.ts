import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
import { realKubeCacheDir } from '../../real-kube/cache.js';
import type { BenchRow, BenchSuite } from '../model.js';

const CRDIFY = { module: 'sigs.k8s.io/crdify', version: 'v0.5.0' } as const;
const BUILD_LIMIT_MS = 300_000;
const LARGE_BYTES = 355_000;
const MANY = 60;
const MANY_BYTES = 4_000_000;

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

/** The definition with descriptions as long as it takes to be so large; a large schema with few is filled up too. */
function filledUp(definition: CustomResourceDefinition, size: number): CustomResourceDefinition {
  const copy = cloneJson(definition);
  const leaves = copy.spec.versions.flatMap(({ schema }) => textLeaves(schema.openAPIV3Schema as Json));
  const missing = size - bytes(copy);
  if (missing <= 0 || leaves.length === 0) return copy;
  for (const leaf of leaves) leaf['description'] = 'd'.repeat(Math.ceil(missing / leaves.length));
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

/** The program of crdify, built into the cache where Go is at hand; undefined where it cannot be had. */
function crdify(): string | undefined {
  const folder = join(realKubeCacheDir(process.env), '..', 'crdify', CRDIFY.version);
  const program = join(folder, 'crdify');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '-buildvcs=false' };
  spawnSync('go', ['install', `${CRDIFY.module}@${CRDIFY.version}`], { env, timeout: BUILD_LIMIT_MS, stdio: 'ignore' });
  return existsSync(program) ? program : undefined;
}

interface Files {
  readonly before: string;
  readonly after: string;
}

function rows(files: Files): BenchRow[] {
  const all = [hypershift, clusterApi, config, machine, aws, azure, kubevirt, openstack]
    .flat()
    .map((kind) => crd(kind));
  const largest = all.toSorted((a, b) => bytes(b) - bytes(a));
  const large = filledUp(largest[0] ?? crd(clusterApi[0] as (typeof clusterApi)[number]), LARGE_BYTES);
  const many = largest.slice(0, MANY).map((each) => filledUp(each, MANY_BYTES / MANY));
  const changed = many.map((each, at) => narrowed(each, 10, at));
  const [one, other] = [narrowed(large, 1, 0), narrowed(large, 1, 7)];
  const warm = prepared(large);
  warm.check(one);
  writeFileSync(files.before, JSON.stringify(large));
  writeFileSync(files.after, JSON.stringify(one));
  const program = crdify();
  const beside: Pick<BenchRow, 'missing' | 'reference'> =
    program === undefined
      ? { missing: 'crdify: not installed, and Go could not build it' }
      : {
          reference: {
            name: 'crdify',
            run: () => milliseconds(() => spawnSync(program, [`file://${files.before}`, `file://${files.after}`])),
          },
        };
  const lower = { unit: 'ms', better: 'lower' } as const;
  const cold = (): number => milliseconds(() => prepared(cloneJson(large)).check(one));
  return [
    { name: 'a large definition, one leaf changed, cold', ...lower, target: 100, ...beside, run: cold },
    {
      name: 'the same, warm, another leaf',
      ...lower,
      target: 10,
      run: () => milliseconds(() => warm.check(other)),
    },
    {
      name: 'the same, warm, with the witnesses',
      ...lower,
      run: () => milliseconds(() => warm.check(other).findings.map(({ proof }) => proof)),
    },
    {
      name: `${MANY} definitions, 4 MB together, 10 changes each`,
      ...lower,
      target: 1500,
      run: () => milliseconds(() => many.map((each, at) => prepared(cloneJson(each)).check(changed[at] ?? each))),
    },
  ];
}

/** How long verdicts about definitions take. */
export const crdCompatSuite: BenchSuite = {
  name: 'crd-compat',
  open: () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-crd-compat-'));
    return {
      rows: rows({ before: join(folder, 'before.json'), after: join(folder, 'after.json') }),
      close: async () => rmSync(folder, { recursive: true }),
    };
  },
};
