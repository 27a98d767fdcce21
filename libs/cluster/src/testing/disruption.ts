import type { DisruptionBudget } from '../disruption/decide.js';
import { DISRUPTION_BUDGETS } from '../workload/resources.js';
import { mustEqual } from './context.js';
import type { Scenario } from './context.js';
import { Workloads } from './workloads.js';

/** What disruption budgets must say. */
export const disruptionScenarios: readonly Scenario[] = [
  {
    name: 'a disruption budget says how many pods may go, and follows the size of the Deployment',
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
      const says = (allowed: number, desired: number, expected: number): Promise<DisruptionBudget> =>
        context.eventually(`${allowed} of ${expected} may go`, async () => {
          const budget = (await context.mustLive('web', DISRUPTION_BUDGETS)) as DisruptionBudget;
          const { desiredHealthy, disruptionsAllowed, expectedPods } = budget.status ?? {};
          const isSo = disruptionsAllowed === allowed && desiredHealthy === desired && expectedPods === expected;
          return isSo && budget;
        });
      const { status } = await says(1, 2, 3);
      mustEqual(status?.observedGeneration, 1, 'observed generation');
      mustEqual(status?.conditions?.[0]?.reason, 'SufficientPods', 'reason');
      await w.patch('web', { replicas: 5 });
      await says(1, 4, 5);
      await w.patch('web', { replicas: 0 });
      await says(0, 0, 0);
    },
  },
];
