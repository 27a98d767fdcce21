import type { KubeObject } from '@capstan/meta';
import { FAULT_ANNOTATION } from '../kubelet/faults.js';
import type { ContainerState } from '../kubelet/pod-status.js';
import { PODS } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';
import { CONFIG_MAPS, EVENTS, mustEqual } from './context.js';
import type { Scenario, ScenarioContext } from './context.js';

interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: ContainerState;
  readonly lastState?: ContainerState;
}

/** Makes the pod `p` of a spec. */
async function createPod(context: ScenarioContext, spec: object, metadata: object = {}): Promise<void> {
  const { namespace } = context;
  await context.client.create(PODS, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace, ...metadata },
    spec,
  } as KubeObject);
}

/** A container that runs a shell command. */
function shell(script: string, more: object = {}): object {
  return { name: 'main', image: 'shell:1', command: ['sh', '-c', script], ...more };
}

async function pod(context: ScenarioContext): Promise<Pod> {
  return (await context.mustLive('p', PODS)) as Pod;
}

function statuses({ status }: Pod, list = 'containerStatuses'): readonly ContainerStatus[] {
  return (status?.[list] ?? []) as readonly ContainerStatus[];
}

function until(context: ScenarioContext, what: string, holds: (pod: Pod) => unknown): Promise<Pod> {
  return context.eventually(what, async () => {
    const found = await pod(context);
    return Boolean(holds(found)) && found;
  });
}

function condition({ status }: Pod, type: string): string[] {
  const found = status?.conditions?.find((candidate) => candidate.type === type);
  return [found?.status ?? '', found?.reason ?? '', found?.message ?? ''];
}

async function reasons(context: ScenarioContext): Promise<string[]> {
  const { client, namespace } = context;
  const { items } = await client.list(EVENTS, { namespace, fieldSelector: 'involvedObject.name=p' });
  return items.map((event) => event['reason'] as string);
}

function remove(context: ScenarioContext): Promise<unknown> {
  return context.client.delete(PODS, 'p', { namespace: context.namespace });
}

/** What pods must do, on any server. */
export const podScenarios: readonly Scenario[] = [
  {
    name: 'a pod is scheduled, started and ready, with events',
    async run(context) {
      await createPod(context, { containers: [{ name: 'main', image: 'runs:1' }] });
      const ready = await until(context, 'it is ready', (found) => condition(found, 'Ready')[0] === 'True');
      mustEqual(ready.status?.phase, 'Running', 'phase');
      for (const type of ['PodScheduled', 'Initialized', 'ContainersReady'])
        mustEqual(condition(ready, type), ['True', '', ''], type);
      mustEqual(
        statuses(ready).map(({ name, ready: isReady, restartCount }) => [name, isReady, restartCount]),
        [['main', true, 0]],
        'containers',
      );
      await context.eventually('all events are there', async () => {
        const recorded = await reasons(context);
        return ['Scheduled', 'Pulled', 'Created', 'Started'].every((reason) => recorded.includes(reason));
      });
    },
  },
  {
    name: 'a pod that may not be restarted succeeds or fails as its container does',
    async run(context) {
      for (const [script, phase, exitCode] of [
        ['exit 0', 'Succeeded', 0],
        ['exit 3', 'Failed', 3],
      ] as const) {
        await createPod(context, { restartPolicy: 'Never', containers: [shell(script)] });
        const over = await until(context, `it is ${phase}`, ({ status }) => status?.phase === phase);
        const { terminated } = statuses(over)[0]?.state ?? {};
        mustEqual(
          [terminated?.exitCode, terminated?.reason],
          [exitCode, exitCode === 0 ? 'Completed' : 'Error'],
          'end',
        );
        mustEqual(
          condition(over, 'Ready').slice(0, 2),
          ['False', exitCode === 0 ? 'PodCompleted' : 'PodFailed'],
          'Ready',
        );
        await remove(context);
        await context.gone('p', PODS);
      }
    },
  },
  {
    name: 'init containers run one after the other before the rest, a sidecar next to it',
    async run(context) {
      await createPod(context, {
        restartPolicy: 'Never',
        initContainers: [
          { ...shell('exit 0'), name: 'first' },
          { name: 'sidecar', image: 'runs:1', restartPolicy: 'Always' },
          { ...shell('exit 0'), name: 'second' },
        ],
        containers: [shell('sleep 0.2')],
      });
      const over = await until(context, 'it succeeds', ({ status }) => status?.phase === 'Succeeded');
      const inits = statuses(over, 'initContainerStatuses');
      mustEqual(
        inits.map(({ name, state }) => [name, state.terminated?.exitCode]),
        [
          ['first', 0],
          ['sidecar', 0],
          ['second', 0],
        ],
        'init containers',
      );
    },
  },
  {
    name: 'a failed init container keeps the rest from starting',
    async run(context) {
      await createPod(context, {
        restartPolicy: 'Never',
        initContainers: [{ ...shell('exit 1'), name: 'first' }],
        containers: [{ name: 'main', image: 'runs:1' }],
      });
      const over = await until(context, 'it fails', ({ status }) => status?.phase === 'Failed');
      mustEqual(statuses(over)[0]?.state.waiting?.reason, 'PodInitializing', 'the other');
      mustEqual(condition(over, 'Initialized')[0], 'False', 'Initialized');
    },
  },
  {
    name: 'a crashing container is restarted at once, and then backed off from',
    async run(context) {
      await createPod(context, { containers: [shell('exit 7')] });
      const crashed = await until(
        context,
        'it backs off',
        (found) => statuses(found)[0]?.state.waiting?.reason === 'CrashLoopBackOff',
      );
      const [main] = statuses(crashed);
      const { uid } = crashed.metadata;
      mustEqual(
        main?.state.waiting?.message,
        `back-off 10s restarting failed container=main pod=p_${context.namespace}(${uid})`,
        'message',
      );
      mustEqual([main?.restartCount, main?.lastState?.terminated?.exitCode], [1, 7], 'restarts and last end');
      mustEqual([crashed.status?.phase, condition(crashed, 'Ready')[1]], ['Running', 'ContainersNotReady'], 'phase');
    },
  },
  {
    name: 'a container waits for the ConfigMap its environment comes from',
    async run(context) {
      const env = [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'late', key: 'a' } } }];
      await createPod(context, { containers: [{ name: 'main', image: 'runs:1', env }] });
      const reason = 'CreateContainerConfigError';
      const waiting = await until(context, 'it waits', (found) => statuses(found)[0]?.state.waiting?.reason === reason);
      mustEqual(statuses(waiting)[0]?.state.waiting?.message, 'configmap "late" not found', 'message');
      const { client, namespace } = context;
      const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'late', namespace }, data: { a: 'b' } };
      await client.create(CONFIG_MAPS, map);
      await until(context, 'it runs', (found) => statuses(found)[0]?.state.running);
    },
  },
  {
    name: 'a readiness gate holds a pod back until its condition is true',
    async run(context) {
      const type = 'example.com/gate';
      await createPod(context, {
        readinessGates: [{ conditionType: type }],
        containers: [{ name: 'main', image: 'runs:1' }],
      });
      const held = await until(
        context,
        'its containers are ready',
        (found) => condition(found, 'ContainersReady')[0] === 'True',
      );
      mustEqual(
        condition(held, 'Ready'),
        ['False', 'ReadinessGatesNotReady', `corresponding condition of pod readiness gate "${type}" does not exist.`],
        'Ready',
      );
      const value = { status: { conditions: [{ type, status: 'True' }] } };
      const { client, namespace } = context;
      await client.patch(PODS, 'p', { type: 'strategic', value }, { namespace, subresource: 'status' });
      const ready = await until(context, 'it is ready', (found) => condition(found, 'Ready')[0] === 'True');
      mustEqual(condition(ready, 'Ready'), ['True', '', ''], 'Ready');
      mustEqual(condition(ready, type)[0], 'True', 'the condition of others');
    },
  },
  {
    name: 'a pod that no node is big enough for reports why',
    async run(context) {
      const resources = { requests: { cpu: '100k' } };
      await createPod(context, { containers: [{ name: 'main', image: 'runs:1', resources }] });
      const refused = await until(
        context,
        'it is refused',
        (found) => condition(found, 'PodScheduled')[1] === 'Unschedulable',
      );
      mustEqual(
        condition(refused, 'PodScheduled')[2],
        '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
        'message',
      );
      await context.eventually('there is an event', async () => (await reasons(context)).includes('FailedScheduling'));
    },
  },
  {
    name: 'a gated pod is scheduled when its last gate is gone',
    async run(context) {
      await createPod(context, {
        schedulingGates: [{ name: 'example.com/wait' }],
        containers: [{ name: 'main', image: 'runs:1' }],
      });
      mustEqual(condition(await pod(context), 'PodScheduled')[1], 'SchedulingGated', 'reason');
      const { client, namespace } = context;
      await client.patch(PODS, 'p', { type: 'merge', value: { spec: { schedulingGates: null } } }, { namespace });
      await until(context, 'it runs', ({ status }) => status?.phase === 'Running');
    },
  },
  {
    name: 'a deleted pod goes as soon as its containers have ended, not before',
    async run(context) {
      const annotations = { [FAULT_ANNOTATION]: 'stuck-terminating' };
      await createPod(context, { containers: [{ name: 'main', image: 'runs:1' }] }, { annotations });
      await until(context, 'it runs', ({ status }) => status?.phase === 'Running');
      await remove(context);
      await context.settle();
      mustEqual(statuses(await pod(context))[0]?.state.running === undefined, false, 'it has ended');
      const { client, namespace } = context;
      await client.patch(PODS, 'p', { type: 'merge', value: { metadata: { annotations: null } } }, { namespace });
      await context.gone('p', PODS);
      await context.eventually('its termination was recorded', async () =>
        (await reasons(context)).includes('Killing'),
      );
    },
  },
];
