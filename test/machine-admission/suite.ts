import type { JsonObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Access } from '../manifests/accounts.js';
import { CASES, CREATIONS } from './cases.js';
import type { Resource, User } from './fixture.js';
import { AdmissionFixture, object, placeOf } from './fixture.js';

const LIMIT_MS = 120_000;
const SYNC = 'sync.machine.openshift.io/finalizer';
const COPIED = {
  'machine.openshift.io/synchronized-keys': '{"labels":["copied"],"annotations":["note"]}',
  note: 'a',
};
const PAUSED = { 'cluster.x-k8s.io/paused': 'copy' };
const AT = { message: 'as it is', lastTransitionTime: '2026-01-01T00:00:00Z' };
const STOPPED = [{ type: 'Paused', status: 'True', reason: 'AuthoritativeAPINotMachineAPI', ...AT }];
const SYNCHRONIZED = [{ type: 'Synchronized', status: 'True', reason: 'ResourceSynchronized', ...AT }];
const FAILED = [{ type: 'Synchronized', status: 'False', reason: 'ConversionFailed', ...AT }];

/** Every object of a state, before there are policies. */
async function populate(fixture: AdmissionFixture): Promise<void> {
  const create = async (resource: Resource, name: string, metadata: JsonObject, status?: JsonObject): Promise<void> => {
    const { namespace, ref } = placeOf(resource);
    await fixture.admin.create(ref, object(resource, name, metadata), { namespace });
    if (status === undefined) return;
    const patch = { type: 'merge', value: { status } } as const;
    await fixture.admin.patch(ref, name, patch, { namespace, subresource: 'status' });
  };
  const labels = { copied: 'a', mine: 'm' };
  const copy = (own: JsonObject): JsonObject => ({ labels, annotations: { ...COPIED, ...own }, finalizers: [SYNC] });
  for (const kind of ['machine', 'set', 'check', 'plane'] as const) {
    await create(`mapi ${kind}`, 'copy', copy({}), { authoritativeAPI: 'ClusterAPI' });
    await create(`mapi ${kind}`, 'returning', copy({}), {
      authoritativeAPI: 'Migrating',
      synchronizedAPI: 'ClusterAPI',
    });
    await create(`mapi ${kind}`, 'leaving', copy({}), { authoritativeAPI: 'Migrating', synchronizedAPI: 'MachineAPI' });
    await create(`mapi ${kind}`, 'authority', { finalizers: [SYNC] }, { authoritativeAPI: 'MachineAPI' });
    await create(`mapi ${kind}`, 'free', {});
    await create(`mapi ${kind}`, 'acting', {});
    await create(`mapi ${kind}`, 'stopping', {}, { authoritativeAPI: 'ClusterAPI' });
    await create(`mapi ${kind}`, 'stopped', {}, { authoritativeAPI: 'ClusterAPI', conditions: STOPPED });
    await create(`mapi ${kind}`, 'ready', {}, { authoritativeAPI: 'MachineAPI', conditions: SYNCHRONIZED });
    await create(`mapi ${kind}`, 'failed', {}, { authoritativeAPI: 'MachineAPI', conditions: FAILED });
    await create(`capi ${kind}`, 'unpaired', {});
  }
  for (const kind of ['machine', 'set', 'check', 'plane', 'infrastructure', 'template'] as const) {
    await create(`capi ${kind}`, 'copy', copy(PAUSED));
    await create(`capi ${kind}`, 'authority', { finalizers: [SYNC] });
    await create(`capi ${kind}`, 'free', {});
  }
}

interface Request {
  readonly on: Resource;
  readonly who: User;
  readonly name: string;
  readonly patch: JsonObject;
  readonly subresource?: 'scale' | 'status' | undefined;
}

/** What the server answers to a change that it does not persist. */
function dryRun(
  fixture: AdmissionFixture,
  { name, on, patch, subresource, who }: Request,
): Promise<string | undefined> {
  const { namespace, ref } = placeOf(on);
  const change = { type: 'merge', value: patch } as const;
  return fixture.refusal(fixture.as(who).patch(ref, name, change, { namespace, subresource, dryRun: true }));
}

function describeChanges(fixture: () => AdmissionFixture): void {
  it.each(
    CASES.map((each) => {
      const { on, refusal, subresource, what, who } = each;
      const verdict = refusal === undefined ? 'allowed' : 'refused';
      const way = subresource === undefined ? '' : ` by /${subresource}`;
      return [`${who} ${what}${way}, ${on}: ${verdict}`, each] as const;
    }),
  )('%s', async (_, { on, patch, refusal, subresource, who }) => {
    const [api, kind, name = ''] = on.split(' ');
    const seen = await dryRun(fixture(), { on: `${api} ${kind}` as Resource, who, name, patch, subresource });
    expect(seen).toEqual(refusal === undefined ? undefined : expect.stringContaining(refusal));
  });
}

function describeCreations(fixture: () => AdmissionFixture): void {
  it.each(
    CREATIONS.map((each) => {
      const verdict = each.refusal === undefined ? 'allowed' : 'refused';
      return [`${each.who} creates a ${each.of} ${each.what}: ${verdict}`, each] as const;
    }),
  )('%s', async (_, { metadata = {}, name, of, refusal, spec, who }) => {
    const { namespace, ref } = placeOf(of);
    const request = fixture()
      .as(who)
      .create(ref, object(of, name, metadata, spec), { namespace, dryRun: true });
    expect(await fixture().refusal(request)).toEqual(
      refusal === undefined ? undefined : expect.stringContaining(refusal),
    );
  });
}

const OWNER = {
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'MachineSet',
  name: 's',
  uid: 'a7e6b1f4-0000-4000-8000-000000000000',
  controller: true,
};

/** The warnings with which the server allows a request. */
async function warningsOf(
  fixture: AdmissionFixture,
  request: Omit<Request, 'patch'> & { readonly patch?: JsonObject },
): Promise<readonly string[]> {
  const texts: string[] = [];
  const client = fixture.as(request.who, (text) => texts.push(text));
  const { namespace, ref } = placeOf(request.on);
  const options = { namespace, dryRun: true };
  if (request.patch === undefined) await client.delete(ref, request.name, options);
  else await client.patch(ref, request.name, { type: 'merge', value: request.patch }, options);
  return texts.map((text) => text.replace(/^.*with binding '[^']*': /, ''));
}

function describeWarnings(fixture: () => AdmissionFixture): void {
  const toClusterApi = { spec: { authoritativeAPI: 'ClusterAPI' } };
  const plurals = {
    machine: 'machines',
    set: 'machinesets',
    check: 'machinehealthchecks',
    plane: 'controlplanemachinesets',
  };
  const kinds = Object.keys(plurals) as (keyof typeof plurals)[];

  it.each(kinds)('allows every switch of a %s, and warns of what it waits for', async (kind) => {
    const ask = (name: string, patch: JsonObject = toClusterApi): Promise<readonly string[]> =>
      warningsOf(fixture(), { on: `mapi ${kind}`, who: 'admin', name, patch });
    const waits = `${plurals[kind]} failed: authority moves to ClusterAPI once both copies are synchronized; Synchronized is False: as it is`;
    expect(await ask('failed')).toEqual([waits]);
    expect(await ask('free')).toEqual([waits.replace('failed', 'free').replace('False: as it is', 'not reported')]);
    expect(await ask('ready')).toEqual([]);
    expect(await ask('failed', { metadata: { labels: { a: 'b' } } })).toEqual([]);
  });

  it('warns of a machine whose instance is not known', async () => {
    const [admin, at] = [fixture().admin, placeOf('mapi machine')];
    const patch = { type: 'merge', value: { status: { phase: 'Provisioning' } } } as const;
    await admin.patch(at.ref, 'ready', patch, { namespace: at.namespace, subresource: 'status' });
    expect(
      await warningsOf(fixture(), { on: 'mapi machine', who: 'admin', name: 'ready', patch: toClusterApi }),
    ).toEqual(['machines ready: authority moves once the provider ID of its instance is known']);
  });

  it.each(kinds)('allows every deletion of a %s, and warns where it does not reach', async (kind) => {
    const remove = (api: 'mapi' | 'capi', name: string, who: User = 'admin'): Promise<readonly string[]> =>
      warningsOf(fixture(), { on: `${api} ${kind}`, who, name });
    expect(await remove('mapi', 'copy')).toEqual([
      `${plurals[kind]} copy is a copy: its deletion is not synchronized, and the one in openshift-cluster-api goes on alone`,
    ]);
    expect(await remove('capi', 'copy')).toEqual([
      `${plurals[kind]} copy is a copy: it is created again; delete the one in openshift-machine-api instead`,
    ]);
    for (const name of ['authority', 'free']) {
      expect(await remove('mapi', name)).toEqual([]);
      expect(await remove('capi', name)).toEqual([]);
    }
    expect(await remove('mapi', 'copy', 'gc')).toEqual([]);
  });

  it('warns of no machine that its set owns: its deletion is carried over', async () => {
    const on = 'mapi machine' as const;
    const { namespace, ref } = placeOf(on);
    await fixture().admin.create(ref, object(on, 'owned', { ownerReferences: [OWNER] }), { namespace });
    const status = { type: 'merge', value: { status: { authoritativeAPI: 'ClusterAPI' } } } as const;
    await fixture().as('operator').patch(ref, 'owned', status, { namespace, subresource: 'status' });
    expect(await warningsOf(fixture(), { on, who: 'admin', name: 'owned' })).toEqual([]);
  });
}

/** Who may do what to the two copies of a resource, on any server. */
export function describeAdmission(server: string, start: () => Promise<Access & { stop(): Promise<void> }>): void {
  describe(`admission of machines in two APIs on ${server}`, { timeout: LIMIT_MS }, () => {
    let opened: { readonly fixture: AdmissionFixture; stop(): Promise<void> } | undefined;
    const fixture = (): AdmissionFixture => {
      if (opened === undefined) throw new TypeError('the server did not start');
      return opened.fixture;
    };

    beforeAll(async () => {
      const access = await start();
      opened = { fixture: new AdmissionFixture(access), stop: () => access.stop() };
      await opened.fixture.begin();
      await populate(opened.fixture);
      await opened.fixture.enforce();
    }, LIMIT_MS);
    afterAll(async () => {
      await opened?.fixture.end();
      await opened?.stop();
    }, LIMIT_MS);

    describeChanges(fixture);
    describeCreations(fixture);
    describeWarnings(fixture);

    it('locks the copy that is not authoritative during a handover', async () => {
      const request = {
        on: 'mapi machine',
        who: 'admin',
        patch: { spec: { authoritativeAPI: 'ClusterAPI', providerID: 'aws:///y' } },
      } as const;
      expect(await dryRun(fixture(), { ...request, name: 'returning' })).toContain('so spec fields providerID');
      expect(await dryRun(fixture(), { ...request, name: 'leaving' })).toBeUndefined();
    });

    it('names where to go instead, on one line', async () => {
      const patch = { spec: { providerID: 'x' } };
      const name = 'machine-api-migration-machine-api-copies';
      expect(await dryRun(fixture(), { on: 'mapi machine', who: 'admin', name: 'copy', patch })).toBe(
        `machines.machine.openshift.io "copy" is forbidden: ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: machines copy: openshift-cluster-api has the authoritative copy, so spec fields providerID may be changed there only`,
      );
    });

    it('compiles: the server finds nothing in its types', async () => {
      expect(await fixture().typeWarnings()).toEqual([]);
    });
  });
}
