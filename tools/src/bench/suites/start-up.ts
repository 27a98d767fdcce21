import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchRow, BenchSuite } from '../model.js';
import { crdify } from './crdify.js';

const CLI = fileURLToPath(new URL('../../../../apps/cli/bin/capstan.js', import.meta.url));
const CLUSTER_CLASS = fileURLToPath(
  new URL('../../../../api/crds/cluster.x-k8s.io/clusterclasses.yaml', import.meta.url),
);
const HELP_TARGET_MS = 120;
const TRIES = 7;

const TINY = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: ships.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: ships, singular: ship, kind: Ship, listKind: ShipList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              name:
                type: string
`;

/** From spawning a process to its end, in milliseconds; the best of a few tries. */
function processMs(command: string, args: readonly string[]): number {
  let best = Infinity;
  for (let at = 0; at < TRIES; at++) {
    const begin = performance.now();
    const { error } = spawnSync(command, args, { stdio: 'ignore' });
    if (error !== undefined) throw error;
    best = Math.min(best, performance.now() - begin);
  }
  return best;
}

function capstan(...args: readonly string[]): () => number {
  return () => processMs(process.execPath, [CLI, ...args]);
}

async function rows(tiny: string): Promise<BenchRow[]> {
  const { missing, program } = await crdify();
  const node = { name: 'node -e 0', run: () => processMs(process.execPath, ['-e', '0']) };
  const lower = { unit: 'ms', better: 'lower' } as const;
  const check = (name: string, file: string): BenchRow => ({
    ...lower,
    name: `capstan crd check, ${name}, whole process`,
    run: capstan('crd', 'check', '-r', file, '-f', file),
    ...(program === undefined
      ? { reference: node, ...(missing !== undefined && { missing }) }
      : {
          reference: { name: 'crdify', run: () => processMs(program, [`file://${file}`, `file://${file}`]) },
        }),
  });
  return [
    {
      ...lower,
      name: 'capstan --help, whole process',
      target: HELP_TARGET_MS,
      reference: node,
      run: capstan('--help'),
    },
    check('a small CRD', tiny),
    check('ClusterClass', CLUSTER_CLASS),
  ];
}

/** How long commands take that end at once, with all that a process needs to start. */
export const startUpSuite: BenchSuite = {
  name: 'start-up',
  open: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-start-up-'));
    const tiny = join(folder, 'tiny.yaml');
    writeFileSync(tiny, TINY);
    return { rows: await rows(tiny), close: async () => rmSync(folder, { recursive: true }) };
  },
};
