import { ignoreNotFound } from '@capstan/meta';
import type { DisruptionBudget } from '../disruption/decide.js';
import { DISRUPTION_BUDGETS, PODS } from '../workload/resources.js';
import { CRDS, mustEqual, ownedBy } from './context.js';
import type { Scenario } from './context.js';
import { template, Workloads } from './workloads.js';

/** What disruption budgets must say. */
export const disruptionScenarios: readonly Scenario[] = [
  {
    name: 'a disruption budget counts the allowed disruptions, and follows the size of the Deployment',
    async run(context) {
      const w = new Workloads(context);
      await w.create('Deployment', 'web', { replicas: 3 });
      await w.rolledOut('web', 3);
      await context.client.create(DISRUPTION_BUDGETS, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'web', namespace: context.namespace },
        spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'web' } } },
      });
      const expectStatus = (allowed: number, desired: number, expected: number): Promise<DisruptionBudget> =>
        context.eventually(`${allowed} of ${expected} may go`, async () => {
          const budget = (await context.mustLive('web', DISRUPTION_BUDGETS)) as DisruptionBudget;
          const { desiredHealthy, disruptionsAllowed, expectedPods } = budget.status ?? {};
          const isSo = disruptionsAllowed === allowed && desiredHealthy === desired && expectedPods === expected;
          return isSo && budget;
        });
      const { status } = await expectStatus(1, 2, 3);
      mustEqual(status?.observedGeneration, 1, 'observed generation');
      mustEqual(status?.conditions?.[0]?.reason, 'SufficientPods', 'reason');
      await w.patch('web', { replicas: 5 });
      await expectStatus(1, 4, 5);
      await w.patch('web', { replicas: 0 });
      await expectStatus(0, 0, 0);
    },
  },
  {
    name: 'a disruption budget asks the scale of a custom resource how many pods there should be',
    async run(context) {
      const { client, namespace, suffix } = context;
      const group = `capstan-${suffix}.example.com`;
      const crd = `flocks.${group}`;
      context.onCleanup(() => client.delete(CRDS, crd));
      const replicas = { type: 'integer' };
      const schema = {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: { type: 'object', properties: { replicas } },
            status: { type: 'object', properties: { replicas } },
          },
        },
      };
      const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
      await client.create(CRDS, {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: crd },
        spec: {
          group,
          names: { plural: 'flocks', singular: 'flock', kind: 'Flock', listKind: 'FlockList' },
          scope: 'Namespaced',
          versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { scale } }],
        },
      });
      const flocks = { group, version: 'v1', plural: 'flocks', namespaced: true };
      const flock = await context.eventually('flocks are served', () =>
        client
          .create(flocks, {
            apiVersion: `${group}/v1`,
            kind: 'Flock',
            metadata: { name: 'f', namespace },
            spec: { replicas: 4 },
          })
          .catch(ignoreNotFound),
      );
      const pod = template('web');
      for (const name of ['a', 'b', 'c'])
        await client.create(PODS, {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: {
            name,
            namespace,
            labels: { app: 'web' },
            ownerReferences: [ownedBy(flock, { controller: true })],
          },
          ...(pod.spec === undefined ? {} : { spec: pod.spec }),
        });
      await new Workloads(context).readyPods('web', 3);
      await client.create(DISRUPTION_BUDGETS, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name: 'web', namespace },
        spec: { maxUnavailable: '50%', selector: { matchLabels: { app: 'web' } } },
      });
      await context.eventually('one of four may be evicted in addition to the one that is missing', async () => {
        const { status } = (await context.mustLive('web', DISRUPTION_BUDGETS)) as DisruptionBudget;
        const { desiredHealthy, disruptionsAllowed, expectedPods } = status ?? {};
        return expectedPods === 4 && desiredHealthy === 2 && disruptionsAllowed === 1;
      });
    },
  },
];
