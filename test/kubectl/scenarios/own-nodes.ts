import type { KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import { deployment, NODES } from '../objects.js';
import type { Scenario } from '../scenario.js';
import type { Session } from '../session.js';
import { accountMade } from './own-pods.js';
import { eventuallySees } from '../../src/wait.js';

const PDB = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name: 'web' },
  spec: { minAvailable: 2, selector: { matchLabels: { app: 'web' } } },
};

/** The deployment `web`, whose pods are labelled so that they differ from those of concurrent scenarios. */
async function deployed(k: Session, ...more: object[]): Promise<void> {
  await accountMade(k);
  const web = deployment() as KubeObject & { spec: { template: object } };
  const template = { ...web.spec.template, metadata: { labels: { app: 'web', scenario: k.namespace } } };
  k.file('web.json', [{ ...web, spec: { ...web.spec, template } }, ...more]);
  await k.output('create -f web.json');
  await k.output('rollout status deploy/web --timeout=20s');
}

/** Where the pods of the scenario run, sorted. */
async function places(k: Session): Promise<string[]> {
  const names = await k.output(['get', 'pods', '-o', 'jsonpath={.items[*].spec.nodeName}']);
  return names
    .split(' ')
    .filter((name) => name !== '')
    .sort();
}

async function drained(k: Session): Promise<void> {
  await deployed(k, PDB);
  await k.output('wait pdb/web --for=jsonpath={.status.currentHealthy}=2 --timeout=20s');
  const [node = ''] = await places(k);
  const drain = `drain ${node} --pod-selector=scenario=${k.namespace}`;
  try {
    const refused = await k.run(`${drain} --timeout=2s`);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /error when evicting pods\/"web-\S+" -n "<ns>" \(will retry after 5s\): Cannot evict pod as it would violate the pod's disruption budget\./,
    );
    const going = k.start(`${drain} --timeout=40s`);
    await going.lines(2);
    await k.prints('scale deploy/web --replicas=4', 'deployment.apps/web scaled\n');
    const { code, stdout } = await going.ended();
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: `node/${node} drained` });
    await k.output('rollout status deploy/web --timeout=20s');
    const left = await eventuallySees(
      'there are four pods',
      () => places(k),
      (names) => names.length === 4,
    );
    expect(left).not.toContain(node);
  } finally {
    await k.output(`uncordon ${node}`);
  }
}

async function rolled(k: Session): Promise<void> {
  await deployed(k);
  await k.prints('set image deploy/web main=nginx:2', 'deployment.apps/web image updated\n');
  await k.output('rollout status deploy/web --timeout=20s');
  const history = await k.output('rollout history deploy/web');
  expect(history.replaceAll(/\s+/g, ' ').trim()).toBe('deployment.apps/web REVISION CHANGE-CAUSE 1 <none> 2 <none>');
  await k.prints('rollout undo deploy/web', 'deployment.apps/web rolled back\n');
  await k.output('rollout status deploy/web --timeout=20s');
  await k.prints('rollout restart deploy/web', 'deployment.apps/web restarted\n');
  await k.output('rollout status deploy/web --timeout=20s');
  await k.prints('scale deploy/web --replicas=1', 'deployment.apps/web scaled\n');
  await eventuallySees(
    'there is one pod',
    () => places(k),
    (names) => names.length === 1,
  );
}

async function removed(k: Session): Promise<void> {
  await deployed(k);
  const { code, stdout } = await k.run(`delete ns ${k.namespace} --timeout=30s`);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'namespace "<ns>" deleted\n' });
  await k.fails(`get ns ${k.namespace}`, 'Error from server (NotFound): namespaces "<ns>" not found\n');
}

async function accounts(k: Session): Promise<void> {
  await accountMade(k);
  await k.prints('create sa robot', 'serviceaccount/robot created\n');
  await k.prints(
    'create role reader --verb=get,list --resource=pods',
    'role.rbac.authorization.k8s.io/reader created\n',
  );
  await k.prints(
    `create rolebinding robot --role=reader --serviceaccount=${k.namespace}:robot`,
    'rolebinding.rbac.authorization.k8s.io/robot created\n',
  );
  const listed = await k.output(`auth can-i --list --as system:serviceaccount:${k.namespace}:robot`);
  expect(listed).toMatch(/^pods\s+\[\]\s+\[\]\s+\[get list\]$/m);
  const token = (await k.output('create token robot')).trim();
  expect(token.split('.')).toHaveLength(3);
  const answer = await fetchPods(k, token);
  expect(answer.code).toBe(0);
  const refused = await k.run([
    '--token',
    token,
    '--server',
    k.cluster.url,
    '--insecure-skip-tls-verify',
    ...asNobody(k),
    'get',
    'secrets',
  ]);
  expect(refused.stderr).toBe(
    'Error from server (Forbidden): secrets is forbidden: User "system:serviceaccount:<ns>:robot" cannot list resource "secrets" in API group "" in the namespace "<ns>"\n',
  );
}

function asNobody(k: Session): string[] {
  return ['--kubeconfig', k.file('nobody', 'apiVersion: v1\nkind: Config\n')];
}

function fetchPods(k: Session, token: string): Promise<{ code: number | null }> {
  return k.run([
    '--token',
    token,
    '--server',
    k.cluster.url,
    '--insecure-skip-tls-verify',
    ...asNobody(k),
    'get',
    'pods',
  ]);
}

/** What our own scheduler, nodes and controllers make of whole clusters. */
export const ownNodeScenarios: readonly Scenario[] = [
  { name: 'drain waits for a disruption budget, and goes on when there are more pods', run: drained },
  { name: 'rollouts, undone and repeated, run on our nodes', run: rolled },
  { name: 'delete ns takes the pods of our nodes along', smoke: true, run: removed },
  { name: 'accounts are listed what they may do, and their tokens work', smoke: true, run: accounts },
  {
    name: 'top is refused as without a metrics server',
    run: async (k) => {
      for (const what of ['pods', 'nodes']) await k.fails(`top ${what}`, 'error: Metrics API not available\n');
    },
  },
  {
    name: 'the nodes are seen to be ready',
    smoke: true,
    run: async (k) => {
      await k.output('wait --for=condition=Ready node/node-0 node/node-1 --timeout=20s');
      expect((await k.client.list(NODES)).items.map(({ metadata }) => metadata.name)).toEqual(['node-0', 'node-1']);
    },
  },
];
