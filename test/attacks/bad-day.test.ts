import {
  CLUSTERS,
  controlPlaneNamespace,
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  MACHINE_DEPLOYMENTS,
  MACHINE_SETS,
  MACHINES,
  NODE_POOLS,
} from '@capstan/hosting';
import type { ResourceRef } from '@capstan/kube';
import { getCondition } from '@capstan/meta';
import type { Condition, JsonObject, KubeObject } from '@capstan/meta';
import { HARBOUR_CLUSTERS, HARBOUR_MACHINES, testPlatform } from '@capstan/provider/testing';
import { HOME } from '@capstan/tools/hosting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { settledCluster } from '../hosted/settled.js';
import type { HostedSimulation } from '../hosted/settled.js';
import { Subject } from '../hosted/scenario.js';

const PLATFORM = testPlatform();
const NAME = 'red';
const PLACE = controlPlaneNamespace(HOME, NAME);

const refOf = (group: string, version: string, plural: string): ResourceRef => ({
  group,
  version,
  plural,
  namespaced: true,
});
const NAMESPACES: ResourceRef = { ...refOf('', 'v1', 'namespaces'), namespaced: false };
const CONFIG_MAPS = refOf('', 'v1', 'configmaps');
const SECRETS = refOf('', 'v1', 'secrets');
const EVENTS = refOf('', 'v1', 'events');
const ACCOUNTS = refOf('', 'v1', 'serviceaccounts');
const DEPLOYMENTS = refOf('apps', 'v1', 'deployments');

const OPERATOR = /\/control-plane-operator$/;
/** Kinds of a control plane namespace whose objects have finalizers, which hold its deletion. */
const HELD: readonly ResourceRef[] = [
  CONFIG_MAPS,
  DEPLOYMENTS,
  HOSTED_CONTROL_PLANES,
  CLUSTERS,
  MACHINE_DEPLOYMENTS,
  MACHINE_SETS,
  MACHINES,
  HARBOUR_MACHINES,
  HARBOUR_CLUSTERS,
];

interface ConditionedObject extends KubeObject {
  readonly status?: { readonly conditions?: readonly Condition[] };
}
interface Deployment extends KubeObject {
  readonly spec: { readonly template: { readonly metadata: KubeObject['metadata']; readonly spec: JsonObject } };
}

/** One cluster, which comes through one after the other. */
let hosted: HostedSimulation;
beforeAll(async () => {
  hosted = await settledCluster(PLATFORM, NAME);
}, 120_000);
afterAll(() => hosted.simulation.end());

async function condition(
  ref: ResourceRef,
  name: string,
  type: string,
  namespace = HOME,
): Promise<Condition | undefined> {
  const object = await hosted.client.get<ConditionedObject>(ref, name, { namespace });
  return getCondition(object.status?.conditions, type);
}

/** `reason: message` of the events about an object next to the cluster. */
async function events(name: string, namespace = HOME): Promise<readonly string[]> {
  const { items } = await hosted.client.list(EVENTS, { namespace });
  return items
    .filter((event) => (event['involvedObject'] as JsonObject)['name'] === name)
    .map((event) => `${String(event['reason'])}: ${String(event['message'])}`);
}

describe('a hosted cluster whose objects are deleted', { timeout: 120_000 }, () => {
  it('restarts the pods of service accounts that were created again, with tokens of the new accounts', async () => {
    const { client, simulation } = hosted;
    const list = async (): Promise<Map<string, Deployment>> => {
      const { items } = await client.list<Deployment>(DEPLOYMENTS, { namespace: PLACE });
      return new Map(items.map((each) => [each.metadata.name ?? '', each]));
    };
    const before = await list();
    await client.deleteCollection(ACCOUNTS, { namespace: PLACE });
    await simulation.runUntil(simulation.elapsed + 120_000);
    const { items: accounts } = await client.list(ACCOUNTS, { namespace: PLACE });
    const uids = new Map(accounts.map(({ metadata }) => [metadata.name, metadata.uid]));
    for (const [name, { metadata, spec }] of await list()) {
      const account = spec.template.spec['serviceAccountName'];
      const uid = spec.template.metadata.annotations?.['capstan.dev/service-account-uid'];
      expect([name, uid]).toEqual([name, account === undefined ? undefined : uids.get(name)]);
      // Who has no account goes on undisturbed.
      if (account === undefined) expect(metadata.generation).toBe(before.get(name)?.metadata.generation);
    }
    const after = await list();
    expect([...after.keys()]).toEqual([...before.keys()]);
    await simulation.runUntil(simulation.elapsed + 600_000);
    expect([...(await list()).values()].map(({ metadata }) => metadata.generation)).toEqual(
      [...after.values()].map(({ metadata }) => metadata.generation),
    );
  });

  describe('all Secrets of its control plane deleted', () => {
    const ONCE = [
      'root-ca',
      'etcd-signer',
      'ignition-server-ca-cert',
      'sa-signing-key',
      'kas-tokens',
      'kubeadmin-password',
    ];
    const data = async (): Promise<JsonObject> => {
      const { items } = await hosted.client.list(SECRETS, { namespace: PLACE });
      const all = items.map((each) => [each.metadata.name ?? '', each['data']] as const);
      return Object.fromEntries(all.filter(([name]) => ONCE.includes(name)));
    };

    it('are restored as they were, with the same keys', async () => {
      const { client, simulation } = hosted;
      const before = await data();
      await client.deleteCollection(SECRETS, { namespace: PLACE });
      await simulation.runUntil(simulation.elapsed + 120_000);
      expect(await data()).toEqual(before);
      await new Subject(hosted, PLATFORM, NAME).nodes(1);
      expect(await condition(HOSTED_CLUSTERS, NAME, 'ControlPlaneKeysKept')).toBeUndefined();
    });

    it('reports lost keys, also those lost while no operator ran, until an administrator has acknowledged them', async () => {
      const { client, simulation } = hosted;
      const before = await data();
      const { process = '' } = simulation.log.events.findLast((event) => OPERATOR.test(event.process)) ?? {};
      simulation.kill(process, 30_000);
      await client.deleteCollection(SECRETS, { namespace: PLACE });
      await simulation.runUntil(simulation.elapsed + 120_000);
      expect(Object.keys(await data())).toEqual(Object.keys(before));
      expect((await data())['root-ca']).not.toEqual(before['root-ca']);
      const message =
        'Secrets root-ca, etcd-signer and 4 more of clusters-red were lost and regenerated, nodes stay NotReady: restore their data or replace all machines, then remove annotation capstan.dev/keys-regenerated';
      const expected = { status: 'False', reason: 'KeysRegenerated', message };
      expect(await condition(HOSTED_CLUSTERS, NAME, 'ControlPlaneKeysKept')).toMatchObject(expected);
      expect(await events(NAME, PLACE)).toContain(`KeysRegenerated: ${message}`);
      const value = { metadata: { annotations: { 'capstan.dev/keys-regenerated': null } } };
      for (const name of ONCE) await client.patch(SECRETS, name, { type: 'merge', value }, { namespace: PLACE });
      await simulation.runUntil(simulation.elapsed + 60_000);
      expect(await condition(HOSTED_CLUSTERS, NAME, 'ControlPlaneKeysKept')).toMatchObject({ status: 'True' });
    });
  });

  it('reports a terminating control plane namespace for as long as it terminates, and then creates it again', async () => {
    const { client, simulation } = hosted;
    const held = { name: 'held', namespace: PLACE, finalizers: ['example.com/hold'] };
    await client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata: held });
    await client.delete(NAMESPACES, PLACE);
    await simulation.runUntil(simulation.elapsed + 60_000);
    const { deletionTimestamp = '' } = (await client.get(NAMESPACES, PLACE)).metadata;
    const [machine] = (await client.list(HARBOUR_MACHINES, { namespace: PLACE })).items;
    const message = `Namespace ${PLACE} is being deleted since ${deletionTimestamp ?? ''}, held by HarbourMachine ${machine?.metadata.name ?? ''}: delete that in its cloud, then remove its finalizers; the namespace is created again`;
    expect(message.length).toBeLessThanOrEqual(200);
    const expected = { status: 'False', reason: 'ControlPlaneNamespaceTerminating', message };
    expect(await condition(HOSTED_CLUSTERS, NAME, 'Available')).toMatchObject(expected);
    expect(await condition(HOSTED_CLUSTERS, NAME, 'ReconciliationSucceeded')).toMatchObject({
      status: 'False',
      reason: 'Blocked',
    });
    expect(await events(NAME)).toContain(`ControlPlaneNamespaceTerminating: ${message}`);
    // What a user does by hand.
    const value = { metadata: { finalizers: null } };
    for (const ref of HELD)
      for (const { metadata } of (await client.list(ref, { namespace: PLACE })).items)
        await client.patch(ref, metadata.name ?? '', { type: 'merge', value }, { namespace: PLACE });
    await new Subject(hosted, PLATFORM, NAME).available();
    await simulation.runUntil(simulation.elapsed + 600_000);
    expect(await condition(NODE_POOLS, 'pool', 'AllNodesHealthy')).toMatchObject({ status: 'True' });
  });
});
