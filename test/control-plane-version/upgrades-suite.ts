import type { ControlPlaneVersionStatus, HostedCluster, HostedControlPlane } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { Informer, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { HostingPlatform } from '@capstan/provider';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterObjects, HOME, poolObject } from '@capstan/tools/hosting';
import type { Hosted } from '@capstan/tools/hosting';
import { Subject } from '../hosted/scenario.js';
import type { Place } from '../hosted/suite.js';
import { expectWellFormed, historyOf } from './fixture.js';

type OwnPlace = Pick<Place, 'close' | 'hosted'>;

const NAME = 'versions';
const POOL = `${NAME}-workers`;
const STEP_MS = 600_000;

/** One cluster with its nodes, over two upgrades. */
class Upgraded {
  readonly hosted: Hosted;
  readonly subject: Subject;

  constructor(hosted: Hosted, platform: HostingPlatform) {
    this.hosted = hosted;
    this.subject = new Subject(hosted, platform, NAME);
  }

  cluster(): Promise<HostedCluster> {
    return this.hosted.client.get<HostedCluster>(HOSTED_CLUSTERS, NAME, { namespace: HOME });
  }

  plane(): Promise<HostedControlPlane> {
    const { namespace } = this.subject;
    return this.hosted.client.get<HostedControlPlane>(HOSTED_CONTROL_PLANES, NAME, { namespace });
  }

  /** The summary of the control plane and its pools. */
  async whole(): Promise<string | undefined> {
    const newest = (await this.cluster()).status?.version?.history?.[0];
    return newest === undefined ? undefined : `${newest.state} ${newest.version ?? ''}`;
  }

  /** Waits until the cluster has this summary of the control plane and its pools. */
  async untilWhole(expected: string): Promise<void> {
    await this.hosted.until(`all of the cluster is ${expected}`, async () => {
      const summary = await this.whole();
      return summary === expected ? undefined : (summary ?? 'nothing');
    });
  }

  /** Asks for a release, by its place among those there are. */
  ask(at: number): Promise<unknown> {
    const image = this.hosted.images[at] ?? '';
    const value = { spec: { release: { image } } };
    return this.hosted.client.patch(HOSTED_CLUSTERS, NAME, { type: 'merge', value }, { namespace: HOME });
  }

  /** Waits until the cluster has the expected history of its control plane. */
  async untilHistory(expected: readonly string[]): Promise<ControlPlaneVersionStatus> {
    let found: ControlPlaneVersionStatus | undefined;
    await this.hosted.until(`the history of the control plane is ${expected.join(', ')}`, async () => {
      found = (await this.cluster()).status?.controlPlaneVersion;
      const history = historyOf(found);
      return history.join() === expected.join() ? undefined : history.join(', ');
    });
    expectWellFormed(found);
    return found ?? ({} as ControlPlaneVersionStatus);
  }

  /** The states of the newest release while `act` runs, each once. */
  async statesWhile(act: () => Promise<unknown>): Promise<string[]> {
    const { client } = this.hosted;
    const states: string[] = [];
    const informer = new Informer<HostedControlPlane>({
      client,
      clock: systemClock(),
      random: systemRandom('looker-on'),
      logger: silentLogger(),
      resource: HOSTED_CONTROL_PLANES,
      namespace: this.subject.namespace,
    });
    const see = ({ status }: HostedControlPlane): void => {
      const [newest = 'none'] = historyOf(status?.controlPlaneVersion);
      if (states.at(-1) !== newest) states.push(newest);
    };
    informer.addHandler({ add: see, update: (_, plane) => see(plane) });
    const stop = new AbortController();
    const running = informer.run(stop.signal);
    await act();
    stop.abort();
    await running;
    return states;
  }
}

/** The end-to-end tests of the specification, with one cluster from its first release to its third. */
const STEPS: Readonly<Record<string, (upgraded: Upgraded) => Promise<void>>> = {
  'is populated on a steady-state cluster': async (upgraded) => {
    await upgraded.subject.available();
    await upgraded.subject.nodes(1);
    const { desired, history } = await upgraded.untilHistory(['Completed 4.22.0']);
    expect(desired).toEqual({ version: '4.22.0', image: expect.stringContaining('@sha256:') as string });
    expect(history?.[0]?.image).toBe(desired.image);
    await upgraded.untilWhole('Completed 4.22.0');
  },

  'has a history[0].State that goes from Partial to Completed during an in-place z-stream upgrade': async (
    upgraded,
  ) => {
    const states = await upgraded.statesWhile(async () => {
      await upgraded.ask(1);
      await upgraded.untilHistory(['Completed 4.22.1', 'Completed 4.22.0']);
    });
    expect(states).toEqual(['Completed 4.22.0', 'Partial 4.22.1', 'Completed 4.22.1']);
  },

  'is propagated from HCP to HC status, with the generation of the HCP': async (upgraded) => {
    const { metadata, status } = await upgraded.plane();
    expect(status?.controlPlaneVersion?.observedGeneration).toBe(metadata.generation);
    await upgraded.hosted.until('the cluster reports the same', async () => {
      const copied = JSON.stringify((await upgraded.cluster()).status?.controlPlaneVersion);
      return copied === JSON.stringify(status?.controlPlaneVersion) ? undefined : copied;
    });
  },

  'reaches Completed even when NodePools are scaled to zero, where the cluster as a whole cannot': async (upgraded) => {
    await upgraded.subject.change(POOL, { replicas: 0 });
    await upgraded.subject.nodes(0);
    await upgraded.ask(2);
    await upgraded.untilHistory(['Completed 5.0.0', 'Completed 4.22.1', 'Completed 4.22.0']);
    await upgraded.untilWhole('Partial 5.0.0');
    // With a node there is something that the rest of the release can run on.
    await upgraded.subject.change(POOL, { replicas: 1 });
    await upgraded.subject.nodes(1);
    await upgraded.untilWhole('Completed 5.0.0');
  },

  'has the right history entries after a y-stream upgrade': async (upgraded) => {
    const { history = [] } = await upgraded.untilHistory(['Completed 5.0.0', 'Completed 4.22.1', 'Completed 4.22.0']);
    expect(new Set(history.map(({ image }) => image)).size).toBe(3);
    const [newest, middle, oldest] = history;
    expect([middle?.completionTime, oldest?.completionTime]).toEqual([newest?.startedTime, middle?.startedTime]);
    const { conditions = [] } = (await upgraded.cluster()).status ?? {};
    expect(conditions.map(({ type }) => type)).not.toContain('ControlPlaneUpToDate');
  },
};

/** Runs the steps one after the other. */
export function upgradeScenarios(platform: HostingPlatform, open: () => Promise<OwnPlace>): void {
  describe('controlPlaneVersion', () => {
    let place: OwnPlace;
    let upgraded: Upgraded;

    beforeAll(async () => {
      place = await open();
      const [image = ''] = place.hosted.images;
      upgraded = new Upgraded(place.hosted, platform);
      await place.hosted.apply([
        ...clusterObjects(platform, NAME, image),
        poolObject(platform, { name: POOL, cluster: NAME, image }, { replicas: 1 }),
      ]);
    }, STEP_MS);
    afterAll(() => place.close());

    it.each(Object.entries(STEPS))('%s', (_, run) => run(upgraded), STEP_MS);
  });
}
