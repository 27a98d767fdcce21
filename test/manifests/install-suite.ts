import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, kubeconfigJson, fixedCredentials, HttpTransport } from '@capstan/kube';
import type { ResourceRef } from '@capstan/kube';
import { ignoreNotFound, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventuallySees } from '../src/wait.js';
import { become, RESOURCES } from './accounts.js';
import type { Access } from './accounts.js';
import { readNote, resolvesAsPrinted } from './kubectl-names.js';
import { EXTRA_GROUPS, readsWhatIsServed } from './own-account.js';
import { expectTakenOver, installUpstream, specsOf } from './upstream-operator.js';

const PROGRAM = fileURLToPath(new URL('../../apps/cli/bin/capstan.js', import.meta.url));
const LIMIT_MS = 120_000;
/** It looks again twice a minute. */
const OPERATOR_LIMIT_MS = 400_000;
const NAMESPACE = 'install-private';
const STANDARD_CRD = 'machines.cluster.x-k8s.io';
const IDENTITY_CRD = 'awsclustercontrolleridentities.infrastructure.cluster.x-k8s.io';
const HOME = 'install-home';
const PRIVATE_GROUP = 'cluster.hypershift.openshift.io';
const MOVED = `${NAMESPACE}-moved`;
/** Marks what this suite has created in place of others. */
const OURS = 'install-suite';
const INSTALL = ['--private-capi-types', '-n', NAMESPACE];

const NAMESPACES: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const API_SERVICES: ResourceRef = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  plural: 'apiservices',
  namespaced: false,
};
const DEFINITIONS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

interface Ran {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the command, while a server of this process answers it. */
async function capstan(...args: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent' },
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** A server, and the kubeconfig by which the command reaches it. */
interface Place {
  readonly access: Access;
  readonly client: Client;
  readonly kubeconfig: string;
  readonly folder: string;
  /** The notes of the last installation. */
  readonly printed: { install: string };
}

/** What `capstan install` applies, on a server; `isOld` where it lacks functions of CEL that the CRDs use. */
export function describeInstall(
  name: string,
  start: () => Promise<Access & { stop(): Promise<void> }>,
  isOld = false,
): void {
  describe(`capstan install on ${name}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'capstan-install-'));
    const kubeconfig = join(folder, 'kubeconfig');
    let place: Place | undefined;
    let close: () => Promise<void> = () => Promise.resolve();

    beforeAll(async () => {
      const access = await start();
      const { ca: caPem, token, url: server } = access;
      writeFileSync(kubeconfig, kubeconfigJson({ server, caPem, token, name: 'install' }), { mode: 0o600 });
      const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
      const transport = new HttpTransport({ server, trust: { caPem }, credentials, namespace: 'default' });
      place = { access, client: new Client(transport), kubeconfig, folder, printed: { install: '' } };
      close = async () => {
        await transport.close();
        await access.stop();
      };
    }, LIMIT_MS);

    afterAll(async () => {
      if (place !== undefined) await cleanUp(place);
      await close();
      rmSync(folder, { recursive: true });
    }, LIMIT_MS);

    const on = (test: (place: Place) => Promise<void>) => (): Promise<void> => {
      if (place === undefined) throw new TypeError('the server did not start');
      return test(place);
    };
    if (isOld) {
      it('is refused as a whole by a server that does not understand the CRDs', on(isRefused), LIMIT_MS);
      return;
    }
    it('has every object tried by the server, and changes nothing', on(isTried), LIMIT_MS);
    it('takes over from an operator of HyperShift, and has all of that tried first', on(takesOver), LIMIT_MS);
    it('is accepted by the server, twice', on(isAccepted), LIMIT_MS);
    it('keeps the order of the private groups, which the server would set otherwise', on(keepsOrder), LIMIT_MS);
    it('refuses standard objects where they have moved', on(guardsNamespaces), LIMIT_MS);
    it('prints which group unqualified names mean now, as kubectl resolves them', on(namesGroups), LIMIT_MS);
    it('lets standard objects without a namespace in', on(sparesClusterScoped), LIMIT_MS);
    it(
      'lets the operator read every group of Cluster API that is served, and say which it may not',
      on(reads),
      OPERATOR_LIMIT_MS,
    );
    it('lets the operator grant more than it has in namespaces, and nowhere else', on(limitsGrants), LIMIT_MS);
  });
}

async function cleanUp({ client, kubeconfig }: Place): Promise<void> {
  const moved = { group: PRIVATE_GROUP, version: 'v1beta2', plural: 'machines', namespaced: true };
  await client.delete(moved, 'm', { namespace: MOVED }).catch(ignoreNotFound);
  const { code, err } = await capstan('uninstall', '--purge', '-n', NAMESPACE, '--kubeconfig', kubeconfig);
  expect([code, code === 0 ? '' : err]).toEqual([0, '']);
  // The next suite on this server installs them again.
  await eventuallySees('private CRDs that are left', () => privateCrds(client), isEmpty);
  for (const each of [NAMESPACE, MOVED]) await client.delete(NAMESPACES, each).catch(ignoreNotFound);
  for (const name of [STANDARD_CRD, IDENTITY_CRD, ...EXTRA_GROUPS.map((group) => `things.${group}`)]) {
    const found = await client.get(DEFINITIONS, name).catch(ignoreNotFound);
    if (found?.metadata.labels?.[OURS] !== undefined) await client.delete(DEFINITIONS, name);
  }
}

async function privateCrds(client: Client): Promise<readonly string[]> {
  const { items } = await client.list(DEFINITIONS);
  return items.flatMap(({ metadata: { name = '' } }) => (name.endsWith(PRIVATE_GROUP) ? [name] : []));
}

const isEmpty = (found: readonly string[]): boolean => found.length === 0;

async function isRefused({ client, kubeconfig }: Place): Promise<void> {
  const { code, err, out } = await capstan('install', ...INSTALL, '--no-wait', '--kubeconfig', kubeconfig);
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('hostedclusters.hypershift.openshift.io cannot be installed');
  expect(err).toContain('nothing was installed');
  expect(await client.get(NAMESPACES, NAMESPACE).catch(ignoreNotFound)).toBeUndefined();
  const { items } = await client.list(DEFINITIONS);
  expect(items.filter(({ metadata }) => metadata.name?.endsWith(PRIVATE_GROUP))).toEqual([]);
}

async function isTried({ client, kubeconfig }: Place): Promise<void> {
  const { code, err, out } = await capstan('install', ...INSTALL, '--dry-run', '--kubeconfig', kubeconfig);
  expect([code, err]).toEqual([0, expect.stringContaining('kubectl get machines now lists')]);
  const lines = out.trimEnd().split('\n');
  expect(lines.filter((line) => !/ (?:installed|created|kept) \(dry run\)$/.test(line))).toEqual([]);
  const left = await client.get(NAMESPACES, NAMESPACE).catch(ignoreNotFound);
  expect([lines.length > 70, left]).toEqual([true, undefined]);
}

async function takesOver({ client, kubeconfig }: Place): Promise<void> {
  await installUpstream(client, NAMESPACE);
  const before = await specsOf(client, NAMESPACE);
  const tried = await capstan('install', ...INSTALL, '--dry-run', '--kubeconfig', kubeconfig);
  expect([tried.code, tried.err]).toEqual([0, expect.not.stringContaining('error')]);
  expect(tried.out).toContain(
    'validatingwebhookconfiguration.admissionregistration.k8s.io/hypershift.openshift.io deleted',
  );
  expect(await specsOf(client, NAMESPACE)).toEqual(before);
  const flags = ['--own-certificate', '--no-wait', '--kubeconfig', kubeconfig];
  const { code, err } = await capstan('install', ...INSTALL, ...flags);
  expect([code, err]).toEqual([0, expect.not.stringContaining('error')]);
  await expectTakenOver(client, NAMESPACE);
  const after = await specsOf(client, NAMESPACE);
  expect((await capstan('install', ...INSTALL, ...flags)).code).toBe(0);
  expect(await specsOf(client, NAMESPACE)).toEqual(after);
}

async function isAccepted({ client, kubeconfig, printed }: Place): Promise<void> {
  for (const round of [1, 2]) {
    const flags = ['--own-certificate', '--no-wait', '--kubeconfig', kubeconfig];
    const { code, err, out } = await capstan('install', ...INSTALL, ...flags);
    expect([round, code, err]).toEqual([round, 0, expect.not.stringContaining('error')]);
    expect(out).not.toContain('skipped');
    printed.install = err;
  }
  const served = await client.get(DEFINITIONS, `machines.${PRIVATE_GROUP}`);
  expect((served['spec'] as { readonly names: object }).names).not.toHaveProperty('shortNames');
}

async function keepsOrder({ client }: Place): Promise<void> {
  const service = `v1beta2.${PRIVATE_GROUP}`;
  expect(await client.get(API_SERVICES, service)).toMatchObject({ spec: { groupPriorityMinimum: 900 } });
  const before = await client.get(DEFINITIONS, `machines.${PRIVATE_GROUP}`);
  // The server registers the versions of a CRD whenever it changes.
  const value = { metadata: { annotations: { touched: 'true' } } };
  const after = await client.patch(DEFINITIONS, `machines.${PRIVATE_GROUP}`, { type: 'merge', value });
  expect(after.metadata.resourceVersion).not.toBe(before.metadata.resourceVersion);
  const priorities = new Set<unknown>();
  for (let look = 0; look < 20; look += 1) {
    const { spec } = await client.get(API_SERVICES, service);
    priorities.add((spec as { readonly groupPriorityMinimum: number }).groupPriorityMinimum);
  }
  expect([...priorities]).toEqual([900]);
}

async function guardsNamespaces({ client }: Place): Promise<void> {
  const labels = { 'hypershift.openshift.io/private-capi-types': 'true' };
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: MOVED, labels } });
  await define(client, STANDARD_CRD, { kind: 'Machine', scope: 'Namespaced' });
  const make = async (group: string): Promise<string> => {
    const resource = { group, version: 'v1beta2', plural: 'machines', namespaced: true };
    const made = await client.create(resource, machine(group)).then(() => 'created', String);
    // Before the server follows the policy it lets the object in.
    if (made === 'created' && group !== PRIVATE_GROUP) await client.delete(resource, 'm', { namespace: MOVED });
    return made;
  };
  await expect.poll(() => make('cluster.x-k8s.io'), { timeout: 30_000 }).toContain('keeps its Cluster API objects');
  await expect.poll(() => make(PRIVATE_GROUP), { timeout: 30_000 }).toBe('created');
}

/** Both groups have a Machine in one namespace: that of the platform is written past the policy, which guards labelled ones. */
async function namesGroups({ client, folder, kubeconfig, printed }: Place): Promise<void> {
  const namespace = `${NAMESPACE}-names`;
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  for (const [group, name] of [[PRIVATE_GROUP, 'm'] as const, ['cluster.x-k8s.io', 'platform'] as const]) {
    const resource = { group, version: 'v1beta2', plural: 'machines', namespaced: true };
    const object = machine(group);
    await client.create(resource, { ...object, metadata: { name, namespace } });
  }
  await resolvesAsPrinted(client, readNote(printed.install), { folder, kubeconfig, namespace });
  for (const group of [PRIVATE_GROUP, 'cluster.x-k8s.io'])
    await client.deleteCollection({ group, version: 'v1beta2', plural: 'machines', namespaced: true }, { namespace });
  await client.delete(NAMESPACES, namespace);
}

/** After the policy was seen in force. */
async function sparesClusterScoped({ client }: Place): Promise<void> {
  const [plural, group] = IDENTITY_CRD.split(/\.(.*)/);
  await define(client, IDENTITY_CRD, { kind: 'AWSClusterControllerIdentity', scope: 'Cluster' });
  const resource = { group: group ?? '', version: 'v1beta2', plural: plural ?? '', namespaced: false };
  const identity = {
    apiVersion: `${group}/v1beta2`,
    kind: 'AWSClusterControllerIdentity',
    metadata: { name: OURS },
    spec: {},
  };
  const create = (): Promise<string> =>
    client.create(resource, identity, { dryRun: true }).then(
      () => 'created',
      (error: unknown) => (isNotFound(error) ? 'not served yet' : String(error)),
    );
  await expect.poll(create, { timeout: 30_000 }).not.toBe('not served yet');
  expect(await create()).toBe('created');
}

async function reads({ access, client, folder, kubeconfig }: Place): Promise<void> {
  const install = async (): Promise<void> => {
    const flags = ['--own-certificate', '--no-wait', '--kubeconfig', kubeconfig];
    const { code, err } = await capstan('install', ...INSTALL, ...flags);
    expect([code, err]).toEqual([0, expect.not.stringContaining('error')]);
  };
  await readsWhatIsServed({ access, client, folder, namespace: NAMESPACE }, { home: HOME, install, label: OURS });
}

async function limitsGrants({ access, client, folder }: Place): Promise<void> {
  const account = await become(access, client, { namespace: NAMESPACE, name: 'operator', folder });
  const own = new Client(account.transport);
  const granting = (kind: 'ClusterRole' | 'Role'): KubeObject => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind,
    metadata: { name: `${NAMESPACE}-granted`, ...(kind === 'Role' ? { namespace: NAMESPACE } : {}) },
    rules: [{ apiGroups: ['example.com'], resources: ['*'], verbs: ['*'] }],
  });
  try {
    await expect
      .poll(() => own.create(RESOURCES.Role, granting('Role')).then(() => 'created', String), { timeout: 30_000 })
      .toBe('created');
    await expect(own.create(RESOURCES.ClusterRole, granting('ClusterRole'))).rejects.toThrow(
      'attempting to grant RBAC permissions not currently held',
    );
  } finally {
    await account.transport.close();
  }
}

function machine(group: string): KubeObject {
  return {
    apiVersion: `${group}/v1beta2`,
    kind: 'Machine',
    metadata: { name: 'm', namespace: MOVED },
    spec: {
      clusterName: 'c',
      bootstrap: { dataSecretName: 's' },
      infrastructureRef: { apiGroup: `infrastructure.${group}`, kind: 'TestMachine', name: 'm' },
    },
  };
}

/** A standard CRD, as far as a policy asks for it. Kept where another suite has it. */
async function define(
  client: Client,
  name: string,
  { kind, scope }: { readonly kind: string; readonly scope: 'Cluster' | 'Namespaced' },
): Promise<void> {
  if ((await client.get(DEFINITIONS, name).catch(ignoreNotFound)) !== undefined) return;
  const [plural, group] = name.split(/\.(.*)/);
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  await client.create(DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name, labels: { [OURS]: '' } },
    spec: {
      group,
      scope,
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: 'v1beta2', served: true, storage: true, schema }],
    },
  });
}
