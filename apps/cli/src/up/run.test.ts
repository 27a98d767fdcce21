import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import {
  Client,
  createCertificateRequest,
  HttpTransport,
  loadCa,
  loadConnection,
  setScale,
  systemClock,
} from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import type { WaitOptions } from '@capstan/kube/testing';
import type { KeyPair } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

interface Ready {
  readonly url: string;
  readonly kubeconfig: string;
  readonly fleet: readonly { readonly name: string; readonly namespace: string; readonly platform: string }[];
}

interface Machine extends KubeObject {
  readonly spec?: { readonly providerID?: string };
  readonly status?: { readonly phase?: string; readonly nodeRef?: { readonly name?: string } };
}

const CAPI_MACHINES = {
  group: 'cluster.hypershift.openshift.io',
  version: 'v1beta2',
  plural: 'machines',
  namespaced: true,
};
const STANDARD_MACHINES = { ...CAPI_MACHINES, group: 'cluster.x-k8s.io' };
const OLD_MACHINES = { ...CAPI_MACHINES, version: 'v1beta1' };
const DEPLOYMENTS = { ...CAPI_MACHINES, plural: 'machinedeployments' };
const PLATFORM_MACHINES = { group: 'machine.openshift.io', version: 'v1beta1', plural: 'machines', namespaced: true };
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
const LIMIT_MS = 120_000;

let cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  cleanups = [];
});

interface Running {
  readonly io: TestIo;
  readonly ready: Ready;
  readonly client: Client;
  readonly stop: () => Promise<number>;
}

async function up(argv: readonly string[], io = new TestIo()): Promise<Running> {
  const ended = main(['up', ...argv], io);
  const line = await Promise.race([io.firstLine(), ended.then((code) => `ended with ${code}: ${io.stderr}`)]);
  const ready = JSON.parse(line) as Ready;
  const transport = new HttpTransport(await loadConnection({ path: ready.kubeconfig }));
  let isStopped = false;
  const stop = async (): Promise<number> => {
    isStopped = true;
    await transport.close();
    io.stop();
    return ended;
  };
  cleanups.push(async () => isStopped || (await stop()));
  return { io, ready, client: new Client(transport), stop };
}

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'capstan-test-'));
  cleanups.unshift(async () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** The identifiers of all machines in their clouds, those of Machine API twice: their copies name the same instances. */
async function instances(client: Client): Promise<string[]> {
  const lists = [CAPI_MACHINES, STANDARD_MACHINES, PLATFORM_MACHINES].map((resource) => client.list<Machine>(resource));
  return (await Promise.all(lists)).flatMap(({ items }) => items.map(({ spec }) => spec?.providerID ?? 'none')).sort();
}

const limits = (): WaitOptions => ({ clock: systemClock(), limitMs: LIMIT_MS / 2, everyMs: 100 });

/** Scales the machines of a cluster, and looks at its nodes by the kubeconfig that Cluster API keeps of it. */
async function scaledAndReached(client: Client): Promise<void> {
  const at = { namespace: 'clusters-anchor', name: 'anchor-workers' };
  await setScale(client, DEPLOYMENTS, at, 3);
  const haveJoined = async (): Promise<boolean> => {
    const { items } = await client.list<Machine>(CAPI_MACHINES, { namespace: at.namespace });
    return items.length === 3 && items.every(({ status }) => status?.nodeRef?.name !== undefined);
  };
  await waitUntil('three machines with nodes', haveJoined, limits());
  // Its fields are stable: the Deployment got its cluster's address, and has not been written since.
  const deployment = await client.get<KubeObject & { spec?: { selector?: object } }>(DEPLOYMENTS, at.name, at);
  expect(deployment.spec?.selector).toHaveProperty(['matchLabels', 'cluster.x-k8s.io/cluster-name'], 'anchor');
  expect(deployment.metadata.generation).toBeLessThan(5);
  const secret = await client.get<KubeObject & { data?: { value?: string } }>(SECRETS, 'anchor-kubeconfig', at);
  const path = join(folder(), 'guest');
  const { writeFileSync } = await import('node:fs');
  writeFileSync(path, Buffer.from(secret.data?.value ?? '', 'base64'));
  const transport = new HttpTransport(await loadConnection({ path }));
  const { items } = await new Client(transport).list(NODES);
  expect(items.length).toBe(3);
  await transport.close();
}

interface Disks {
  readonly disks: Record<string, { client?: KeyPair; serving?: KeyPair }>;
}

const DAY_MS = 86_400_000;

function readData<T>(data: string, ...path: string[]): T {
  return JSON.parse(readFileSync(join(data, ...path), 'utf8')) as T;
}

/** Makes the certificates of all nodes as old as they would be had nothing run for 31 days. */
function expireNodes(data: string): void {
  const file = readData<Disks>(data, 'environment', 'environment.json');
  const own = readData<{ caCert: string; caKey: string }>(data, 'identity.json');
  const at = ['environment', 'guests', 'clusters-anchor', 'anchor', 'identity.json'];
  const guest = readData<{ caCertPem: string; caKeyPem: string }>(data, ...at);
  const cas = [
    loadCa({ certPem: own.caCert, keyPem: own.caKey }),
    loadCa({ certPem: guest.caCertPem, keyPem: guest.caKeyPem }),
  ];
  const aged = (pair: KeyPair | undefined, usage: 'client' | 'server'): KeyPair => {
    const { certPem, keyPem } = pair ?? { certPem: '', keyPem: '' };
    const certificate = new X509Certificate(certPem);
    const issuer = cas.find((each) => certificate.verify(new X509Certificate(each.certPem).publicKey));
    const commonName = /^CN=(.*)$/m.exec(certificate.subject)?.[1] ?? '';
    const { requestPem } = createCertificateRequest({ commonName, organizations: ['system:nodes'], keyPem });
    const signing = { usages: [usage], now: Date.now() - 31 * DAY_MS, validForMs: 30 * DAY_MS };
    return { certPem: issuer?.sign(requestPem, signing) ?? '', keyPem };
  };
  for (const disk of Object.values(file.disks)) {
    disk.client = aged(disk.client, 'client');
    // A node is ready before it has one.
    if (disk.serving !== undefined) disk.serving = aged(disk.serving, 'server');
  }
  writeFileSync(join(data, 'environment', 'environment.json'), JSON.stringify(file));
}

interface Node extends KubeObject {
  readonly status?: { readonly conditions?: readonly { type: string; status: string; lastHeartbeatTime: string }[] };
}

/** How many nodes have reported Ready since then. */
async function heartbeats(client: Client, since: number): Promise<number> {
  const { items } = await client.list<Node>(NODES);
  return items.filter(({ status }) =>
    status?.conditions?.some(
      (each) => each.type === 'Ready' && each.status === 'True' && Date.parse(each.lastHeartbeatTime) >= since,
    ),
  ).length;
}

/** How many client certificates of nodes have not expired. */
function goodCertificates(data: string): number {
  const { disks } = readData<Disks>(data, 'environment', 'environment.json');
  const all = Object.values(disks).map(({ client }) => client);
  const endsAt = (pair: KeyPair): number => Date.parse(new X509Certificate(pair.certPem).validTo);
  return all.filter((pair) => pair !== undefined && endsAt(pair) > Date.now()).length;
}

describe('capstan up', () => {
  it(
    'has a fleet whose machines are nodes, in all APIs and both versions, can be scaled, and goes as it came',
    async () => {
      const { client, io, ready, stop } = await up(['--hosted', '0', '--fleet', '1', '--platform-capi']);
      expect(ready.fleet).toEqual([{ name: 'anchor', namespace: 'clusters-anchor', platform: 'aws' }]);
      const { items } = await client.list<Machine>(CAPI_MACHINES, { namespace: 'clusters-anchor' });
      expect(items.map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
      const own = await client.list<Machine>(PLATFORM_MACHINES, { namespace: 'openshift-machine-api' });
      const nodes = (await client.list(NODES)).items.map(({ metadata }) => metadata.name);
      expect(own.items.length).toBe(2);
      for (const { status } of own.items) expect(nodes).toContain(status?.nodeRef?.name);
      // Converted by the webhook that runs as one of the pods.
      const old = await client.list<Machine>(OLD_MACHINES, { namespace: 'clusters-anchor' });
      expect(old.items[0]?.spec).toHaveProperty('infrastructureRef.apiVersion');
      await scaledAndReached(client);
      expect(await stop()).toBe(0);
      expect(io.listeners).toBe(0);
      expect(io.stderr).toContain(`export KUBECONFIG=${ready.kubeconfig}`);
    },
    LIMIT_MS,
  );

  it(
    'finds everything again in its directory after 31 days: no machine is recreated, and its nodes come back',
    async () => {
      const data = folder();
      const first = await up(['--hosted', '0', '--fleet', '1', '--platform-capi', '--data', data]);
      const before = await instances(first.client);
      expect(before).toHaveLength(7);
      expect(new Set(before).size).toBe(5);
      expect(await first.stop()).toBe(0);
      expireNodes(data);
      expect(goodCertificates(data)).toBe(0);
      const began = Math.floor(Date.now() / 1000) * 1000;
      const second = await up(['--hosted', '0', '--fleet', '1', '--platform-capi', '--data', data]);
      expect(await instances(second.client)).toEqual(before);
      await waitUntil('five renewed certificates', () => goodCertificates(data) === 5, limits());
      const { items: nodes } = await second.client.list<Node>(NODES);
      const allBeat = async (): Promise<boolean> => (await heartbeats(second.client, began)) === nodes.length;
      await waitUntil('a heartbeat of every node', allBeat, limits());
      // What repeats is not repeated.
      expect(second.io.stderr.split('\n').filter((line) => / (?:WARN|ERROR) /.test(line)).length).toBeLessThan(20);
      const { cloud } = JSON.parse(readFileSync(join(data, 'environment', 'environment.json'), 'utf8')) as {
        cloud: { instances: { state: string }[] };
      };
      expect(cloud.instances.map(({ state }) => state)).toEqual(Array.from({ length: 5 }, () => 'running'));
    },
    LIMIT_MS,
  );

  it('refuses what it does not understand', async () => {
    const io = new TestIo();
    expect(await main(['up', '--fleet', 'many'], io)).toBe(2);
    expect(io.stderr).toContain('It must be a whole number from 0 to 200.');
  });
});
