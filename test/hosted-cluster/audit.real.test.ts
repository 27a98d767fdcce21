import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NodePool } from '@capstan/api/hypershift';
import {
  acknowledgedLock,
  annotated,
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  lockOf,
  NODE_POOLS,
  withLock,
} from '@capstan/hosting';
import { operatorManifests } from '@capstan/hypershift/manifests';
import type { OperatorMode } from '@capstan/hypershift/manifests';
import { Client, fixedCredentials, HttpTransport, patchFrom } from '@capstan/kube';
import type { ResourceRef } from '@capstan/kube';
import { isAlreadyExists } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import { testPlatform } from '@capstan/provider/testing';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { applyAll, become, dropClusterWide } from '../manifests/accounts.js';
import { eventually } from '../src/wait.js';
import { Fixture } from './fixture.js';
import { CONFIG_MAPS, DEPLOYMENTS, NAMESPACES, pool } from './objects.js';
import { bothGroups, installBothGroups, OPERATORS, TwoOperators } from './two-operators.js';
import type { Sent } from './two-operators.js';

const HOME = 'audited-clusters';
const ACCOUNTS = { private: 'operator', legacy: 'operator-legacy' } as const satisfies Record<Sent['operator'], string>;
const LEGACY = { 'hypershift.openshift.io/scope': 'legacy' };
const FOREIGN = { 'hypershift.openshift.io/migration-in-progress': 'true' };
const MAPPING = new GroupMapping(CLUSTER_API_RULES);
const LIMIT_MS = 120_000;
const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

interface AuditEvent {
  readonly stage: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly requestReceivedTimestamp: string;
  readonly userAgent?: string;
  readonly user?: { readonly username?: string };
  readonly responseStatus?: { readonly code?: number };
  readonly objectRef?: { readonly resource?: string; readonly namespace?: string; readonly name?: string };
}

/** A write of one of both operators. */
interface Write {
  readonly atMs: number;
  readonly by: Sent['operator'];
  readonly controller: string;
  readonly text: string;
}

const { auditLog = '', ca, token, url } = inject('realKube');
const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
const transport = new HttpTransport({ server: url, trust: { caPem: ca }, credentials, namespace: 'default' });
const client = new Client(transport, { userAgent: 'test' });

/** The writes of both operators that the server has logged about a HostedCluster and everything of it, Events apart. */
function writesAbout(name: string): readonly Write[] {
  const controlPlane = `${HOME}-${name}`;
  const isOf = ({ name: of = '', namespace, resource }: NonNullable<AuditEvent['objectRef']>): boolean =>
    namespace === controlPlane ||
    (resource === 'namespaces' && of === controlPlane) ||
    (namespace === HOME && (of === name || of.startsWith(`${name}-`)));
  return readFileSync(auditLog, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditEvent)
    .flatMap(({ objectRef = {}, requestReceivedTimestamp, requestURI, responseStatus, ...event }) => {
      const { stage, user, userAgent = '', verb } = event;
      const by = (['private', 'legacy'] as const).find(
        (each) => user?.username === `system:serviceaccount:${OPERATORS}:${ACCOUNTS[each]}`,
      );
      if (by === undefined || stage !== 'ResponseComplete' || !WRITES.has(verb)) return [];
      if (objectRef.resource === 'events' || !isOf(objectRef)) return [];
      // What the server refused has written nothing: the lock of an object that is read late is its resourceVersion.
      if ((responseStatus?.code ?? 0) >= 400) return [];
      const [, controller = ''] = userAgent.split('/');
      return [{ atMs: Date.parse(requestReceivedTimestamp), by, controller, text: `${verb} ${requestURI}` }];
    });
}

/** What the accounts of both operators need, as install applies it. */
function accounts(): readonly KubeObject[] {
  const platforms = new HostingPlatforms([testPlatform()]);
  const swap = (group: string): string => MAPPING.swap(group);
  const of = (mode: OperatorMode): readonly KubeObject[] =>
    operatorManifests({ mode, namespace: OPERATORS, image: 'i', platforms, swap, proxyImage: 'proxy:1' });
  return [...of('private'), ...of('legacy')].filter(({ kind }) => /^ServiceAccount$|Role(?:Binding)?$/u.test(kind));
}

const ensureNamespace = (name: string): Promise<unknown> =>
  client
    .create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    .catch((error: unknown) => expect(isAlreadyExists(error)).toBe(true));

describe('the audit log of a server with two operators, each with an account of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-audit-'));
  const ways = new Map<string, HttpTransport>();
  let operators: TwoOperators;
  const fixtureOf = (name: string): Fixture => new Fixture(transport, { name, namespace: HOME });
  const hasControlPlane = async (name: string): Promise<boolean> =>
    (await fixtureOf(name).find(HOSTED_CONTROL_PLANES, name, `${HOME}-${name}`)) !== undefined;

  async function createCluster(name: string, annotations: Readonly<Record<string, string>>): Promise<void> {
    await fixtureOf(name).begin({ metadata: { annotations } });
    await client.create(NODE_POOLS, pool(await fixtureOf(name).hostedCluster(), `${name}-workers`));
    await eventually(`${name} has a control plane`, () => hasControlPlane(name));
  }

  beforeAll(async () => {
    await installBothGroups(client);
    for (const name of [OPERATORS, HOME]) await ensureNamespace(name);
    await applyAll(client, accounts());
    const hold: KubeObject & { readonly data: object } = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'private-capi-migration-fleet', namespace: OPERATORS },
      data: { hold: 'true' },
    };
    await client.create(CONFIG_MAPS, hold);
    for (const name of Object.values(ACCOUNTS))
      ways.set(name, (await become({ url, ca, token }, client, { namespace: OPERATORS, name, folder })).transport);
    operators = new TwoOperators((operator) => ways.get(ACCOUNTS[operator]) as HttpTransport);
    operators.releases.add('4.22.0');
    await operators.start('private');
    await operators.start('legacy');
  }, LIMIT_MS);

  afterAll(async () => {
    await operators.stop();
    for (const way of ways.values()) await way.close();
    rmSync(folder, { recursive: true });
    await removeAll();
    await transport.close();
  }, LIMIT_MS);

  it('has writes of each to its own clusters, and of none to those of the other', async () => {
    await createCluster('first', LEGACY);
    await createCluster('second', {});
    for (const [name, by] of [['first', 'legacy'] as const, ['second', 'private'] as const]) {
      const reconciling = (): readonly Write[] =>
        writesAbout(name).filter(({ controller }) => controller === 'hostedcluster' || controller === 'nodepool');
      await eventually(`both controllers have written of ${name}`, () =>
        Promise.resolve(new Set(reconciling().map(({ controller }) => controller)).size === 2),
      );
      expect([name, ...new Set(reconciling().map((write) => write.by))]).toEqual([name, by]);
    }
  });

  it.each([
    ['first', 'legacy', { id: 'lock-of-first', startedAt: '2026-01-01T00:00:00Z' }],
    // The migration would soon release its own lock of a cluster that is on private types.
    ['second', 'private', undefined],
  ] as const)(
    'has no write of either to any object of %s once the %s operator has acknowledged its lock',
    async (name, by, journal) => {
      const fixture = fixtureOf(name);
      const before = await fixture.hostedCluster();
      const after = journal === undefined ? annotated(before, FOREIGN) : withLock(before, journal);
      await patchFrom(client, HOSTED_CLUSTERS, { before, after });
      await eventually('the cluster and its NodePool acknowledge it', async () => {
        const found = [
          await fixture.hostedCluster(),
          await client.get<NodePool>(NODE_POOLS, `${name}-workers`, { namespace: HOME }),
        ];
        const locks = found.map((each) =>
          acknowledgedLock(each.status?.conditions as readonly Condition[] | undefined),
        );
        return locks.every((each) => each === (journal?.id ?? 'foreign'));
      });
      const acknowledgedMs = Date.now();
      // What would be reconciled at once without the lock.
      await fixture.change({ spec: { channel: 'fast' } });
      const value = { spec: { replicas: 3 } };
      await client.patch(NODE_POOLS, `${name}-workers`, { type: 'merge', value }, { namespace: HOME });
      await client.delete(DEPLOYMENTS, 'cluster-api', { namespace: `${HOME}-${name}` });
      // Both operators are at work on other clusters meanwhile, and have received these changes as well.
      await createCluster(`legacy-next-to-${name}`, LEGACY);
      await createCluster(`private-next-to-${name}`, {});
      expect(lockOf(await fixture.hostedCluster())).toMatchObject(
        journal === undefined ? { holder: 'foreign' } : { holder: 'migration', journal: { id: journal.id } },
      );
      const reconciling = writesAbout(name).filter(({ controller }) => controller !== 'MigrationController');
      const last = (of: string): string => reconciling.findLast(({ controller }) => controller === of)?.text ?? 'none';
      // The acknowledgement is the last that each controller has written, of the very cluster and its NodePool.
      expect(last('hostedcluster')).toMatch(new RegExp(`/namespaces/${HOME}/hostedclusters/${name}/status`, 'u'));
      expect(last('nodepool')).toMatch(new RegExp(`/namespaces/${HOME}/nodepools/${name}-workers/status`, 'u'));
      expect(reconciling.filter(({ atMs }) => atMs > acknowledgedMs)).toEqual([]);
      expect(new Set(reconciling.map((write) => write.by))).toEqual(new Set([by]));
    },
  );

  /** Nothing is left for other suites on this server; what waits for controllers that have ended is let go. */
  async function removeAll(): Promise<void> {
    const definitions: ResourceRef = {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      plural: 'customresourcedefinitions',
      namespaced: false,
    };
    for (const { metadata, spec } of bothGroups()) {
      const { group, names, versions } = spec as {
        readonly group: string;
        readonly names: { readonly plural: string };
        readonly versions: readonly { readonly name: string; readonly storage: boolean }[];
      };
      const version = versions.find(({ storage }) => storage)?.name ?? '';
      const kind = { group, version, plural: names.plural, namespaced: true };
      for (const { metadata: of } of (await client.list(kind).catch(() => ({ items: [] }))).items) {
        const { finalizers, name = '', namespace } = of;
        const value = { metadata: { finalizers: null } };
        if (finalizers !== undefined) await client.patch(kind, name, { type: 'merge', value }, { namespace });
      }
      await client.delete(definitions, metadata.name ?? '');
    }
    await dropClusterWide(client, accounts());
    await client.delete(CONFIG_MAPS, 'private-capi-migration-fleet', { namespace: OPERATORS });
  }
});
