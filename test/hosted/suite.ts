import { HOSTED_CLUSTERS } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import type { HostingPlatform, HostingPlatforms } from '@capstan/provider';
import { leaveToFullRun } from '@capstan/tools';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterObjects, HOME, poolObject } from '@capstan/tools/hosting';
import type { Hosted } from '@capstan/tools/hosting';
import { Subject } from './scenario.js';

/** A management cluster to run the scenarios in, and how it is closed. */
export interface Place {
  readonly hosted: Hosted;
  /** Whether several platforms can wait in it at once: a step then runs on all platforms together. */
  readonly isShared: boolean;
  close(): Promise<void>;
}

/** How long one step may take where nothing but waiting is done. */
const STEP_MS = 600_000;

type Step = (subject: Subject, platform: HostingPlatform, hosted: Hosted) => Promise<void>;

interface StepOptions {
  /** The platforms on which the step runs; all by default. */
  readonly appliesTo?: (platform: HostingPlatform) => boolean;
  /** One platform after the other, even in a shared place. */
  readonly isApart?: boolean;
}

/**
 * The life of a cluster on every platform, all of them at once on one management cluster: whatever one does must not
 * concern another. Where only some platforms are chosen, the steps left out on the others are counted.
 */
export function hostingScenarios(
  platforms: HostingPlatforms,
  open: () => Promise<Place>,
  isChosen: (platform: HostingPlatform) => boolean = () => true,
): void {
  let place: Place;
  let left = 0;
  const subjects = new Map<string, Subject>();
  const each = (what: string, run: Step, { appliesTo = () => true, isApart = false }: StepOptions = {}): void => {
    const all = [...platforms].filter(appliesTo);
    const chosen = all.filter(isChosen);
    left += all.length - chosen.length;
    describe(what, () => {
      const begun = new Map<HostingPlatform, Promise<void>>();
      const begin = (platform: HostingPlatform): Promise<void> =>
        run(subjects.get(platform.key) ?? fail(platform), platform, place.hosted);
      beforeAll(() => {
        if (!place.isShared || isApart) return;
        for (const platform of chosen) begun.set(platform, begin(platform));
        // Each is awaited in its own test, which may be long after it failed.
        for (const scenario of begun.values()) scenario.catch(() => undefined);
      });
      for (const platform of chosen) it(`on ${platform.type}`, () => begun.get(platform) ?? begin(platform), STEP_MS);
    });
  };

  beforeAll(async () => {
    place = await open();
    for (const platform of [...platforms].filter(isChosen))
      subjects.set(platform.key, await applied(place.hosted, platform));
  }, STEP_MS);
  afterAll(() => place.close());

  each('a cluster that was applied becomes available', (subject) => subject.available());

  each('its machines become nodes', async (subject, { machineTemplate }) => {
    if (machineTemplate === undefined) await subject.joinOwn(2);
    await subject.nodes(2, 'v1.35.2');
    for (const pool of ['replaced', 'in-place']) await subject.poolIsWell(`${subject.name}-${pool}`);
  });

  each(
    'a pool is scaled',
    async (subject) => {
      await subject.change(`${subject.name}-replaced`, { replicas: 2 });
      await subject.nodes(3, 'v1.35.2');
    },
    { appliesTo: hasMachines },
  );

  each('a control plane and then its pools are upgraded, by other machines and in place', upgraded);

  each('a pool is autoscaled', autoscaled, { appliesTo: hasMachines });

  each('its operator may grant the permissions of its components', (subject) => subject.grantsHold());

  each(
    'a deleted cluster leaves nothing behind',
    async (subject, _, hosted) => {
      const others = [...subjects.values()].filter((other) => other !== subject);
      await subject.destroy();
      subjects.delete(subject.name.slice('on-'.length));
      const { items } = await hosted.client.list(HOSTED_CLUSTERS, { namespace: HOME });
      expect(new Set(items.map(({ metadata }) => metadata.name))).toEqual(new Set(others.map(({ name }) => name)));
      for (const other of others) if (other.hasMachines) await other.cloudAgrees();
    },
    { isApart: true },
  );
  leaveToFullRun(left, 'steps on other platforms');
}

/** Where there are none, the user brings nodes and there is nothing to scale. */
function hasMachines({ machineTemplate }: HostingPlatform): boolean {
  return machineTemplate !== undefined;
}

async function applied(hosted: Hosted, platform: HostingPlatform): Promise<Subject> {
  const [image = ''] = hosted.images;
  const name = `on-${platform.key}`;
  const pool = (way: string, spec: object): KubeObject =>
    poolObject(platform, { name: `${name}-${way}`, cluster: name, image }, { replicas: 1, ...spec });
  await hosted.apply([
    ...clusterObjects(platform, name, image),
    pool('replaced', {}),
    pool('in-place', { management: { upgradeType: 'InPlace' } }),
  ]);
  return new Subject(hosted, platform, name);
}

async function upgraded(subject: Subject, { machineTemplate }: HostingPlatform, hosted: Hosted): Promise<void> {
  const [, image = ''] = hosted.images;
  await subject.upgrade(image, '4.22.1');
  if (machineTemplate === undefined) return;
  const before = new Set((await subject.machines()).map(({ metadata }) => metadata.name));
  for (const pool of ['replaced', 'in-place']) {
    await subject.change(`${subject.name}-${pool}`, { release: { image } });
    await subject.poolRuns(`${subject.name}-${pool}`, '4.22.1');
  }
  await subject.nodes(3, 'v1.35.3');
  const kept = (await subject.machines()).filter(({ metadata }) => before.has(metadata.name));
  expect(kept.map(({ metadata }) => metadata.name?.startsWith(`${subject.name}-in-place`))).toEqual([true]);
}

async function autoscaled(subject: Subject): Promise<void> {
  await subject.change(`${subject.name}-replaced`, { replicas: null, autoScaling: { min: 1, max: 3 } });
  // One more than there are nodes, each of which has room for one.
  await subject.crowd(4);
  await subject.nodes(4, 'v1.35.3');
}

function fail({ type }: HostingPlatform): never {
  throw new Error(`there is no cluster on ${type}: an earlier step failed`);
}
