import { X509Certificate } from 'node:crypto';
import { ApiServer } from '@capstan/apiserver';
import { Client, systemRandom } from '@capstan/kube';
import type { Logger } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import {
  Cloud,
  hasCondition,
  machineApprover,
  NODE_BOOTSTRAPPER,
  openDefinition,
  SIGNING_REQUESTS,
} from '@capstan/upstream';
import type { Instance, SigningRequest } from '@capstan/upstream';
import { afterEach, expect, it } from 'vitest';
import { Timeline } from '../engine/timeline.js';
import { Fleet } from './fleet.js';
import { CERTIFICATE_CONTROLLER, GUEST_CONTROLLERS, nodeBindings } from './guest-cluster.js';
import { KnownServers } from './known-servers.js';
import type { NodeDisk } from './node-agent.js';
import { renewalAt } from './node-certificates.js';
import { approveRejoin } from './rejoin.js';
import { certificateControllers } from './signer.js';
import { StandaloneCluster } from './standalone-cluster.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const HOME = 'openshift-machine-api';
const cluster = (
  group: string,
  plural: string,
): { group: string; version: string; plural: string; namespaced: false } => ({
  group,
  version: 'v1',
  plural,
  namespaced: false,
});
const NODES = cluster('', 'nodes');
const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };
const MACHINES = { group: 'machine.openshift.io', version: 'v1beta1', plural: 'machines', namespaced: true };

interface Fixture {
  readonly timeline: Timeline;
  readonly client: Client;
  readonly cloud: Cloud;
  readonly instance: Instance;
  readonly disk: () => NodeDisk;
  readonly warnings: string[];
  readonly requests: () => Promise<readonly SigningRequest[]>;
  /** Whether the node has renewed its Lease within the last minute. */
  readonly isAlive: () => Promise<boolean>;
}

let stop: () => Promise<void> = async () => {};
afterEach(() => stop());

/** A cluster whose certificates are good for an hour, with one node that has a Machine. */
async function joined(isLetInAgain: boolean): Promise<Fixture> {
  const random = systemRandom('node certificates');
  const timeline = new Timeline(random.split('order'));
  const clock = timeline.clock();
  const server = new ApiServer({ clock, random: random.split('server'), authorization: 'rbac' });
  const client = new Client(server, { clock, random: random.split('client') });
  await client.create(
    cluster('apiextensions.k8s.io', 'customresourcedefinitions'),
    openDefinition('machine.openshift.io', 'Machine', ['v1beta1']),
  );
  for (const binding of nodeBindings())
    await client.create(cluster('rbac.authorization.k8s.io', 'clusterrolebindings'), binding);
  await client.create(cluster('', 'namespaces'), { apiVersion: 'v1', kind: 'Namespace', metadata: { name: HOME } });
  const url = 'https://api-int.example.com:6443';
  const door = new StandaloneCluster({ server, clock, random: random.split('door'), url, isSimulated: true });
  const known = new KnownServers(clock);
  known.add(url, door);
  const cloud = new Cloud({ clock, random: random.split('cloud') });
  const disks = new Map<string, NodeDisk>();
  const warnings: string[] = [];
  const note = (message: string): void => void warnings.push(message);
  const logger: Logger = { debug: () => {}, info: () => {}, warn: note, error: note };
  const fleet = new Fleet({
    cloud,
    clock,
    random: random.split('fleet'),
    connect: (connection) => known.transport(connection),
    disks,
    isSimulated: true,
    logger,
    rejoins: isLetInAgain
      ? (_, request) =>
          approveRejoin({ server, clock, random: random.split('rejoin'), user: GUEST_CONTROLLERS }, request)
      : undefined,
  });
  const ending = new AbortController();
  const shared = { transport: server, clock };
  void certificateControllers({
    ...shared,
    client: { user: CERTIFICATE_CONTROLLER },
    random: random.split('signer'),
    ca: door.ca,
    validForMs: HOUR,
  }).run(ending.signal);
  void machineApprover({ ...shared, random: random.split('approver'), machineNamespace: HOME }).run(ending.signal);
  const instance = cloud.create('machine-api', {
    platform: 'aws',
    token: 't',
    name: 'worker-0',
    type: 'm5.large',
    image: 'ami-1',
    region: 'us-east-1',
    zone: 'us-east-1a',
    tags: {},
    userData: door.userData(),
  });
  await client.create<KubeObject>(MACHINES, {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'Machine',
    metadata: { name: 'worker-0', namespace: HOME },
    spec: { providerID: instance.providerId },
  });
  await timeline.runUntil(2 * MINUTE);
  const value = { status: { addresses: instance.addresses, nodeRef: undefined } };
  const status = { namespace: HOME, subresource: 'status' } as const;
  await client.patch(MACHINES, 'worker-0', { type: 'merge', value }, status);
  await timeline.runUntil(3 * MINUTE);
  const linked = { status: { nodeRef: { kind: 'Node', name: instance.hostname } } };
  await client.patch(MACHINES, 'worker-0', { type: 'merge', value: linked }, status);
  await timeline.runUntil(5 * MINUTE);
  stop = async () => {
    fleet.stop();
    ending.abort();
    await timeline.runUntil(48 * HOUR);
  };
  type Lease = KubeObject & { readonly spec: { readonly renewTime: string } };
  return {
    timeline,
    client,
    cloud,
    instance,
    disk: () => disks.get(instance.id) ?? {},
    warnings,
    requests: async () => (await client.list<SigningRequest>(SIGNING_REQUESTS)).items,
    isAlive: async () => {
      const { spec } = await client.get<Lease>(LEASES, instance.hostname, { namespace: 'kube-node-lease' });
      return clock.now() - Date.parse(spec.renewTime) < MINUTE;
    },
  };
}

it('a certificate is renewed after 70 to 90 % of its life', () => {
  expect([0, 0.5, 1].map((chance) => renewalAt({ from: 1_000, to: 2_000 }, chance))).toEqual([1_700, 1_800, 1_900]);
});

it('a node renews its certificates by itself, and never falls silent', async () => {
  const { client, disk, instance, isAlive, requests, timeline, warnings } = await joined(false);
  const first = { ...disk() };
  expect([typeof first.client, typeof first.serving]).toEqual(['object', 'object']);
  for (let at = 6 * MINUTE; at < 3 * HOUR; at += 6 * MINUTE) {
    await timeline.runUntil(at);
    expect([at, await isAlive()]).toEqual([at, true]);
  }
  const { client: now, serving } = disk();
  for (const [pair, before] of [
    [now, first.client],
    [serving, first.serving],
  ]) {
    expect(pair?.keyPem).not.toBe(before?.keyPem);
    expect(Date.parse(new X509Certificate(pair?.certPem ?? '').validTo)).toBeGreaterThan(timeline.clock().now());
  }
  const all = await requests();
  // Three hours of two certificates that live for one: three times each, perhaps four.
  expect(all.length).toBeGreaterThanOrEqual(6);
  expect(all.length).toBeLessThanOrEqual(10);
  expect(all.every((each) => hasCondition(each, 'Approved') && each.status?.certificate !== undefined)).toBe(true);
  const bootstrapped = all.filter(({ spec }) => spec.username === NODE_BOOTSTRAPPER.username);
  expect(bootstrapped).toHaveLength(1);
  const renewals = all.filter(({ spec }) => spec.username === `system:node:${instance.hostname}`);
  expect(renewals).toHaveLength(all.length - 1);
  expect(warnings).toEqual([]);
  expect((await client.list(NODES)).items).toHaveLength(1);
});

it('a node whose certificates expired while it was stopped joins again as the same node', async () => {
  const { client, cloud, disk, instance, isAlive, timeline } = await joined(true);
  const { uid } = (await client.get(NODES, instance.hostname)).metadata;
  const before = { ...disk() };
  cloud.stop('test', instance.id);
  await timeline.runUntil(5 * HOUR);
  expect(await isAlive()).toBe(false);
  cloud.start('test', instance.id);
  await timeline.runUntil(5 * HOUR + 5 * MINUTE);
  expect(await isAlive()).toBe(true);
  expect((await client.get(NODES, instance.hostname)).metadata.uid).toBe(uid);
  expect(disk().client?.certPem).not.toBe(before.client?.certPem);
  expect(disk().serving?.certPem).not.toBe(before.serving?.certPem);
});

it('the cluster does not approve a request in the name of an existing node, which stays pending', async () => {
  const { cloud, instance, isAlive, requests, timeline, warnings } = await joined(false);
  cloud.stop('test', instance.id);
  await timeline.runUntil(5 * HOUR);
  cloud.start('test', instance.id);
  await timeline.runUntil(5 * HOUR + 14 * MINUTE);
  expect(await isAlive()).toBe(false);
  const pending = (await requests()).filter((each) => !hasCondition(each, 'Approved'));
  expect(pending.map(({ spec }) => spec.username)).toEqual([NODE_BOOTSTRAPPER.username]);
  expect(warnings).toEqual([]);
});
