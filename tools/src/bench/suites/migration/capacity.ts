import type { ClusterCopy } from '@capstan/cli/rehearsal/testing';
import type { BenchRow, BenchSuite, OpenSuite } from '../../model.js';
import { copiesOf, MigratedAlone } from './one-cluster.js';
import type { MigrationCost } from './one-cluster.js';

const SIZES = [10, 100, 1_000] as const;
const MIB = 2 ** 20;

/** What the controller holds of a cluster while it copies it. */
function mebibytes({ snapshot }: ClusterCopy): number {
  const moved = snapshot.resources.filter(({ resource }) => resource.includes('cluster.x-k8s.io/'));
  return Buffer.byteLength(JSON.stringify(moved)) / MIB;
}

async function open(): Promise<OpenSuite> {
  const copies = await copiesOf(SIZES.map((machines) => ({ name: `m${machines}`, machines })));
  const rows = SIZES.flatMap((machines): BenchRow[] => {
    const copy = copies.find(({ id }) => id === `clusters/m${machines}`);
    if (copy === undefined) throw new Error(`there is no cluster of ${machines} machines`);
    let taken: Promise<MigrationCost> | undefined;
    const once = (): Promise<MigrationCost> =>
      (taken ??= (async () => {
        const migration = await MigratedAlone.of(copy);
        await migration.run();
        return migration.run();
      })());
    const row = (what: string, unit: string, run: BenchRow['run']): BenchRow => ({
      name: `${machines} machines: ${what}`,
      unit,
      better: 'lower',
      run,
    });
    return [
      row('migration', 's', async () => (await once()).seconds),
      row('own work', 'ms of a processor', async () => (await once()).processorMs),
      row('requests of the controller', 'requests', async () => (await once()).requests),
      row('objects that are copied', 'MiB as JSON', () => mebibytes(copy)),
    ];
  });
  return { rows };
}

/** What `docs/operations/capacity.md` shows. */
export const migrationCapacitySuite: BenchSuite = { name: 'migration-capacity', rounds: 1, onDemand: true, open };
