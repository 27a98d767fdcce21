import { HOSTED_CONTROL_PLANES, MIGRATION_FAILURE_ANNOTATION } from '@capstan/hosting';
import { installDefinitions } from '@capstan/tools/hosting';
import type { ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NETWORK_POLICIES, POD_MONITORS, POD_MONITOR_CRD } from '../src/proxy-objects.js';
import { bothGroups, createFleet, freshNamespace, migrationServer, MigrationFixture } from './fixture.js';
import { HostedMigration, hostedKinds } from './hosted.js';
import type { MigrationObservers } from './hosted.js';

const PODS: ResourceKind = { group: '', version: 'v1', plural: 'pods', namespaced: true, kind: 'Pod' };
const PROXIED = ['capi-provider', 'cluster-api', 'cluster-autoscaler', 'control-plane-operator', 'machine-approver'];

let fixture: MigrationFixture;
let hosted: HostedMigration;

beforeEach(async () => {
  fixture = await MigrationFixture.start(await migrationServer([...bothGroups(), ...hostedKinds()]), freshNamespace());
  hosted = await HostedMigration.create(fixture);
  await createFleet(fixture, false);
  await hosted.begin();
}, 60_000);
afterEach(() => fixture.close());

const list = async (kind: ResourceKind): Promise<readonly KubeObject[]> =>
  (await fixture.client.list(kind, { namespace: fixture.namespace })).items;
const policies = (): Promise<readonly KubeObject[]> => list(NETWORK_POLICIES);
const outcome = async (): Promise<string | undefined> =>
  (await hosted.hostedCluster()).metadata.annotations?.['hypershift.openshift.io/migration-failed'];

/** Deployments have one pod for each of their replicas, which runs at once. */
async function playPods(): Promise<void> {
  for (const { metadata, spec } of await hosted.deployments()) {
    const { name = '', namespace } = metadata;
    const there = (await list(PODS)).some((each) => each.metadata.name === name);
    const isWanted = (spec.replicas ?? 1) > 0;
    if (there && !isWanted) await fixture.client.delete(PODS, name, { namespace, gracePeriodSeconds: 0 });
    if (there || !isWanted) continue;
    const pod = { metadata: { name, namespace: fixture.namespace, labels: { app: name } }, spec: spec.template.spec };
    await fixture.client.create(PODS, { apiVersion: 'v1', kind: 'Pod', ...pod });
    const status = { phase: 'Running' };
    await fixture.client.patch(PODS, name, { type: 'merge', value: { status } }, { namespace, subresource: 'status' });
  }
}

async function migrateWith(probe: NonNullable<MigrationObservers['probeTranslation']>): Promise<void> {
  hosted.playOthers = playPods;
  await playPods();
  hosted.restart(fixture.transport, { isPodless: false, probeTranslation: probe });
  await hosted.lock();
  await hosted.run();
}

describe('The proxies of a control plane that is migrated', () => {
  it('are open to API servers and scrapers on their health port alone, and go with their Deployments', async () => {
    const seen = new Map<string, number>();
    await migrateWith(async ({ metadata: { name = '' } }) => {
      seen.set(name, (await policies()).length);
      return undefined;
    });
    expect(await outcome()).toBeUndefined();
    // Before the first of them is asked.
    expect([...seen.values()]).toEqual(PROXIED.map(() => PROXIED.length));
    const found = await policies();
    expect(found.map(({ metadata }) => metadata.name)).toEqual(PROXIED.map((name) => `${name}-kube-apiserver-proxy`));
    for (const { metadata, spec } of found) {
      const [owner] = metadata.ownerReferences ?? [];
      expect(owner).toMatchObject({ apiVersion: 'apps/v1', kind: 'Deployment' });
      expect(spec).toMatchObject({
        podSelector: { matchLabels: { app: owner?.name } },
        policyTypes: ['Ingress'],
        ingress: [
          {
            from: [
              { namespaceSelector: { matchLabels: { 'policy-group.network.openshift.io/host-network': '' } } },
              { namespaceSelector: { matchLabels: { 'network.openshift.io/policy-group': 'monitoring' } } },
            ],
            ports: [{ port: 8081, protocol: 'TCP' }],
          },
        ],
      });
    }
  });

  it('are closed again by a rollback, and no longer scraped', async () => {
    await installDefinitions(fixture.client, [POD_MONITOR_CRD]);
    const { namespace } = fixture;
    await fixture.client.create(HOSTED_CONTROL_PLANES, {
      apiVersion: 'hypershift.openshift.io/v1beta1',
      kind: 'HostedControlPlane',
      metadata: { name: hosted.name, namespace },
      spec: { ...((await hosted.hostedCluster()).spec as object), releaseImage: 'r', issuerURL: 'https://i' },
    } as never);
    const scraped: (readonly KubeObject[])[] = [];
    await migrateWith(async () => {
      scraped.push(await list(POD_MONITORS));
      return { check: 'translation', message: 'it does not translate' };
    });
    expect(await outcome()).toBe('health-check-timeout');
    expect(scraped[0]).toMatchObject([
      { metadata: { name: 'kube-apiserver-proxy', ownerReferences: [{ kind: 'HostedControlPlane' }] } },
    ]);
    expect([await policies(), await list(POD_MONITORS)]).toEqual([[], []]);
  });

  it('are not called unhealthy where the network hides them', async () => {
    const message = 'the network refuses requests of the API server to port 8081';
    await migrateWith(() => Promise.resolve({ check: 'network', message }));
    expect(await outcome()).toBe('proxy-unreachable');
    const { annotations = {} } = (await hosted.hostedCluster()).metadata;
    expect(annotations[MIGRATION_FAILURE_ANNOTATION]).toContain(`network: Pod control-plane-operator: ${message}`);
  });
});
