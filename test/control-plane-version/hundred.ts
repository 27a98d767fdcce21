import type { HostedControlPlane } from '@capstan/api/hypershift';
import { CONTROL_PLANE_COMPONENTS, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { expect } from 'vitest';
import { NAMESPACES } from '../control-plane/kinds.js';
import { expectWellFormed, historyOf, VersionFixture } from './fixture.js';

const PLANES = 100;
/** A control plane that is paused, so that the test is who moves its components. */
async function make(fixture: VersionFixture, parts: readonly string[]): Promise<void> {
  const { client, namespace } = fixture;
  await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await fixture.create({ pausedUntil: 'true' });
  const apiVersion = 'hypershift.openshift.io/v1beta1';
  for (const name of parts) {
    const metadata = { name, namespace };
    await client.create(CONTROL_PLANE_COMPONENTS, { apiVersion, kind: 'ControlPlaneComponent', metadata, spec: {} });
  }
}

/** The components of a control plane come to a version one after the other, beginning with another in each. */
async function rollOut(
  { client, namespace }: VersionFixture,
  parts: readonly string[],
  { at, generation, version }: { readonly at: number; readonly generation: number; readonly version: string },
): Promise<void> {
  const first = at % parts.length;
  const done = {
    type: 'RolloutComplete',
    status: 'True',
    reason: 'AsExpected',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  };
  const value = { status: { version, observedGeneration: generation, conditions: [done] } };
  for (const name of [...parts.slice(first), ...parts.slice(0, first)])
    await client.patch(CONTROL_PLANE_COMPONENTS, name, { type: 'merge', value }, { namespace, subresource: 'status' });
}

/** Upgrades a hundred control planes at once: the version of each follows its own components alone. */
export async function upgradeHundred(fixture: VersionFixture): Promise<void> {
  const alone = await fixture.operator();
  await fixture.create();
  await fixture.balance();
  await fixture.untilHistory(['Completed 4.22.0']);
  await alone.stop();
  const parts = (await fixture.components()).map(({ metadata }) => metadata.name ?? '');
  const planes = Array.from(
    { length: PLANES },
    (_, at) => new VersionFixture(fixture.transport, `${fixture.namespace}-${at}`),
  );
  const isFirst = (at: number): boolean => at < PLANES / 2;
  const all = async (
    act: (plane: VersionFixture, at: number) => Promise<unknown>,
    some: readonly VersionFixture[] = planes,
  ): Promise<void> => {
    await Promise.all(some.map((plane, at) => act(plane, at)));
  };
  const untilAll = (expected: (at: number) => readonly string[]): Promise<void> =>
    untilHistories(fixture, planes, expected);
  await all((plane) => make(plane, parts));
  await fixture.operator({ args: [] });
  await all((plane, at) => rollOut(plane, parts, { at, generation: 1, version: '4.22.0' }));
  await untilAll(() => ['Completed 4.22.0']);
  const releaseImage = fixture.release('4.22.1');
  await all((plane) => plane.merge({ spec: { releaseImage } }));
  await untilAll(() => ['Partial 4.22.1', 'Completed 4.22.0']);
  // The first half alone: the others stay where they are.
  await all(
    (plane, at) => rollOut(plane, parts, { at, generation: 2, version: '4.22.1' }),
    planes.filter((_, at) => isFirst(at)),
  );
  await untilAll((at) => [`${isFirst(at) ? 'Completed' : 'Partial'} 4.22.1`, 'Completed 4.22.0']);
}

/** Waits until each has the expected history; all are read at once, for they are many. */
async function untilHistories(
  { client }: VersionFixture,
  planes: readonly VersionFixture[],
  expected: (at: number) => readonly string[],
): Promise<void> {
  const histories = async (): Promise<unknown[]> => {
    const { items } = await client.list<HostedControlPlane>(HOSTED_CONTROL_PLANES);
    const found = new Map(items.map(({ metadata, status }) => [metadata.namespace, status?.controlPlaneVersion]));
    return planes.map(({ namespace }) => {
      expectWellFormed(found.get(namespace));
      return historyOf(found.get(namespace));
    });
  };
  await expect.poll(histories, { timeout: 120_000, interval: 250 }).toEqual(planes.map((_, at) => expected(at)));
}
