import type { StatefulSet } from '../statefulset/decide.js';
import { STATEFUL_SETS } from '../workload/resources.js';
import type { ScenarioContext } from './context.js';
import { mustEqual } from './context.js';
import type { Scenario } from './context.js';
import { workload, Workloads } from './workloads.js';
import type { WorkloadSpec } from './workloads.js';

function create(context: ScenarioContext, spec: WorkloadSpec): Promise<unknown> {
  const set = workload(context, 'StatefulSet', 'db', { serviceName: 'db', ...spec });
  return context.client.create(STATEFUL_SETS, set);
}

function settled(context: ScenarioContext, count: number): Promise<StatefulSet> {
  return context.eventually(`${count} pods are at the newest revision`, async () => {
    const set = (await context.mustLive('db', STATEFUL_SETS)) as StatefulSet;
    const { currentRevision, observedGeneration, readyReplicas = 0, replicas, updateRevision } = set.status ?? {};
    const isThere = replicas === count && readyReplicas === count && observedGeneration === set.metadata.generation;
    return isThere && currentRevision === updateRevision && set;
  });
}

const names = async (w: Workloads): Promise<string[]> =>
  (await w.activePods('db')).map(({ metadata }) => metadata.name ?? '').sort();

const images = async (w: Workloads): Promise<unknown[]> =>
  (await w.activePods('db'))
    .sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
    .map(({ spec }) => (spec?.['containers'] as { image: string }[] | undefined)?.[0]?.image);

const newImage = { template: { spec: { containers: [{ name: 'main', image: 'runs:2' }] } } };

/** What StatefulSets must do. */
export const statefulSetScenarios: readonly Scenario[] = [
  {
    name: 'a StatefulSet numbers its pods, and grows and shrinks at the end',
    async run(context) {
      const w = new Workloads(context);
      await create(context, { replicas: 3 });
      await settled(context, 3);
      mustEqual(await names(w), ['db-0', 'db-1', 'db-2'], 'pods');
      const [first] = await w.pods('db');
      mustEqual([first?.spec?.hostname, first?.spec?.subdomain], [first?.metadata.name, 'db'], 'address');
      await w.patch('db', { replicas: 1 }, STATEFUL_SETS);
      await settled(context, 1);
      mustEqual(await names(w), ['db-0'], 'pods');
    },
  },
  {
    name: 'an ordered StatefulSet waits for each pod, a parallel one does not',
    async run(context) {
      const w = new Workloads(context);
      await create(context, { replicas: 3, image: 'broken:1' });
      await context.eventually('the first is there', async () => (await names(w)).length === 1);
      await context.settle();
      mustEqual(await names(w), ['db-0'], 'pods');
      await context.delete('db', 'Foreground', STATEFUL_SETS);
      await context.gone('db', STATEFUL_SETS);
      await create(context, { replicas: 3, image: 'broken:1', podManagementPolicy: 'Parallel' });
      await context.eventually('all are there', async () => (await names(w)).length === 3);
    },
  },
  {
    name: 'a StatefulSet is updated down to its partition, and then whole',
    async run(context) {
      const w = new Workloads(context);
      const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 2 } };
      await create(context, { replicas: 3, updateStrategy });
      const before = await settled(context, 3);
      await w.patch('db', newImage, STATEFUL_SETS);
      await context.eventually('the last is updated', async () => String(await images(w)) === 'runs:1,runs:1,runs:2');
      await context.settle();
      mustEqual(await images(w), ['runs:1', 'runs:1', 'runs:2'], 'images');
      const held = (await context.mustLive('db', STATEFUL_SETS)) as StatefulSet;
      mustEqual(held.status?.currentRevision, before.status?.currentRevision, 'current revision');
      await w.patch('db', { updateStrategy: { rollingUpdate: { partition: 0 } } }, STATEFUL_SETS);
      await settled(context, 3);
      mustEqual(await images(w), ['runs:2', 'runs:2', 'runs:2'], 'images');
    },
  },
];
