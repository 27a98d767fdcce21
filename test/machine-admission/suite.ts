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
const STOPPED = [{ type: 'Paused', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];

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
  for (const kind of ['machine', 'set', 'check'] as const) {
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
    await create(`capi ${kind}`, 'unpaired', {});
  }
  for (const kind of ['machine', 'set', 'check', 'infrastructure', 'template'] as const) {
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
