import { FAULT_ANNOTATION } from '../kubelet/faults.js';
import { findCondition } from '../workload/conditions.js';
import { DEPLOYMENTS, PODS, REPLICA_SETS } from '../workload/resources.js';
import type { ReplicaSet } from '../workload/resources.js';
import { mustEqual } from './context.js';
import type { Scenario } from './context.js';
import { ownerUid, Workloads } from './workloads.js';

const REVISION = 'deployment.kubernetes.io/revision';

function sizes(sets: readonly ReplicaSet[]): (number | undefined)[] {
  return sets.map(({ spec }) => spec.replicas);
}

/** What ReplicaSets and Deployments must do. */
export const deploymentScenarios: readonly Scenario[] = [
  {
    name: 'a ReplicaSet creates its pods, replaces lost ones and counts them in its status',
    async run(context) {
      const w = new Workloads(context);
      const set = await w.create('ReplicaSet', 'web', { replicas: 3 });
      const pods = await w.readyPods('web', 3);
      for (const { metadata } of pods) {
        mustEqual(metadata.generateName, 'web-', 'generateName');
        mustEqual(metadata.ownerReferences?.[0]?.uid, set.metadata.uid, 'owner');
      }
      await context.client.delete(PODS, pods[0]?.metadata.name ?? '', { namespace: context.namespace });
      await context.gone(pods[0]?.metadata.name ?? '', PODS);
      await w.readyPods('web', 3);
      await context.eventually('the status has the counts', async () => {
        const { status } = (await context.mustLive('web', REPLICA_SETS)) as ReplicaSet;
        return status?.replicas === 3 && status.readyReplicas === 3 && status.availableReplicas === 3;
      });
    },
  },
  {
    name: 'a ReplicaSet takes pods without owner and lets go of pods it no longer selects',
    async run(context) {
      const w = new Workloads(context);
      const spec = { containers: [{ name: 'main', image: 'runs:1' }], terminationGracePeriodSeconds: 0 };
      const metadata = { name: 'stray', namespace: context.namespace, labels: { app: 'web' } };
      await context.client.create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata, spec });
      const set = await w.create('ReplicaSet', 'web', { replicas: 2 });
      await w.readyPods('web', 2);
      mustEqual(ownerUid(await context.mustLive('stray', PODS)), set.metadata.uid, 'owner of the stray');
      const value = { metadata: { labels: { app: 'other' } } };
      await context.client.patch(PODS, 'stray', { type: 'merge', value }, { namespace: context.namespace });
      await w.readyPods('web', 2);
      await context.eventually(
        'the stray is free',
        async () => ownerUid(await context.mustLive('stray', PODS)) === undefined,
      );
    },
  },
  {
    name: 'a Deployment rolls out, scales, and reports both',
    async run(context) {
      const w = new Workloads(context);
      const created = await w.create('Deployment', 'web', { replicas: 2 });
      const deployment = await w.rolledOut('web', 2);
      const [set] = await w.sets('web');
      const hash = set?.metadata.labels?.['pod-template-hash'] ?? '';
      mustEqual(set?.metadata.name, `web-${hash}`, 'name of the ReplicaSet');
      mustEqual(set?.spec.selector.matchLabels, { app: 'web', 'pod-template-hash': hash }, 'its selector');
      mustEqual(ownerUid(set ?? created), created.metadata.uid, 'its owner');
      mustEqual(deployment.metadata.annotations?.[REVISION], '1', 'revision');
      const conditions = (deployment.status?.conditions ?? []).map(({ type, status, reason, message }) =>
        [type, status, reason, message].join(' '),
      );
      mustEqual(
        conditions.sort(),
        [
          'Available True MinimumReplicasAvailable Deployment has minimum availability.',
          `Progressing True NewReplicaSetAvailable ReplicaSet "web-${hash}" has successfully progressed.`,
        ],
        'conditions',
      );
      await w.patch('web', { replicas: 4 });
      await w.rolledOut('web', 4);
      await w.patch('web', { replicas: 1 });
      await w.rolledOut('web', 1);
      await w.readyPods('web', 1);
      mustEqual((await w.sets('web')).length, 1, 'ReplicaSets after scaling');
    },
  },
  {
    name: 'a new template is a new revision, an old one comes back as the newest',
    async run(context) {
      const w = new Workloads(context);
      await w.create('Deployment', 'web', { replicas: 3 });
      await w.rolledOut('web', 3);
      await w.setImage('web', 'runs:2');
      await w.rolledOut('web', 3);
      const [first, second] = await w.sets('web');
      mustEqual(sizes(await w.sets('web')), [0, 3], 'sizes');
      await w.setImage('web', 'runs:1');
      const back = await w.rolledOut('web', 3);
      mustEqual(back.metadata.annotations?.[REVISION], '3', 'revision');
      const names = (await w.sets('web')).map(({ metadata }) => metadata.name);
      mustEqual(names, [second?.metadata.name, first?.metadata.name], 'ReplicaSets by revision');
      const history = (await w.sets('web'))[1]?.metadata.annotations?.['deployment.kubernetes.io/revision-history'];
      mustEqual(history, '1', 'revisions it was');
    },
  },
  {
    name: 'a rollout that does not become ready keeps enough of the old pods, and can be scaled in proportion',
    async run(context) {
      const w = new Workloads(context);
      const rollingUpdate = { maxSurge: 1, maxUnavailable: 1 };
      await w.create('Deployment', 'web', { replicas: 4, strategy: { type: 'RollingUpdate', rollingUpdate } });
      await w.rolledOut('web', 4);
      await w.setImage('web', 'broken:1');
      await context.eventually('it is stuck', async () => String(sizes(await w.sets('web'))) === '3,2');
      await context.settle();
      mustEqual(sizes(await w.sets('web')), [3, 2], 'sizes');
      await w.patch('web', { replicas: 9 });
      await context.eventually('it is scaled', async () => String(sizes(await w.sets('web'))) === '6,4');
      await w.setImage('web', 'runs:1');
      await w.rolledOut('web', 9);
    },
  },
  {
    name: 'Recreate has no two revisions running at once',
    async run(context) {
      const w = new Workloads(context);
      await w.create('Deployment', 'web', { replicas: 2, strategy: { type: 'Recreate' } });
      await w.rolledOut('web', 2);
      const [held] = await w.pods('web');
      const name = held?.metadata.name ?? '';
      const { namespace } = context;
      const annotations = { [FAULT_ANNOTATION]: 'stuck-terminating' };
      const value = { metadata: { finalizers: ['capstan.test/hold'], annotations } };
      await context.client.patch(PODS, name, { type: 'merge', value }, { namespace });
      await w.setImage('web', 'runs:2');
      await context.eventually('the old pods go', async () => (await w.activePods('web')).length === 0);
      await context.settle();
      mustEqual((await w.sets('web')).length, 1, 'ReplicaSets while an old pod is there');
      await context.release(name, PODS);
      await w.rolledOut('web', 2);
      mustEqual(sizes(await w.sets('web')), [0, 2], 'sizes');
    },
  },
  {
    name: 'a paused Deployment is scaled but not rolled out',
    async run(context) {
      const w = new Workloads(context);
      await w.create('Deployment', 'web', { replicas: 1 });
      await w.rolledOut('web', 1);
      await w.patch('web', { paused: true, replicas: 2 });
      await w.setImage('web', 'runs:2');
      await context.eventually('it is scaled', async () => String(sizes(await w.sets('web'))) === '2');
      await context.eventually('the pause is noted', async () => {
        const { conditions } = (await w.deployment('web')).status ?? {};
        return findCondition(conditions, 'Progressing')?.reason === 'DeploymentPaused';
      });
      await context.settle();
      mustEqual((await w.sets('web')).length, 1, 'ReplicaSets');
      await w.patch('web', { paused: false });
      await context.eventually('it rolls out', async () => String(sizes(await w.sets('web'))) === '0,2');
      await w.rolledOut('web', 2);
    },
  },
  {
    name: 'old ReplicaSets are kept up to the limit',
    async run(context) {
      const w = new Workloads(context);
      await w.create('Deployment', 'web', { replicas: 1, revisionHistoryLimit: 1 });
      for (const image of ['runs:2', 'runs:3', 'runs:4']) {
        await w.rolledOut('web', 1);
        await w.setImage('web', image);
      }
      await w.rolledOut('web', 1);
      await context.eventually('the history is cut', async () => (await w.sets('web')).length === 2);
      mustEqual(sizes(await w.sets('web')), [0, 1], 'sizes');
    },
  },
  {
    name: 'a rollout without progress is called off after its time',
    async run(context) {
      const w = new Workloads(context);
      await w.create('Deployment', 'web', { replicas: 1, image: 'broken:1', progressDeadlineSeconds: 1 });
      const condition = await context.eventually('the deadline is noted', async () => {
        const { conditions } = (await w.deployment('web')).status ?? {};
        const found = findCondition(conditions, 'Progressing');
        return found?.reason === 'ProgressDeadlineExceeded' && found;
      });
      const [set] = await w.sets('web');
      const message = `ReplicaSet "${set?.metadata.name}" has timed out progressing.`;
      mustEqual([condition.status, condition.message], ['False', message], 'condition');
    },
  },
  {
    name: 'a deleted Deployment takes ReplicaSets and pods with it',
    async run(context) {
      const w = new Workloads(context);
      await w.create('Deployment', 'web', { replicas: 2 });
      await w.rolledOut('web', 2);
      await context.delete('web', 'Foreground', DEPLOYMENTS);
      await context.gone('web', DEPLOYMENTS);
      mustEqual([(await w.sets('web')).length, (await w.pods('web')).length], [0, 0], 'what is left');
    },
  },
];
