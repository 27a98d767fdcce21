import { compareBytes } from '@capstan/meta';
import type { DaemonSet } from '../daemon-set/decide.js';
import { DAEMON_SETS, NODES } from '../workload/resources.js';
import type { ScenarioContext } from './context.js';
import { mustEqual } from './context.js';
import type { Scenario } from './context.js';
import { workload, Workloads } from './workloads.js';

/** Nodes of the scenario's own, known by a label. */
async function nodes(context: ScenarioContext, ...names: string[]): Promise<void> {
  for (const name of names) {
    const full = `${name}-${context.suffix}`;
    context.onCleanup(() => context.client.delete(NODES, full));
    const metadata = { name: full, labels: { scenario: context.suffix } };
    await context.client.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata });
    // A new node is tainted until a controller finds it ready.
    await setTaints(context, name, []);
  }
}

async function setTaints(context: ScenarioContext, name: string, taints: readonly object[]): Promise<void> {
  const value = { spec: { taints } };
  await context.client.patch(NODES, `${name}-${context.suffix}`, { type: 'merge', value });
}

async function create(context: ScenarioContext, spec: Record<string, unknown> = {}): Promise<void> {
  const set = workload(context, 'DaemonSet', 'agent', spec) as DaemonSet;
  const { template } = set.spec;
  const pod = { ...template, spec: { ...template.spec, nodeSelector: { scenario: context.suffix } } };
  await context.client.create(DAEMON_SETS, { ...set, spec: { ...set.spec, template: pod } });
}

/** Waits until so many nodes have an up-to-date pod that is available. */
function settled(context: ScenarioContext, count: number): Promise<DaemonSet> {
  return context.eventually(`${count} nodes have their pod`, async () => {
    const set = (await context.mustLive('agent', DAEMON_SETS)) as DaemonSet;
    const {
      desiredNumberScheduled,
      numberAvailable = 0,
      observedGeneration,
      updatedNumberScheduled = 0,
    } = set.status ?? {};
    const isThere = [desiredNumberScheduled, numberAvailable, updatedNumberScheduled].every((each) => each === count);
    return isThere && observedGeneration === set.metadata.generation && set;
  });
}

const places = async (context: ScenarioContext): Promise<string[]> =>
  (await new Workloads(context).activePods('agent'))
    .map(({ spec }) => (spec?.nodeName ?? '').replace(`-${context.suffix}`, ''))
    .sort(compareBytes);

/** What DaemonSets must do. */
export const daemonSetScenarios: readonly Scenario[] = [
  {
    name: 'a DaemonSet has one pod on each of its nodes, also on those that come later',
    async run(context) {
      await nodes(context, 'a', 'b');
      await create(context);
      await settled(context, 2);
      mustEqual(await places(context), ['a', 'b'], 'places');
      await nodes(context, 'c');
      await settled(context, 3);
      mustEqual(await places(context), ['a', 'b', 'c'], 'places');
      await setTaints(context, 'b', [{ key: 'gone', effect: 'NoExecute' }]);
      await settled(context, 2);
      await context.eventually('the pod has gone', async () => String(await places(context)) === 'a,c');
      await setTaints(context, 'c', [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }]);
      await context.settle();
      mustEqual(await places(context), ['a', 'c'], 'places');
    },
  },
  {
    name: 'a DaemonSet is updated node by node, or when its pods are deleted',
    async run(context) {
      const w = new Workloads(context);
      await nodes(context, 'a', 'b', 'c');
      await create(context);
      await settled(context, 3);
      const template = (image: string) => ({ template: { spec: { containers: [{ name: 'main', image }] } } });
      await w.patch('agent', template('runs:2'), DAEMON_SETS);
      await settled(context, 3);
      const images = async (): Promise<unknown[]> =>
        (await w.activePods('agent')).map(
          ({ spec }) => (spec?.['containers'] as { image: string }[] | undefined)?.[0]?.image,
        );
      mustEqual(await images(), ['runs:2', 'runs:2', 'runs:2'], 'images');
      await w.patch(
        'agent',
        { updateStrategy: { type: 'OnDelete', rollingUpdate: null }, ...template('runs:3') },
        DAEMON_SETS,
      );
      await context.settle();
      mustEqual(await images(), ['runs:2', 'runs:2', 'runs:2'], 'images');
      for (const { metadata } of await w.pods('agent'))
        await context.client.delete({ ...NODES, plural: 'pods', namespaced: true }, metadata.name ?? '', {
          namespace: context.namespace,
        });
      await settled(context, 3);
      mustEqual(await images(), ['runs:3', 'runs:3', 'runs:3'], 'images');
    },
  },
  {
    name: 'a DaemonSet whose new pods do not become ready takes no second one down',
    async run(context) {
      const w = new Workloads(context);
      await nodes(context, 'a', 'b', 'c');
      await create(context);
      await settled(context, 3);
      await w.patch(
        'agent',
        { template: { spec: { containers: [{ name: 'main', image: 'broken:1' }] } } },
        DAEMON_SETS,
      );
      const status = async () => ((await context.mustLive('agent', DAEMON_SETS)) as DaemonSet).status;
      await context.eventually('one is down', async () => (await status())?.numberUnavailable === 1);
      await context.settle();
      const { numberAvailable, updatedNumberScheduled } = (await status()) ?? {};
      mustEqual([numberAvailable, updatedNumberScheduled], [2, 1], 'status');
    },
  },
];
