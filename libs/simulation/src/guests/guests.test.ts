import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, HttpTransport, systemClock, systemRandom, TransportError, untrustedConnection } from '@capstan/kube';
import { isForbidden, isUnauthorized } from '@capstan/meta';
import type { JsonObject, KubeObject, Transport } from '@capstan/meta';
import { Cloud, hasCondition, SIGNING_REQUESTS } from '@capstan/upstream';
import type { Instance, SigningRequest } from '@capstan/upstream';
import { describe, expect, it } from 'vitest';
import { Timeline, SIMULATION_START } from '../engine/timeline.js';
import { Fleet } from './fleet.js';
import type { FleetOptions } from './fleet.js';
import { GUEST_CONTROLLERS } from './guest-cluster.js';
import type { GuestCluster } from './guest-cluster.js';
import { Guests } from './guests.js';
import { serveGuests } from './serve.js';
import { bootstrapKubeconfig, bootstrapUserData } from './user-data.js';

const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const SECONDS = 1000;

interface Node extends KubeObject {
  readonly spec?: { readonly providerID?: string };
  readonly status?: {
    readonly addresses?: readonly unknown[];
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

function fixture(connects?: (guests: Guests) => FleetOptions['connect']): {
  timeline: Timeline;
  cloud: Cloud;
  guests: Guests;
  fleet: Fleet;
  readonly client: (guest: GuestCluster) => Client;
} {
  const random = systemRandom('guests');
  const timeline = new Timeline(random.split('order'));
  const clock = timeline.clock();
  const cloud = new Cloud({ clock, random: random.split('cloud') });
  const guests = new Guests({ clock, random: random.split('guests'), isSimulated: true });
  const fleet = new Fleet({
    cloud,
    clock,
    random: random.split('fleet'),
    connect: connects?.(guests) ?? ((connection) => guests.known.transport(connection)),
    isSimulated: true,
  });
  const client = (guest: GuestCluster): Client => new Client(guest.server, { clock, random, user: GUEST_CONTROLLERS });
  return { timeline, cloud, guests, fleet, client };
}

function launch(cloud: Cloud, name: string, userData: string): Instance {
  return cloud.create('test', {
    platform: 'aws',
    token: name,
    name,
    type: 'm6i.large',
    image: 'ami-1',
    region: 'us-east-1',
    zone: 'us-east-1a',
    tags: {},
    userData,
  });
}

/** An approver that approves everything, once. */
async function approveAll(client: Client): Promise<number> {
  const { items } = await client.list<SigningRequest>(SIGNING_REQUESTS);
  const pending = items.filter((each) => !hasCondition(each, 'Approved'));
  for (const each of pending) {
    const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: 'in a test' }];
    await client.update(SIGNING_REQUESTS, { ...each, status: { conditions } }, { subresource: 'approval' });
  }
  return pending.length;
}

const ready = (node: Node | undefined): string | undefined =>
  node?.status?.conditions?.find(({ type }) => type === 'Ready')?.status;

describe('an instance whose user data names a guest cluster', () => {
  it('joins once its requests are approved, and is unknown after its end', async () => {
    const { client: clientOf, cloud, guests, timeline } = fixture();
    const guest = guests.ensure('clusters', 'one');
    const client = clientOf(guest);
    const instance = launch(cloud, 'worker-0', guest.userData());
    await timeline.runUntil(120 * SECONDS);
    expect((await client.list(NODES)).items).toEqual([]);

    expect(await approveAll(client)).toBe(1);
    await timeline.runUntil(150 * SECONDS);
    const [node] = (await client.list<Node>(NODES)).items;
    expect(node?.metadata.name).toBe(instance.hostname);
    expect(node?.spec?.providerID).toBe(instance.providerId);
    expect(node?.status?.addresses).toEqual(instance.addresses);
    expect(ready(node)).toBe('True');

    const [serving] = (await client.list<SigningRequest>(SIGNING_REQUESTS)).items.filter(
      (each) => !hasCondition(each, 'Approved'),
    );
    expect(serving?.spec.username).toBe(`system:node:${instance.hostname}`);
    expect(serving?.spec.groups).toEqual(['system:nodes', 'system:authenticated']);

    cloud.terminate('test', instance.id);
    await timeline.runUntil(260 * SECONDS);
    expect(ready(await client.get<Node>(NODES, instance.hostname))).toBe('Unknown');
  });

  it('joins a server that it learns how to reach only after it began to ask', async () => {
    let isKnown = false;
    const gone: Transport = { send: () => Promise.reject(new TransportError('ENOTFOUND', 'not found', false)) };
    const known = fixture((all) => (connection) => (isKnown ? all.known.transport(connection) : gone));
    const { client: clientOf, cloud, guests, timeline } = known;
    const guest = guests.ensure('clusters', 'one');
    launch(cloud, 'worker-0', guest.userData());
    await timeline.runUntil(60 * SECONDS);
    isKnown = true;
    await timeline.runUntil(200 * SECONDS);
    expect(await approveAll(clientOf(guest))).toBe(1);
    await timeline.runUntil(300 * SECONDS);
    expect((await clientOf(guest).list<Node>(NODES)).items.map(ready)).toEqual(['True']);
  });

  it('comes back as the same node after a stop and a start', async () => {
    const { client: clientOf, cloud, guests, timeline } = fixture();
    const guest = guests.ensure('clusters', 'one');
    const client = clientOf(guest);
    const instance = launch(cloud, 'worker-0', guest.userData());
    await timeline.runUntil(90 * SECONDS);
    await approveAll(client);
    await timeline.runUntil(120 * SECONDS);
    const { uid } = (await client.get(NODES, instance.hostname)).metadata;
    cloud.stop('test', instance.id);
    await timeline.runUntil(240 * SECONDS);
    expect(ready(await client.get<Node>(NODES, instance.hostname))).toBe('Unknown');
    cloud.start('test', instance.id);
    await timeline.runUntil(400 * SECONDS);
    const node = await client.get<Node>(NODES, instance.hostname);
    expect([ready(node), node.metadata.uid]).toEqual(['True', uid]);
  });

  it('of user data with a command run none, and do not join', async () => {
    const { cloud, guests, timeline } = fixture();
    const folder = mkdtempSync(join(tmpdir(), 'capstan-guests-'));
    const marker = join(folder, 'marker');
    const { users: _, ...rest } = JSON.parse(guests.ensure('clusters', 'one').kubeconfig('bootstrap')) as JsonObject;
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'touch',
      args: [marker],
      interactiveMode: 'Never',
    };
    const users = [{ name: 'kubelet', user: { exec } }];
    launch(cloud, 'a', bootstrapUserData(JSON.stringify({ ...rest, users })));
    await timeline.runUntil(100 * SECONDS);
    // A command that was started takes a moment of real time.
    await delay(300);
    expect(existsSync(marker)).toBe(false);
    rmSync(folder, { recursive: true });
  });

  it('may do as a bootstrapper nothing but ask for a certificate', async () => {
    const { guests, timeline } = fixture();
    const guest = guests.ensure('clusters', 'one');
    const connection = await untrustedConnection(guest.kubeconfig('bootstrap'), { origin: 'guest' });
    const client = new Client(guests.known.transport(connection), { clock: timeline.clock(), random: systemRandom(1) });
    await expect(client.list(NODES)).rejects.toSatisfy(isForbidden);
    expect((await client.list(SIGNING_REQUESTS)).items).toEqual([]);
  });
});

describe('user data', () => {
  const text = bootstrapUserData('kubeconfig text');

  it.each<[string, string]>([
    ['carries a kubeconfig', text],
    ['carries it behind a data URL', pointing(`data:;base64,${Buffer.from(text).toString('base64')}`)],
    ['points to where it is fetched', pointing('https://ignition.example.com/ignition')],
  ])('%s', async (_, userData) => {
    const found = await bootstrapKubeconfig(userData, (url, headers) => {
      expect([url, headers]).toEqual(['https://ignition.example.com/ignition', { authorization: 'Bearer x' }]);
      return Promise.resolve(text);
    });
    expect(found).toBe('kubeconfig text');
  });

  it.each(['', '#!/bin/sh', '{}', pointing('https://nowhere.example.com')])('%j names no cluster', async (userData) => {
    expect(await bootstrapKubeconfig(userData)).toBeUndefined();
  });

  it('that points to itself is given up', async () => {
    const loop = pointing('https://loop.example.com');
    expect(await bootstrapKubeconfig(loop, () => Promise.resolve(loop))).toBeUndefined();
  });
});

function pointing(source: string): string {
  const httpHeaders = [{ name: 'Authorization', value: 'Bearer x' }];
  return JSON.stringify({ ignition: { version: '3.2.0', config: { merge: [{ source, httpHeaders }] } } });
}

describe('guests over HTTPS', () => {
  it('are distinguished by path, by token and by certificate', async () => {
    const clock = systemClock();
    const served = await serveGuests({ clock, random: systemRandom(), port: 0 });
    const transports: HttpTransport[] = [];
    const clientOf = async (kubeconfig: string): Promise<Client> => {
      const transport = new HttpTransport(await untrustedConnection(kubeconfig, { origin: 'guest' }));
      transports.push(transport);
      return new Client(transport);
    };
    try {
      const [one, two] = [served.guests.ensure('a', 'one'), served.guests.ensure('a', 'two')];
      const client = await clientOf(one.kubeconfig());
      await client.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: 'here' } });
      const names = async (of: Client): Promise<unknown[]> => (await of.list(NODES)).items.map((n) => n.metadata.name);
      expect(await names(client)).toEqual(['here']);
      expect(await names(await clientOf(two.kubeconfig()))).toEqual([]);
      const swapped = one.kubeconfig().replaceAll(one.url, two.url);
      await expect(names(await clientOf(swapped))).rejects.toSatisfy(isUnauthorized);

      const clientCert = one.ca.issueClient({ user: 'system:admin', groups: ['system:masters'] });
      const { kubeconfigText } = await import('@capstan/kube');
      const withCertificate = (server: string): string => kubeconfigText({ server, caPem: served.caPem, clientCert });
      expect(await names(await clientOf(withCertificate(one.url)))).toEqual(['here']);
      await expect(names(await clientOf(withCertificate(two.url)))).rejects.toSatisfy(isUnauthorized);
    } finally {
      await Promise.all(transports.map((transport) => transport.close()));
      await served.close();
    }
  });
});

it('instances are launched at the start of the simulation', () => {
  const { cloud } = fixture();
  expect(launch(cloud, 'a', '').launchedAt).toBe(SIMULATION_START);
});
