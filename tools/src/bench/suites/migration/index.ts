import type { BenchContext, BenchRow, BenchSuite, OpenSuite } from '../../model.js';
import { MovedObjects } from './copies.js';
import { copiesOf, MigratedAlone } from './one-cluster.js';

const DEPLOYMENTS = { count: 200, setsEach: 2 };
/** A hundred machines, and each of the MachineDeployments and MachineSets. */
const OBJECTS_OF_100 = 200;
const OBJECTS_OF_DEPLOYMENTS = DEPLOYMENTS.count * (1 + DEPLOYMENTS.setsEach);

/** Eleven times the work for ten times the machines is linear. */
const LINEAR = 1.1;

async function open({ quick }: BenchContext): Promise<OpenSuite> {
  const large = quick ? 300 : 1_000;
  const times = large / 100;
  const moved = await MovedObjects.start();
  const migrations = await Promise.all(
    (
      await copiesOf([
        { name: 'small', machines: 100 },
        { name: 'large', machines: large },
        { name: 'sets', machines: 1, deployments: DEPLOYMENTS },
      ])
    ).map((copy) => MigratedAlone.of(copy)),
  );
  const [ofLarge, ofSets, ofSmall] = migrations as [MigratedAlone, MigratedAlone, MigratedAlone];
  // A first time compiles as well.
  await ofSmall.processorMs();
  await moved.move(100);
  const rows: BenchRow[] = [
    {
      name: 'migration by its controller, each 100 machines',
      unit: 'ms of a processor',
      better: 'lower',
      target: 2_500,
      run: () => ofSmall.processorMs(),
      reference: { name: 'copying by the library', run: () => moved.move(100) },
    },
    {
      name: `migration of ${large} machines, in migrations of 100`,
      unit: 'times',
      better: 'lower',
      target: times * LINEAR,
      run: async () => {
        const one = await ofSmall.processorMs();
        return (await ofLarge.processorMs()) / one;
      },
      // What it is compared with is the same on every machine.
      reference: { name: 'linear', run: () => times },
    },
    {
      name: 'migration of 200 MachineDeployments with 400 MachineSets',
      unit: 'ms of a processor',
      better: 'lower',
      run: () => ofSets.processorMs(),
      reference: {
        name: 'as many objects of machines',
        run: async () => ((await ofSmall.processorMs()) / OBJECTS_OF_100) * OBJECTS_OF_DEPLOYMENTS,
      },
    },
    {
      name: 'objects copied, re-pointed and deleted by the library, each 100 machines',
      unit: 'ms of a processor',
      better: 'lower',
      run: () => moved.move(100),
      reference: { name: `of ${large} machines`, run: async () => (await moved.move(large)) / times },
    },
  ];
  return { rows };
}

/** What a migration to private Cluster API types costs, without the time it waits. */
export const migrationSuite: BenchSuite = { name: 'migration', counts: 'median', rounds: 3, open };
