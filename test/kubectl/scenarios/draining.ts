import { expect } from 'vitest';
import { deployment } from '../objects.js';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';

const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };

/** The deployment `web` with all its pods on a node of the scenario's own, guarded by a budget of two. */
async function started(k: Session): Promise<string> {
  const node = `node-${k.namespace}`;
  await k.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: node } });
  const web = deployment() as { spec?: { template: { spec: object } } };
  const template = { ...web.spec?.template, spec: { ...web.spec?.template.spec, nodeName: node } };
  const budget = {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web' },
    spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
  };
  k.file('web.json', [{ ...web, spec: { ...web.spec, template } }, budget]);
  await k.output('create -f web.json');
  await k.output('rollout status deploy/web --timeout=20s');
  await allows(k, 0);
  return node;
}

async function allows(k: Session, count: number): Promise<void> {
  const path = `jsonpath={.status.currentHealthy}=${count + 2}`;
  await k.output(`wait pdb/web --for=${path} --timeout=20s`);
}

/** Nodes are emptied as budgets allow. */
export const drainScenarios: readonly Scenario[] = [
  {
    name: 'drain is refused by a disruption budget, and goes on when it allows',
    run: async (k) => {
      const node = await started(k);
      try {
        const refused = await k.run(`drain ${node} --timeout=3s`);
        expect(refused.code).toBe(1);
        expect(refused.stdout).toContain(`node/node-<ns> cordoned\n`);
        expect(refused.stderr).toMatch(
          /error when evicting pods\/"web-\S+" -n "<ns>" \(will retry after 5s\): Cannot evict pod as it would violate the pod's disruption budget\./,
        );
        await k.prints('scale deploy/web --replicas=3', 'deployment.apps/web scaled\n');
        await allows(k, 1);
        const pod = await k.output(['get', 'pods', '-o', 'jsonpath={.items[0].metadata.name}']);
        const drained = await k.run(`drain ${node} --timeout=20s --pod-selector=pod-template-hash`);
        expect({ code: drained.code, last: drained.stdout.trimEnd().split('\n').at(-1) }).toEqual({
          code: 0,
          last: 'node/node-<ns> drained',
        });
        expect((await k.run(`get pod ${pod}`)).stderr).toBe(`Error from server (NotFound): pods "${pod}" not found\n`);
        await k.prints(`uncordon ${node}`, 'node/node-<ns> uncordoned\n');
      } finally {
        await k.client.delete(NODES, node);
      }
    },
  },
];
