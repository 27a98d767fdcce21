import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setScale } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { greeter } from '../../docs/guide/greeter.js';
import { CONFIG_MAPS, start, Fixture } from '../runtime/fixture.js';
import { RunningUp } from './running-up.js';
import { eventually } from '../src/wait.js';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const NAMESPACE = 'clusters-anchor';
const PROGRAMS = ['capi-provider', 'cluster-api', 'cluster-autoscaler', 'machine-approver'];
const STANDARD = { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines', namespaced: true };
const PRIVATE = { ...STANDARD, group: 'cluster.hypershift.openshift.io' };
const MACHINE_API = { ...STANDARD, group: 'machine.openshift.io', version: 'v1beta1' };
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };

interface Machine extends KubeObject {
  readonly spec?: { readonly providerID?: string; readonly infrastructureRef?: object };
  readonly status?: { readonly nodeRef?: { readonly name?: string } };
}

interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
}

interface Pod extends KubeObject {
  readonly status?: {
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}

interface Definition extends KubeObject {
  readonly spec: { readonly versions: readonly { readonly storage: boolean }[] };
}

const folder = mkdtempSync(join(tmpdir(), 'capstan-up-'));
const auditLog = join(folder, 'audit.jsonl');
let up: RunningUp;

beforeAll(async () => {
  up = await RunningUp.start('--hosted', '0', '--fleet', '1', '--platform-capi', '--audit-log-path', auditLog);
});

afterAll(async () => {
  const code = await up.stop();
  rmSync(folder, { recursive: true, force: true });
  expect(code).toBe(0);
});

const account = (name: string): string => `system:serviceaccount:${NAMESPACE}:${name}`;
/** How long a proxy may be away when it was killed. */
const BACK = { timeout: 30_000, interval: 50 };
const soon = { timeout: 60_000, interval: 50 };

/** Sends a request as another user, and returns the answer. */
async function answerTo(user: string, target: string): Promise<{ status: number; message: string | undefined }> {
  const headers = { 'impersonate-user': user, accept: 'application/json' };
  const { body, status } = await up.transport.send({ method: 'GET', target, headers });
  const text = body.type === 'payload' ? Buffer.concat(body.chunks()).toString('utf8') : '{}';
  return { status, message: (JSON.parse(text) as { message?: string }).message };
}

async function podOf(program: string): Promise<Pod> {
  const { items } = await up.client.list<Pod>(PODS, { namespace: NAMESPACE, labelSelector: `app=${program}` });
  expect(items).toHaveLength(1);
  return items[0] as Pod;
}

/** How often each container of the control plane has started again, by pod and name. */
async function containers(): Promise<ReadonlyMap<string, number>> {
  const { items } = await up.client.list<Pod>(PODS, { namespace: NAMESPACE });
  return new Map(
    items.flatMap(({ metadata, status }) =>
      [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])].map(
        ({ name, restartCount }) => [`${metadata.name} ${metadata.uid} ${name}`, restartCount] as const,
      ),
    ),
  );
}

/** The nodes of Machines, each with its UID. */
async function nodes(): Promise<readonly string[]> {
  return (await machines()).map(({ metadata, status }) => `${metadata.uid} ${status?.nodeRef?.name}`);
}

async function machines(): Promise<readonly Machine[]> {
  return (await up.client.list<Machine>(PRIVATE, { namespace: NAMESPACE })).items;
}

describe('capstan up with a hosted cluster', () => {
  it("keeps hosted machines under the private group, and the platform's own alone under the standard one", async () => {
    const namespaces = async (resource: typeof STANDARD): Promise<string[]> =>
      (await up.client.list<Machine>(resource)).items.map(
        ({ metadata, status }) => `${metadata.namespace} ${status?.nodeRef === undefined ? 'waits' : 'joined'}`,
      );
    expect(await namespaces(PRIVATE)).toEqual([`${NAMESPACE} joined`, `${NAMESPACE} joined`]);
    // Its own machine, and the copies of those of Machine API.
    const { items } = await up.client.list<Machine>(MACHINE_API, { namespace: 'openshift-machine-api' });
    expect(items).toHaveLength(2);
    expect(await namespaces(STANDARD)).toEqual([1, ...items].map(() => 'openshift-cluster-api joined'));
  });

  it('has the versions of private kinds converted by the shim', async () => {
    const { items } = await up.client.list<Machine>({ ...PRIVATE, version: 'v1beta1' }, { namespace: NAMESPACE });
    expect(items.map(({ spec }) => spec?.infrastructureRef)).toEqual(
      items.map(() =>
        expect.objectContaining({ apiVersion: 'infrastructure.cluster.hypershift.openshift.io/v1beta2' }),
      ),
    );
    const shims = await up.client.list<Pod>(PODS, {
      namespace: 'hypershift',
      labelSelector: 'app.kubernetes.io/name=capi-conversion-webhook-shim',
    });
    expect(shims.items.map(({ status }) => status?.containerStatuses?.[0]?.ready)).toEqual([true, true]);
  });

  it.each(PROGRAMS)('has a proxy sidecar in %s that reaches the server', async (program) => {
    const { metadata, status } = await podOf(program);
    const readyOf = (statuses: readonly ContainerStatus[] | undefined): unknown =>
      statuses?.map(({ name, ready }) => [name, ready]);
    expect(readyOf(status?.initContainerStatuses)).toEqual([['kube-apiserver-proxy', true]]);
    expect(readyOf(status?.containerStatuses)).toEqual([[program, true]]);
    const ready = `/api/v1/namespaces/${NAMESPACE}/pods/${metadata.name}:8081/proxy/readyz`;
    const { status: code } = await up.transport.send({ method: 'GET', target: ready, headers: {} });
    expect(code).toBe(200);
  });

  it.each(PROGRAMS)('lets the account of %s read private machines and no standard ones', async (program) => {
    const path = (group: string): string => `/apis/${group}/v1beta2/namespaces/${NAMESPACE}/machines`;
    expect((await answerTo(account(program), path(PRIVATE.group))).status).toBe(200);
    expect(await answerTo(account(program), path(STANDARD.group))).toEqual({
      status: 403,
      message: `machines.cluster.x-k8s.io is forbidden: User "${account(program)}" cannot list resource "machines" in API group "cluster.x-k8s.io" in the namespace "${NAMESPACE}"`,
    });
  });

  it('loses nothing when a proxy is killed: it restarts, and changes made meanwhile are reconciled', async () => {
    const { metadata } = await podOf('cluster-api');
    const before = (await machines()).map(({ spec }) => spec?.providerID);
    const nodesBefore = await nodes();
    const containersBefore = await containers();
    const proxyOf = async (): Promise<ContainerStatus | undefined> =>
      (await podOf('cluster-api')).status?.initContainerStatuses?.find(({ name }) => name === 'kube-apiserver-proxy');
    const { restartCount = 0 } = (await proxyOf()) ?? {};
    await up.exec(NAMESPACE, metadata.name ?? '', 'kube-apiserver-proxy', 'kill', '-9', '1');
    const at = { namespace: NAMESPACE, name: 'anchor-workers' };
    await setScale(up.client, { ...PRIVATE, plural: 'machinedeployments' }, at, 3);
    // Back within half a minute, and at work within another.
    await expect.poll(proxyOf, BACK).toMatchObject({ restartCount: restartCount + 1, ready: true });
    await expect.poll(async () => (await machines()).length, BACK).toBe(3);
    await expect
      .poll(async () => (await machines()).filter(({ status }) => status?.nodeRef !== undefined).length, soon)
      .toBe(3);
    expect((await machines()).map(({ spec }) => spec?.providerID)).toEqual(expect.arrayContaining(before));
    // Neither its program nor any other container has started again, and no node is another.
    const killed = `${metadata.name} ${metadata.uid} kube-apiserver-proxy`;
    const others = (found: ReadonlyMap<string, number>): unknown[] => [...found].filter(([name]) => name !== killed);
    expect(containersBefore.has(killed)).toBe(true);
    expect(others(await containers())).toEqual(others(containersBefore));
    expect(await nodes()).toEqual(expect.arrayContaining([...nodesBefore]));
  });

  it('never gets a request for a standard group from a component of the hosted cluster', async () => {
    const hosted = (): { who: string; group: string }[] =>
      RunningUp.audited(auditLog)
        .filter(({ user }) => user.username.startsWith(account('')))
        .map(({ objectRef, user }) => ({ who: user.username, group: objectRef?.apiGroup ?? '' }));
    // All four have been at work, so there is something to look at.
    await expect
      .poll(
        () =>
          [
            ...new Set(
              hosted()
                .filter(({ group }) => group === PRIVATE.group)
                .map(({ who }) => who),
            ),
          ].sort(),
        soon,
      )
      .toEqual(PROGRAMS.map((program) => account(program)));
    expect(hosted().filter(({ group }) => group.endsWith(STANDARD.group))).toEqual([]);
  });

  it('refuses to break a CRD that two users require', async () => {
    const definitions = {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      plural: 'customresourcedefinitions',
      namespaced: false,
    };
    const machines = 'machines.cluster.x-k8s.io';
    const { spec } = await up.client.get<Definition>(definitions, machines);
    const at = spec.versions.findIndex(({ storage }) => storage);
    const path = `/spec/versions/${at}/schema/openAPIV3Schema/properties/spec/properties/providerID`;
    const attempt = (): Promise<string> =>
      up.client
        .patch(definitions, machines, { type: 'json', value: [{ op: 'remove', path }] }, { dryRun: true })
        .then(() => 'patched', String);
    await expect.poll(attempt, soon).toContain('CRD Compatibility Checker: CustomResourceDefinition');
    const answer = await attempt();
    for (const user of ['platform', 'hypershift'])
      expect(answer).toContain(`requirement "machine-cluster.x-k8s.io-${user}" of ${user}: v1beta2 spec.providerID`);
  });

  it('has the operator of the guide run on its cluster', async () => {
    const fixture = await Fixture.create(up.transport);
    const stop = start(greeter({ transport: up.transport, cache: fixture.cache }));
    const annotations = { 'greeter.example.com/whom': 'fleet' };
    await fixture.client.create(CONFIG_MAPS, fixture.configMap({ name: 'a', annotations }));
    await eventually('it is greeted', () => fixture.hasText('a-greeting', 'Hello, fleet!'));
    await stop();
  });
});
