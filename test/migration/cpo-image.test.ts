import {
  CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION,
  HOSTED_CLUSTERS,
  MIGRATION_FAILURE_ANNOTATION,
} from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { ReleaseError } from '@capstan/release';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bothGroups, createFleet, freshNamespace, migrationServer, MigrationFixture } from './fixture.js';
import { HostedMigration, hostedKinds, TEST_SIDECAR } from './hosted.js';

const OVERRIDE = 'quay.io/hypershift/control-plane-operator:4.18';
const LABEL = 'image i of the control plane operator does not support private types';

let fixture: MigrationFixture;
let hosted: HostedMigration;

beforeEach(async () => {
  fixture = await MigrationFixture.start(await migrationServer([...bothGroups(), ...hostedKinds()]), freshNamespace());
  hosted = await HostedMigration.create(fixture);
  await createFleet(fixture, false);
  await hosted.begin();
  const startedTime = '2026-01-01T00:00:00Z';
  const entry = { state: 'Completed', version: '4.18.3', image: 'r', verified: false, startedTime };
  const version = {
    availableUpdates: [],
    desired: { image: 'r', version: '4.18.3' },
    history: [{ ...entry, completionTime: startedTime }],
    observedGeneration: 1,
  };
  await patch({ status: { version } }, 'status');
}, 60_000);
afterEach(() => fixture.close());

async function patch(value: object, subresource?: string): Promise<KubeObject> {
  const { name, namespace } = (await hosted.hostedCluster()).metadata;
  return fixture.client.patch(
    HOSTED_CLUSTERS,
    name ?? '',
    { type: 'merge', value: value as never },
    { namespace, ...(subresource === undefined ? {} : { subresource }) },
  );
}

const named = (annotation: string | null): Promise<KubeObject> =>
  patch({ metadata: { annotations: { [CONTROL_PLANE_OPERATOR_IMAGE_ANNOTATION]: annotation } } });

async function annotation(name: string): Promise<string | undefined> {
  return (await hosted.hostedCluster()).metadata.annotations?.[`hypershift.openshift.io/${name}`];
}

async function operator(): Promise<{ readonly image: string | undefined; readonly hasSidecar: boolean }> {
  const found = (await hosted.deployments()).find(({ metadata }) => metadata.name === 'control-plane-operator');
  const spec = found?.spec.template.spec as { readonly containers: readonly { readonly image: string }[] } | undefined;
  return { image: spec?.containers[0]?.image, hasSidecar: found !== undefined && TEST_SIDECAR.has(found) };
}

async function migrate(): Promise<void> {
  await hosted.lock();
  await hosted.run();
}

describe('A control plane operator that supports private types', () => {
  it('keeps its image', async () => {
    hosted.images.overrides.set('4.18', OVERRIDE);
    await migrate();
    expect(await annotation('private-capi-types')).toBe('true');
    expect(await operator()).toEqual({ image: 'i', hasSidecar: true });
    expect(await annotation('migration-cpo-image')).toBeUndefined();
    expect(await annotation('control-plane-operator-image')).toBeUndefined();
  });
});

describe('A control plane operator that does not', () => {
  beforeEach(() => {
    hosted.images.supported.clear();
    hosted.images.overrides.set('4.18', OVERRIDE);
  });

  it('is overridden on the HostedCluster, and on its Deployment along with the sidecar', async () => {
    await hosted.lock();
    for (let looks = 0; looks < 50 && !(await operator()).hasSidecar; looks += 1) {
      // Its own operator would run with the old image until then.
      expect((await operator()).image).toBe('i');
      await hosted.clock.advance((await hosted.look()) ?? 0);
    }
    await hosted.run();
    expect(await annotation('private-capi-types')).toBe('true');
    expect(await annotation('control-plane-operator-image')).toBe(OVERRIDE);
    expect(await operator()).toEqual({ image: OVERRIDE, hasSidecar: true });
  });

  it.each([null, 'quay.io/mine:1'])('gets its image back with a rollback, annotation %s as well', async (before) => {
    hosted.actors.delete('control-plane-operator');
    await named(before);
    await migrate();
    expect(await annotation('migration-failed')).toBe('deployment-timeout');
    expect(await operator()).toEqual({ image: 'i', hasSidecar: false });
    expect(await annotation('control-plane-operator-image')).toBe(before ?? undefined);
    expect(await annotation('migration-cpo-image')).toBeUndefined();
  });

  it('keeps what another client wrote into the annotation meanwhile', async () => {
    hosted.actors.delete('control-plane-operator');
    await hosted.lock();
    for (let looks = 0; looks < 50 && (await annotation('migration-cpo-image')) === undefined; looks += 1)
      await hosted.clock.advance((await hosted.look()) ?? 0);
    await named('quay.io/mine:2');
    await hosted.run();
    expect(await annotation('migration-failed')).toBe('deployment-timeout');
    expect(await annotation('control-plane-operator-image')).toBe('quay.io/mine:2');
    expect(await operator()).toEqual({ image: 'i', hasSidecar: false });
  });

  it('fails the migration where its minor version has no override, before anything is changed', async () => {
    hosted.images.overrides.clear();
    hosted.images.overrides.set('4.19', OVERRIDE);
    await migrate();
    expect(await annotation('migration-failed')).toBe('cpo-unsupported');
    const { annotations = {} } = (await hosted.hostedCluster()).metadata;
    expect(annotations[MIGRATION_FAILURE_ANNOTATION]).toBe(`${LABEL}: set one for 4.18 in CPO_IMAGE_OVERRIDES`);
    expect(await operator()).toEqual({ image: 'i', hasSidecar: false });
  });
});

describe('A registry', () => {
  it('that is away for a moment is waited for', async () => {
    hosted.registryError = new ReleaseError('Unreachable', 'nobody answers');
    await hosted.lock();
    await hosted.look();
    await hosted.clock.advance((await hosted.look()) ?? 0);
    expect(await hosted.condition()).toMatch(
      /: step 3 of 14, check the control plane operator \(since \S+\): waiting for the registry: nobody answers$/,
    );
    hosted.registryError = undefined;
    await hosted.run();
    expect(await annotation('private-capi-types')).toBe('true');
  });

  it.each(['Unreachable', 'Unauthorized'] as const)('that stays %s fails the migration', async (reason) => {
    hosted.registryError = new ReleaseError(reason, 'no labels today');
    await migrate();
    expect(await annotation('migration-failed')).toBe('cpo-unsupported');
    expect(await annotation('migration-failure-message')).toContain('no labels today');
  });
});
