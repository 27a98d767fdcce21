import type { KubeObject } from '@capstan/meta';
import { isNotFound } from '@capstan/meta';
import { expect } from 'vitest';
import { PRIVATE, resourceOf, STANDARD } from '../../../proxy/both-groups.js';
import { CONFIG_MAPS, configMap, ownedBy } from '../../objects.js';
import { proxyTo } from '../../proxied.js';
import type { Scenario } from '../../scenario.js';
import type { Session } from '../../session.js';
import { withPlatform, cluster, machine, STORED } from './objects.js';
import { eventuallySees } from '../../../src/wait.js';

const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
const ROLES = { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'roles', namespaced: true };

function direct(k: Session): { readonly kubeconfig: string } {
  const { direct: way } = k.cluster;
  if (way === undefined) throw new Error('there is no way past the proxy');
  return way;
}

function ownersOf({ metadata }: KubeObject): string[] {
  return (metadata.ownerReferences ?? []).map(({ apiVersion, name }) => `${apiVersion} ${name}`);
}

/** Shared kinds name their owners by private groups behind the proxy, and by the platform's where those are meant. */
async function owners(k: Session): Promise<void> {
  const { namespace } = k;
  const owner = await k.create(STORED.clusters, cluster('hosted', PRIVATE));
  const seen = { ...ownedBy(owner), apiVersion: `${STANDARD}/v1beta2` };
  const owned = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'made', ownerReferences: [seen] } };
  await k.prints(`create -f ${k.file('made.json', [owned])}`, 'secret/made created\n');
  await k.prints('create secret generic typed --from-literal=a=b', 'secret/typed created\n');
  await k.prints(
    ['patch', 'secret', 'typed', '-p', JSON.stringify({ metadata: { ownerReferences: [seen] } })],
    'secret/typed patched\n',
  );
  for (const name of ['made', 'typed']) {
    expect(ownersOf(await k.client.get(SECRETS, name, { namespace }))).toEqual([`${PRIVATE}/v1beta2 hosted`]);
    await k.prints(
      ['get', 'secret', name, '-o', 'jsonpath={.metadata.ownerReferences[*].apiVersion}'],
      `${STANDARD}/v1beta2`,
    );
  }
  const platforms = await k.client.get(resourceOf(STANDARD, 'clusters'), 'hosted', { namespace });
  await k.create(CONFIG_MAPS, configMap('platforms', {}, { ownerReferences: [ownedBy(platforms)] }));
  await k.prints('label cm platforms seen=yes', 'configmap/platforms labeled\n');
  const kept = await k.output('get cm platforms -o yaml');
  await k.prints(['replace', '-f', k.file('kept.yaml', kept)], 'configmap/platforms replaced\n');
  expect(ownersOf(await k.client.get(CONFIG_MAPS, 'platforms', { namespace }))).toEqual([`${STANDARD}/v1beta2 hosted`]);
  expect((await k.run('delete cluster hosted')).code).toBe(0);
  for (const name of ['made', 'typed'])
    await eventuallySees(
      `Secret ${name} is gone`,
      () => k.client.get(SECRETS, name, { namespace }).then(() => false, isNotFound),
      Boolean,
    );
  expect((await k.client.get(CONFIG_MAPS, 'platforms', { namespace })).metadata.labels).toEqual({ seen: 'yes' });
}

/** Access is checked for private groups, and shown for standard ones. */
async function access(k: Session): Promise<void> {
  await k.create(STORED.machines, machine('one', 'hosted', PRIVATE));
  await k.prints(`auth can-i delete machines.${STANDARD}`, 'yes\n');
  await k.prints('create sa robot', 'serviceaccount/robot created\n');
  await k.prints(
    `create role reader --verb=get,list --resource=machines.${STANDARD}`,
    'role.rbac.authorization.k8s.io/reader created\n',
  );
  await k.prints(
    ['create', 'rolebinding', 'reads', '--role=reader', `--serviceaccount=${k.namespace}:robot`],
    'rolebinding.rbac.authorization.k8s.io/reads created\n',
  );
  const { rules } = (await k.client.get(ROLES, 'reader', { namespace: k.namespace })) as KubeObject & {
    rules: unknown;
  };
  expect(rules).toEqual([{ apiGroups: [PRIVATE], resources: ['machines'], verbs: ['get', 'list'] }]);
  await k.prints(['get', 'role', 'reader', '-o', 'jsonpath={.rules[*].apiGroups[*]}'], STANDARD);
  const token = (await k.output('create token robot')).trim();
  const proxy = await proxyTo(direct(k), token);
  try {
    const as = `--server=${proxy.url}`;
    const may = (verb: string) => k.raw(['auth', 'can-i', verb, `machines.${STANDARD}`, as]);
    await eventuallySees(
      'the account may list',
      () => may('list'),
      ({ stdout }) => stdout === 'yes\n',
    );
    expect(await may('delete')).toMatchObject({ code: 1, stdout: 'no\n' });
    const permissions = await k.output(['auth', 'can-i', '--list', as]);
    expect(permissions).toMatch(/^machines\.cluster\.x-k8s\.io +\[\] +\[\] +\[get list\]$/m);
    expect(permissions).not.toContain('hypershift');
    await k.prints(['get', 'machines', '-o', 'name', as], 'machine.cluster.x-k8s.io/one\n');
    await k.fails(
      ['get', 'clusters', as],
      `Error from server (Forbidden): clusters.${STANDARD} is forbidden: User "system:serviceaccount:<ns>:robot" cannot list resource "clusters" in API group "${STANDARD}" in the namespace "<ns>"\n`,
    );
  } finally {
    await proxy.close();
  }
  const other = await k.run('get machines --as=bob');
  expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('the proxy acts under its own name') });
}

/** What others share with private kinds. */
export const privateSharingScenarios: readonly Scenario[] = [
  { name: 'owners of shared kinds are private ones, and the garbage of those', run: withPlatform(owners) },
  {
    name: 'auth can-i and roles speak of standard groups and mean private ones',
    smoke: true,
    run: withPlatform(access),
  },
];
