import type { HostedControlPlane } from '@capstan/api/hypershift';
import { HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import type { KubeObject, Transport } from '@capstan/meta';
import { beforeAll, describe, expect, it } from 'vitest';
import { definitions, NAME } from '../control-plane/objects.js';
import { DEFINITIONS } from '../control-plane/kinds.js';
import { EXAMPLES } from './examples.js';
import { upgradeHundred } from './hundred.js';
import { expectWellFormed, VersionFixture } from './fixture.js';

const BYGONE = { type: 'ControlPlaneUpToDate', status: 'True', reason: 'AsExpected', message: 'all components' };

const types = ({ status }: HostedControlPlane): string[] => (status?.conditions ?? []).map(({ type }) => type);

/** As a client writes it that does not know the field. */
function withoutVersion(status: NonNullable<HostedControlPlane['status']>): object {
  const { controlPlaneVersion: _, ...rest } = status;
  return rest;
}

/** The version status of a control plane while its components become ready or stay behind. */
const SCENARIOS: Readonly<Record<string, (fixture: VersionFixture) => Promise<void>>> = {
  'records three releases when an upgrade fails and another follows, and completes the last': async (fixture) => {
    await fixture.up();
    const first = await fixture.untilHistory(['Completed 4.22.0']);
    expect(first).toMatchObject({
      desired: { version: '4.22.0', image: 'registry.example.com/release@sha256:4.22.0' },
      observedGeneration: 1,
    });
    fixture.held.add('kube-apiserver');
    await fixture.ask('4.22.1');
    await fixture.untilHistory(['Partial 4.22.1', 'Completed 4.22.0']);
    await fixture.ask('4.22.2');
    const failed = await fixture.untilHistory(['Partial 4.22.2', 'Partial 4.22.1', 'Completed 4.22.0']);
    expect(failed.history?.[0]).toHaveProperty('completionTime', null);
    fixture.held.clear();
    const done = await fixture.untilHistory(['Completed 4.22.2', 'Partial 4.22.1', 'Completed 4.22.0']);
    expect(done.observedGeneration).toBe((await fixture.plane()).metadata.generation);
    await fixture.quiet();
    const before = fixture.writes.length;
    // Anything that happens brings it up once more: nothing has changed, so nothing is written.
    await fixture.merge({ metadata: { labels: { looked: 'at' } } });
    await fixture.quiet();
    expect(fixture.writes.slice(before)).toEqual([]);
  },

  'records a rollback as an attempt of its own': async (fixture) => {
    await fixture.up();
    await fixture.untilHistory(['Completed 4.22.0']);
    fixture.held.add('etcd');
    await fixture.ask('4.22.1');
    await fixture.untilHistory(['Partial 4.22.1', 'Completed 4.22.0']);
    await fixture.ask('4.22.0');
    await fixture.untilHistory(['Partial 4.22.0', 'Partial 4.22.1', 'Completed 4.22.0']);
    fixture.held.clear();
    await fixture.untilHistory(['Completed 4.22.0', 'Partial 4.22.1', 'Completed 4.22.0']);
  },

  'records a change of the image alone, and completes it only when components run it': async (fixture) => {
    await fixture.up();
    await fixture.untilHistory(['Completed 4.22.0']);
    fixture.held.add('kube-apiserver');
    await fixture.ask('4.22.0', '4.22.0-rebuilt');
    const open = await fixture.untilHistory(['Partial 4.22.0', 'Completed 4.22.0']);
    expect(open.history?.map(({ image }) => image)).toEqual([
      'registry.example.com/release@sha256:4.22.0-rebuilt',
      'registry.example.com/release@sha256:4.22.0',
    ]);
    fixture.held.clear();
    await fixture.untilHistory(['Completed 4.22.0', 'Completed 4.22.0']);
  },

  'starts no history without components, and keeps the history while it is paused': async (fixture) => {
    await fixture.operator();
    await fixture.create({ pausedUntil: 'true' });
    await fixture.until(async () => (await fixture.version()) !== undefined);
    expect(await fixture.version()).toEqual({
      desired: { version: '4.22.0', image: 'registry.example.com/release@sha256:4.22.0' },
      observedGeneration: 1,
    });
    await fixture.merge({ spec: { pausedUntil: null } });
    await fixture.balance();
    await fixture.untilHistory(['Completed 4.22.0']);
    await fixture.merge({ spec: { pausedUntil: 'true' } });
    await fixture.condition('ReconciliationActive', { status: 'False' });
    await fixture.ask('4.22.1');
    await fixture.untilHistory(['Partial 4.22.1', 'Completed 4.22.0']);
    expect((await fixture.components()).map(({ status }) => status?.version)).not.toContain('4.22.1');
    await fixture.merge({ spec: { pausedUntil: null } });
    await fixture.untilHistory(['Completed 4.22.1', 'Completed 4.22.0']);
  },

  'records the running release again after an older operator dropped the version status': async (fixture) => {
    await fixture.up();
    await fixture.untilHistory(['Completed 4.22.0']);
    await fixture.quiet();
    // As an older operator leaves it, which drops the fields it does not know and reports that in a condition.
    await fixture.writeStatus((status) => ({
      ...withoutVersion(status),
      conditions: [...(status.conditions ?? []), { ...BYGONE, lastTransitionTime: '2026-01-01T00:00:00Z' }],
    }));
    const version = await fixture.untilHistory(['Completed 4.22.0']);
    expect(version.history).toHaveLength(1);
    expect(types(await fixture.plane())).not.toContain(BYGONE.type);
  },

  'a downgrade to an older operator keeps the version status when it patches, and drops it when it writes the whole':
    async (fixture) => {
      const operator = await fixture.operator();
      await fixture.create();
      await fixture.balance();
      const reported = await fixture.untilHistory(['Completed 4.22.0']);
      await fixture.quiet();
      await operator.stop();
      const at = { namespace: fixture.namespace, subresource: 'status' as const };
      await fixture.client.patch(
        HOSTED_CONTROL_PLANES,
        NAME,
        { type: 'merge', value: { status: { ready: false } } },
        at,
      );
      expect(await fixture.version()).toEqual(reported);
      await fixture.writeStatus(withoutVersion);
      expect(await fixture.version()).toBeUndefined();
    },
};

/** A CRD of before there was such a field. */
function olderDefinition(): KubeObject {
  const [made] = definitions();
  const text = JSON.stringify(made, (key, value: unknown) => (key === 'controlPlaneVersion' ? undefined : value));
  const definition = JSON.parse(text) as KubeObject & { spec: { group: string; names: object } };
  const group = 'older.example.com';
  const metadata = { ...definition.metadata, name: `hostedcontrolplanes.${group}` };
  return { ...definition, metadata, spec: { ...definition.spec, group } };
}

async function readsBack(fixture: VersionFixture, controlPlaneVersion: object): Promise<void> {
  await fixture.writeStatus((status) => ({ ...status, controlPlaneVersion }));
  expect(await fixture.version()).toEqual(controlPlaneVersion);
}

const OLDER = { ...HOSTED_CONTROL_PLANES, group: 'older.example.com' };

/** Runs all scenarios on an API server. */
export function describeVersions(server: string, open: () => Transport, { hasCrowd = true } = {}): void {
  describe(`the version of a control plane on ${server}`, () => {
    let transport: Transport;
    let count = 0;

    beforeAll(() => {
      transport = open();
    });

    const prepared = (run: (fixture: VersionFixture) => Promise<void>) => async (): Promise<void> => {
      count += 1;
      const fixture = new VersionFixture(transport, `versions-${count}`);
      try {
        await fixture.open();
        await run(fixture);
      } finally {
        await fixture.close();
      }
    };

    for (const [name, run] of Object.entries(SCENARIOS)) it(name, prepared(run), 120_000);

    it(
      'the examples of the specification are stored and read back as they are',
      prepared(async (fixture) => {
        await fixture.create();
        for (const example of Object.values(EXAMPLES)) await readsBack(fixture, example);
        expectWellFormed(await fixture.version());
      }),
      120_000,
    );

    it(
      'a CRD of before prunes it, and nothing else',
      prepared(async (fixture) => {
        await fixture.define(olderDefinition());
        await fixture.create();
        const plane = await fixture.plane();
        const { name, namespace } = plane.metadata;
        const old = { ...plane, apiVersion: 'older.example.com/v1beta1', metadata: { name, namespace } };
        const made = await fixture.client.create(OLDER, old as KubeObject);
        const status = { initialized: false, ready: true, controlPlaneVersion: Object.values(EXAMPLES)[0] };
        await fixture.client.update(OLDER, { ...made, status } as KubeObject, { subresource: 'status' });
        const found = await fixture.client.get(OLDER, NAME, { namespace: fixture.namespace });
        expect(found['status']).toMatchObject({ ready: true });
        expect(found['status']).not.toHaveProperty('controlPlaneVersion');
        await fixture.client.delete(DEFINITIONS, 'hostedcontrolplanes.older.example.com');
      }),
      120_000,
    );

    if (hasCrowd)
      it(
        'upgrades a hundred at once, and the version of each follows its own components',
        prepared(upgradeHundred),
        300_000,
      );
  });
}
