import type { HostedControlPlane } from '@capstan/api/hypershift';
import type { KubeObject, Transport } from '@capstan/meta';
import { HOSTED_CONTROL_PLANES } from '@capstan/provider';
import { beforeAll, describe, expect, it } from 'vitest';
import { definitions, NAME } from '../control-plane/objects.js';
import { DEFINITIONS } from '../control-plane/kinds.js';
import { EXAMPLES } from './examples.js';
import { upgradeHundred } from './hundred.js';
import { expectWellFormed, VersionStage } from './stage.js';

const BYGONE = { type: 'ControlPlaneUpToDate', status: 'True', reason: 'AsExpected', message: 'all components' };

const types = ({ status }: HostedControlPlane): string[] => (status?.conditions ?? []).map(({ type }) => type);

/** As somebody writes it who has never heard of the field. */
function withoutVersion(status: NonNullable<HostedControlPlane['status']>): object {
  const { controlPlaneVersion: _, ...rest } = status;
  return rest;
}

/** What is told of the version of a control plane while its components come and stay away. */
const STORIES: Readonly<Record<string, (stage: VersionStage) => Promise<void>>> = {
  'an upgrade that fails, then another: all three are told, and the last completes': async (stage) => {
    await stage.up();
    const first = await stage.tells(['Completed 4.22.0']);
    expect(first).toMatchObject({
      desired: { version: '4.22.0', image: 'registry.example.com/release@sha256:4.22.0' },
      observedGeneration: 1,
    });
    stage.held.add('kube-apiserver');
    await stage.ask('4.22.1');
    await stage.tells(['Partial 4.22.1', 'Completed 4.22.0']);
    await stage.ask('4.22.2');
    const failed = await stage.tells(['Partial 4.22.2', 'Partial 4.22.1', 'Completed 4.22.0']);
    expect(failed.history?.[0]).toHaveProperty('completionTime', null);
    stage.held.clear();
    const done = await stage.tells(['Completed 4.22.2', 'Partial 4.22.1', 'Completed 4.22.0']);
    expect(done.observedGeneration).toBe((await stage.plane()).metadata.generation);
    await stage.quiet();
    const before = stage.writes.length;
    // Anything that happens brings it up once more: nothing has changed, so nothing is written.
    await stage.merge({ metadata: { labels: { looked: 'at' } } });
    await stage.quiet();
    expect(stage.writes.slice(before)).toEqual([]);
  },

  'a rollback is an attempt of its own': async (stage) => {
    await stage.up();
    await stage.tells(['Completed 4.22.0']);
    stage.held.add('etcd');
    await stage.ask('4.22.1');
    await stage.tells(['Partial 4.22.1', 'Completed 4.22.0']);
    await stage.ask('4.22.0');
    await stage.tells(['Partial 4.22.0', 'Partial 4.22.1', 'Completed 4.22.0']);
    stage.held.clear();
    await stage.tells(['Completed 4.22.0', 'Partial 4.22.1', 'Completed 4.22.0']);
  },

  'a change of the image alone is told, and completes only when components have it': async (stage) => {
    await stage.up();
    await stage.tells(['Completed 4.22.0']);
    stage.held.add('kube-apiserver');
    await stage.ask('4.22.0', '4.22.0-rebuilt');
    const open = await stage.tells(['Partial 4.22.0', 'Completed 4.22.0']);
    expect(open.history?.map(({ image }) => image)).toEqual([
      'registry.example.com/release@sha256:4.22.0-rebuilt',
      'registry.example.com/release@sha256:4.22.0',
    ]);
    stage.held.clear();
    await stage.tells(['Completed 4.22.0', 'Completed 4.22.0']);
  },

  'without components nothing is begun, and while it is paused what there is is told': async (stage) => {
    await stage.operator();
    await stage.create({ pausedUntil: 'true' });
    await stage.until(async () => (await stage.version()) !== undefined);
    expect(await stage.version()).toEqual({
      desired: { version: '4.22.0', image: 'registry.example.com/release@sha256:4.22.0' },
      observedGeneration: 1,
    });
    await stage.merge({ spec: { pausedUntil: null } });
    await stage.balance();
    await stage.tells(['Completed 4.22.0']);
    await stage.merge({ spec: { pausedUntil: 'true' } });
    await stage.condition('ReconciliationActive', { status: 'False' });
    await stage.ask('4.22.1');
    await stage.tells(['Partial 4.22.1', 'Completed 4.22.0']);
    expect((await stage.components()).map(({ status }) => status?.version)).not.toContain('4.22.1');
    await stage.merge({ spec: { pausedUntil: null } });
    await stage.tells(['Completed 4.22.1', 'Completed 4.22.0']);
  },

  'an operator that tells versions finds a control plane of one that did not, and begins with what there is': async (
    stage,
  ) => {
    await stage.up();
    await stage.tells(['Completed 4.22.0']);
    await stage.quiet();
    // As an older operator leaves it, which drops what it does not know and says it in a condition.
    await stage.writeStatus((status) => ({
      ...withoutVersion(status),
      conditions: [...(status.conditions ?? []), { ...BYGONE, lastTransitionTime: '2026-01-01T00:00:00Z' }],
    }));
    const version = await stage.tells(['Completed 4.22.0']);
    expect(version.history).toHaveLength(1);
    expect(types(await stage.plane())).not.toContain(BYGONE.type);
  },

  'a downgrade to an older operator leaves what was told when it patches, and drops it when it writes the whole':
    async (stage) => {
      const operator = await stage.operator();
      await stage.create();
      await stage.balance();
      const told = await stage.tells(['Completed 4.22.0']);
      await stage.quiet();
      await operator.stop();
      const at = { namespace: stage.namespace, subresource: 'status' as const };
      await stage.client.patch(HOSTED_CONTROL_PLANES, NAME, { type: 'merge', value: { status: { ready: false } } }, at);
      expect(await stage.version()).toEqual(told);
      await stage.writeStatus(withoutVersion);
      expect(await stage.version()).toBeUndefined();
    },
};

/** A definition of before there was such a field. */
function olderDefinition(): KubeObject {
  const [made] = definitions();
  const text = JSON.stringify(made, (key, value: unknown) => (key === 'controlPlaneVersion' ? undefined : value));
  const definition = JSON.parse(text) as KubeObject & { spec: { group: string; names: object } };
  const group = 'older.example.com';
  const metadata = { ...definition.metadata, name: `hostedcontrolplanes.${group}` };
  return { ...definition, metadata, spec: { ...definition.spec, group } };
}

async function readsBack(stage: VersionStage, controlPlaneVersion: object): Promise<void> {
  await stage.writeStatus((status) => ({ ...status, controlPlaneVersion }));
  expect(await stage.version()).toEqual(controlPlaneVersion);
}

const OLDER = { ...HOSTED_CONTROL_PLANES, group: 'older.example.com' };

/** Tells all of it to an API server. */
export function tellOfVersions(server: string, open: () => Transport, { hasCrowd = true } = {}): void {
  describe(`the version of a control plane on ${server}`, () => {
    let transport: Transport;
    let count = 0;

    beforeAll(() => {
      transport = open();
    });

    const staged = (tell: (stage: VersionStage) => Promise<void>) => async (): Promise<void> => {
      count += 1;
      const stage = new VersionStage(transport, `versions-${count}`);
      try {
        await stage.open();
        await tell(stage);
      } finally {
        await stage.close();
      }
    };

    for (const [name, tell] of Object.entries(STORIES)) it(name, staged(tell), 120_000);

    it(
      'the examples of the specification are stored and read back as they are',
      staged(async (stage) => {
        await stage.create();
        for (const example of Object.values(EXAMPLES)) await readsBack(stage, example);
        expectWellFormed(await stage.version());
      }),
      120_000,
    );

    it(
      'a definition of before prunes it, and nothing else',
      staged(async (stage) => {
        await stage.define(olderDefinition());
        await stage.create();
        const plane = await stage.plane();
        const { name, namespace } = plane.metadata;
        const old = { ...plane, apiVersion: 'older.example.com/v1beta1', metadata: { name, namespace } };
        const made = await stage.client.create(OLDER, old as KubeObject);
        const status = { initialized: false, ready: true, controlPlaneVersion: Object.values(EXAMPLES)[0] };
        await stage.client.update(OLDER, { ...made, status } as KubeObject, { subresource: 'status' });
        const found = await stage.client.get(OLDER, NAME, { namespace: stage.namespace });
        expect(found['status']).toMatchObject({ ready: true });
        expect(found['status']).not.toHaveProperty('controlPlaneVersion');
        await stage.client.delete(DEFINITIONS, 'hostedcontrolplanes.older.example.com');
      }),
      120_000,
    );

    if (hasCrowd)
      it('a hundred are upgraded at once, and each tells of its own components', staged(upgradeHundred), 300_000);
  });
}
