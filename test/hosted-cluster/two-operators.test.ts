import {
  acknowledgedLock,
  CLUSTERS,
  conditionsOf,
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  NODE_POOLS,
  withLock,
} from '@capstan/hosting';
import { TRANSPORTS } from '@capstan/hypershift';
import type { ClientName } from '@capstan/hypershift';
import { patchFrom } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import type { NodePool } from '@capstan/api/hypershift';
import { ignoreNotFound } from '@capstan/meta';
import type { Condition, KubeObject, Transport } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedServer } from '../src/conformance/backend.js';
import { eventually } from '../src/wait.js';
import { Fixture } from './fixture.js';
import { CONFIG_MAPS, DEPLOYMENTS, NAMESPACES, pool } from './objects.js';
import { clientOf, installBothGroups, OPERATORS, TwoOperators } from './two-operators.js';
import type { Sent } from './two-operators.js';

const PREFIX = 'hypershift.openshift.io/';
const HOME = 'two-clusters';
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true, kind: 'Pod' };
const PRIVATE_CLUSTERS = { ...CLUSTERS, group: 'cluster.hypershift.openshift.io' };
const JOURNAL = { id: 'a1', startedAt: '2026-01-01T00:00:00Z' };

type Annotations = Readonly<Record<string, string>>;

interface Row {
  readonly name: string;
  readonly annotations: Annotations;
  /** Which operator reconciles it; undefined for none. */
  readonly by: Sent['operator'] | undefined;
  /** What its annotations become. */
  readonly becomes?: Annotations;
  /** Whether its control plane has a standard Cluster beforehand. */
  readonly hasStandard?: boolean;
}

const PRIVATE: Annotations = { 'private-capi-types': 'true' };
const LEGACY: Annotations = { scope: 'legacy' };
const ROWS: readonly Row[] = [
  { name: 'marked', annotations: PRIVATE, by: 'private' },
  { name: 'legacy', annotations: LEGACY, by: 'legacy' },
  { name: 'failed', annotations: { ...LEGACY, 'migration-failed': 'x' }, by: 'legacy' },
  { name: 'new', annotations: {}, by: 'private', becomes: PRIVATE },
  { name: 'existing', annotations: {}, by: 'legacy', becomes: LEGACY, hasStandard: true },
  { name: 'both', annotations: { ...PRIVATE, ...LEGACY }, by: 'private', becomes: PRIVATE },
  { name: 'broken', annotations: { ...PRIVATE, ...LEGACY }, by: 'legacy', becomes: LEGACY, hasStandard: true },
  { name: 'shard', annotations: { scope: 'shard-1' }, by: undefined },
  { name: 'locked', annotations: { ...LEGACY, 'migration-in-progress': 'true' }, by: undefined },
];

function own(annotations: Annotations): Annotations {
  return Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`${PREFIX}${name}`, value]));
}

describe('two operators next to each other', () => {
  let server: Transport;
  let client: Client;
  let operators: TwoOperators;

  const fixtureOf = (name: string): Fixture => new Fixture(server, { name, namespace: HOME });
  const hasControlPlane = async (name: string): Promise<boolean> =>
    (await fixtureOf(name).find(HOSTED_CONTROL_PLANES, name, `${HOME}-${name}`)) !== undefined;
  const poolOf = (name: string): Promise<NodePool> =>
    client.get<NodePool>(NODE_POOLS, `${name}-workers`, { namespace: HOME });
  const legacyDeployment = (): Promise<KubeObject | undefined> =>
    client.get(DEPLOYMENTS, 'operator-legacy', { namespace: OPERATORS }).catch(ignoreNotFound);
  const annotationsOf = async (name: string): Promise<Annotations> => {
    const { annotations = {} } = (await fixtureOf(name).hostedCluster()).metadata;
    const listed = Object.entries(annotations).filter(([key]) => /scope|private-capi|migration/u.test(key));
    return Object.fromEntries(listed.map(([key, value]) => [key.slice(PREFIX.length), value]));
  };

  async function installLegacy(): Promise<void> {
    const labels = { app: 'operator-legacy' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'operator', image: 'i' }] } };
    await client.create(DEPLOYMENTS, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'operator-legacy', namespace: OPERATORS },
      spec: { replicas: 1, selector: { matchLabels: labels }, template },
    } as KubeObject);
  }

  async function createCluster({ annotations, hasStandard = false, name }: Row): Promise<void> {
    const fixture = fixtureOf(name);
    const namespace = `${HOME}-${name}`;
    if (hasStandard) {
      const marks = { [`${PREFIX}cluster`]: `${HOME}/${name}` };
      const metadata = { name: namespace, annotations: marks };
      await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata });
      await client.create(CLUSTERS, {
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'Cluster',
        metadata: { name: `${name}-x7k2p`, namespace, annotations: marks },
        spec: { infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'HarbourCluster', name } },
      } as KubeObject);
    }
    await fixture.begin({ metadata: { annotations: own(annotations) } });
    await client.create(NODE_POOLS, pool(await fixture.hostedCluster(), `${name}-workers`));
  }

  beforeAll(async () => {
    server = embeddedServer();
    client = clientOf(server);
    await installBothGroups(client);
    for (const name of [OPERATORS, HOME])
      await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await client.create(CONFIG_MAPS, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'private-capi-migration-fleet', namespace: OPERATORS },
      data: { hold: 'true' },
    } as KubeObject);
    operators = new TwoOperators(() => server);
    operators.releases.add('4.22.0');
  }, 60_000);

  afterAll(() => operators.stop());

  it('neither acts while an operator from before them runs; without clusters the legacy one is deleted then', async () => {
    await installLegacy();
    const containers = [{ name: 'operator', image: 'i' }];
    const metadata = { name: 'operator-1', namespace: OPERATORS, labels: { app: 'operator' } };
    await client.create(PODS, { apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers } } as KubeObject);
    await operators.start('private');
    await eventually('pods are looked for', () =>
      Promise.resolve(operators.sent.some(({ target }) => target.endsWith(`/${OPERATORS}/pods`))),
    );
    expect(await legacyDeployment()).toBeDefined();
    await client.delete(PODS, 'operator-1', { namespace: OPERATORS, gracePeriodSeconds: 0 });
    await eventually('the legacy operator is deleted', async () => (await legacyDeployment()) === undefined);
    await installLegacy();
  }, 60_000);

  it('reconcile what the table of annotations gives each of them', async () => {
    for (const row of ROWS) await createCluster(row);
    await operators.start('legacy');
    for (const { by, name } of ROWS)
      if (by !== undefined) await eventually(`${name} has a control plane`, () => hasControlPlane(name));
    await eventually('the foreign lock is acknowledged', async () => {
      const conditions = conditionsOf(await fixtureOf('locked').hostedCluster());
      return acknowledgedLock(conditions) === 'foreign';
    });
    for (const { annotations, becomes = annotations, by, name } of ROWS) {
      const actors = new Set(operators.reconciling({ name, namespace: HOME }).map(({ operator }) => operator));
      // A lock is acknowledged, and that is the only write.
      const expected = name === 'locked' ? ['legacy'] : [by].filter((each) => each !== undefined);
      expect([name, ...actors]).toEqual([name, ...expected]);
      expect([name, await annotationsOf(name)]).toEqual([name, becomes]);
      expect([name, await hasControlPlane(name)]).toEqual([name, by !== undefined]);
    }
    expect(await legacyDeployment()).toBeDefined();
  }, 60_000);

  it('keep objects in the groups of the operator', async () => {
    const clustersOf = async (name: string): Promise<number[]> => {
      const at = { namespace: `${HOME}-${name}` };
      const lists = await Promise.all([CLUSTERS, PRIVATE_CLUSTERS].map((kind) => client.list(kind, at)));
      return lists.map(({ items }) => items.length);
    };
    for (const { by, name } of ROWS) {
      if (by === undefined) continue;
      const expected = by === 'private' ? [0, 1] : [1, 0];
      await eventually(`${name} has its Cluster`, async () => (await clustersOf(name)).join() === expected.join());
    }
  }, 60_000);

  it('report a foreign lock on the cluster, and its NodePool acknowledges it', async () => {
    await eventually('the NodePool acknowledges', async () => {
      const { status } = await poolOf('locked');
      return acknowledgedLock(status?.conditions as readonly Condition[] | undefined) === 'foreign';
    });
    await eventually('the condition is there', async () => {
      const conditions = conditionsOf(await fixtureOf('locked').hostedCluster());
      return conditions?.some(({ reason, type }) => type === 'PrivateCAPIMigration' && reason === 'ForeignLock');
    });
  }, 60_000);

  it('write nothing of a cluster between the acknowledgement of a lock and its end', async () => {
    const before = await fixtureOf('legacy').hostedCluster();
    await patchFrom(client, HOSTED_CLUSTERS, { before, after: withLock(before, JOURNAL) });
    await eventually('cluster and NodePool acknowledge', async () => {
      const objects = [await fixtureOf('legacy').hostedCluster(), await poolOf('legacy')];
      const locks = objects.map(({ status }) =>
        acknowledgedLock(status?.conditions as readonly Condition[] | undefined),
      );
      return locks.every((lock) => lock === 'a1');
    });
    const since = operators.sent.length;
    await fixtureOf('legacy').change({ spec: { channel: 'fast' } });
    const value = { spec: { replicas: 3 } };
    await client.patch(NODE_POOLS, 'legacy-workers', { type: 'merge', value }, { namespace: HOME });
    await client.delete(DEPLOYMENTS, 'cluster-api', { namespace: `${HOME}-legacy` });
    // Another cluster is reconciled meanwhile: the operator has received these changes as well.
    await createCluster({ name: 'other', annotations: LEGACY, by: 'legacy' });
    await eventually('another cluster has a control plane', () => hasControlPlane('other'));
    expect(operators.reconciling({ name: 'legacy', namespace: HOME }, since)).toEqual([]);
  }, 60_000);

  it('hand a cluster over at the commit and at the end of its lock', async () => {
    const since = operators.sent.length;
    const value = { metadata: { annotations: { ...own(PRIVATE), [`${PREFIX}scope`]: null } } };
    await fixtureOf('failed').change({
      metadata: { annotations: { [`${PREFIX}migration-failed`]: null, ...value.metadata.annotations } },
    });
    await eventually('the new operator reconciles it', async () =>
      Promise.resolve(
        operators
          .reconciling({ name: 'failed', namespace: HOME }, since)
          .some(({ operator, target }) => operator === 'private' && target.includes(`/${HOME}-failed/`)),
      ),
    );
    const first = operators.sent.findIndex(
      ({ operator, target }, at) => at >= since && operator === 'private' && target.includes(`/${HOME}-failed/`),
    );
    const actors = operators.reconciling({ name: 'failed', namespace: HOME }, first).map(({ operator }) => operator);
    expect(new Set(actors)).toEqual(new Set(['private']));
  }, 60_000);

  describe('ask by the transport that each controller declares:', () => {
    // Not taken from the operator: a declaration that changes is to be noticed here.
    const declared: readonly (readonly [ClientName, Sent['transport']])[] = [
      ['hostedcluster', 'proxied'],
      ['nodepool', 'proxied'],
      ['turns', 'direct'],
      ['MigrationController', 'direct'],
      ['LegacyOperator', 'direct'],
      ['PrivateCrds', 'direct'],
      ['Certificates', 'direct'],
    ];
    const ofPrivate = (): readonly Sent[] => operators.sent.filter(({ operator }) => operator === 'private');

    it.each(declared)('%s is %s', (name, transport) => {
      expect(TRANSPORTS[name]).toBe(transport);
      const used = ofPrivate().filter(({ controller }) => controller === name);
      expect([...new Set(used.map((each) => each.transport))]).toEqual([transport]);
    });

    it('each controller is here', () => {
      expect(declared.map(([name]) => name).toSorted()).toEqual(Object.keys(TRANSPORTS).toSorted());
    });

    it('nothing but caches, events and the lease is asked for without a controller', () => {
      const rest = ofPrivate().filter(({ controller, method }) => controller === '' && method !== 'GET');
      expect(rest.filter(({ target }) => !/\/(?:events|leases)(?:\/|$)/u.test(target))).toEqual([]);
    });

    it('no private group is asked for through the proxy', () => {
      const isPrivateGroup = /apis\/[a-z.]*cluster\.hypershift/u;
      const proxied = ofPrivate().filter(({ transport }) => transport === 'proxied');
      expect(proxied.filter(({ target }) => isPrivateGroup.test(target))).toEqual([]);
    });
  });
});
