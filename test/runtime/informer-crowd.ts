import {
  Client,
  fixedCredentials,
  HttpTransport,
  Informer,
  objectKey,
  silentLogger,
  systemRandom,
} from '@capstan/kube';
import type { HttpTransportOptions } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { briskClock } from './brisk-clock.js';
import { Fold } from './fold.js';
import { StallingWay } from './stalling-way.js';
import { CONFIG_MAPS } from './fixture.js';
import { eventually } from '../src/wait.js';

/** A server to crowd. */
export interface CrowdedServer {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
  /** The server goes and comes back at the same place with its data; it no longer knows what happened before. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const AT = { namespace: 'default' };
const WRITES = 500;
const IN_FLIGHT = 16;
/** How fast the informer's time passes: a watch counts as silent after three minutes of it. */
const SPEED = 30;
/** The same haste for connections that are kept, and fell silent with the watch. */
const BRISK_REQUEST_MS = 5_000;
const SCENARIO_MS = 60_000;

async function inParallel(count: number, act: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next; at < count; at = next) {
      next += 1;
      await act(at);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

const map = (name: string, data = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...AT },
  data,
});

class Crowd {
  readonly #server: CrowdedServer;
  readonly #size: number;
  readonly #transport: HttpTransport;
  readonly client: Client;
  #written = 0;

  constructor(server: CrowdedServer, size: number) {
    this.#server = server;
    this.#size = size;
    this.#transport = this.#transportTo(server.url);
    this.client = new Client(this.#transport);
  }

  fill(): Promise<void> {
    return inParallel(this.#size, (at) => this.client.create(CONFIG_MAPS, map(`m-${at}`)));
  }

  /** Changes, deletes and creates by turns, always others. */
  async write(count: number): Promise<void> {
    const from = this.#written;
    this.#written += count;
    await inParallel(count, (each) => {
      const at = from + each;
      if (at % 3 === 0) return this.client.create(CONFIG_MAPS, map(`n-${at}`));
      if (at % 3 === 1) return this.client.delete(CONFIG_MAPS, `m-${at}`, AT);
      return this.client.patch(CONFIG_MAPS, `m-${at}`, { type: 'merge', value: { data: { at: String(at) } } }, AT);
    });
  }

  /** An informer of the crowd, by another way if one is given. */
  follow(url = this.#server.url) {
    const clock = briskClock(SPEED);
    const brisk = { clock, requestTimeoutMs: BRISK_REQUEST_MS };
    const transport = url === this.#server.url ? this.#transport : this.#transportTo(url, brisk);
    const options = { clock, random: systemRandom(), logger: silentLogger(), resource: CONFIG_MAPS, ...AT };
    const informer = new Informer<KubeObject>({ client: new Client(transport, { clock }), ...options });
    const fold = Fold.of(informer);
    const stopping = new AbortController();
    const run = (): (() => Promise<void>) => {
      const running = informer.run(stopping.signal);
      return async () => {
        stopping.abort();
        await running;
        if (transport !== this.#transport) await transport.close();
      };
    };
    return { informer, fold, run };
  }

  /** Waits until the events received amount to the objects of the server. Nothing may be written meanwhile. */
  async agrees(fold: Fold): Promise<void> {
    const { items } = await this.client.list(CONFIG_MAPS, AT);
    const present = new Map(items.map((item) => [objectKey(item), item.metadata.resourceVersion]));
    const isSame = (): boolean =>
      fold.versions.size === present.size && [...present].every(([key, version]) => fold.versions.get(key) === version);
    await eventually('the events received amount to the objects of the server', async () => isSame() || undefined);
    expect(fold.misfits).toEqual([]);
  }

  async end(): Promise<void> {
    await this.#transport.close();
    await this.#server.stop();
  }

  #transportTo(server: string, options: HttpTransportOptions = {}): HttpTransport {
    const { caPem, token } = this.#server;
    const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
    return new HttpTransport({ server, trust: { caPem }, credentials, namespace: 'default' }, options);
  }
}

async function describeWrites(crowd: Crowd): Promise<void> {
  const { fold, informer, run } = crowd.follow();
  const writing = crowd.write(WRITES / 2);
  const stop = run();
  await informer.whenSynced();
  const known = fold.events;
  await writing;
  await crowd.write(WRITES / 2);
  await crowd.agrees(fold);
  // Each write of the second half came by the watch: the first state was complete before.
  expect(fold.events - known).toBeGreaterThanOrEqual(WRITES / 2);
  await stop();
}

/**
 * One handler is in its first call all the while, and fails in each; one blocks all others. The others get every event all
 * the same, and the first gets the final state in the end, with no more events pending meanwhile than there are objects.
 */
async function describeSlowHandlers(crowd: Crowd): Promise<void> {
  const { fold, informer, run } = crowd.follow();
  const slow = new Fold();
  let open: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const slowly = async (record: () => void): Promise<void> => {
    record();
    await gate;
    throw new Error('too late');
  };
  const registration = informer.addHandler({
    add: (object) => slowly(() => slow.add(object)),
    update: (old, object) => slowly(() => slow.update(old, object)),
    delete: (object) => slowly(() => slow.delete(object)),
  });
  const hold = (): void => {
    const until = performance.now() + 2;
    while (performance.now() < until);
  };
  const stop = run();
  await informer.whenSynced();
  // Added late, so that it does not get the whole crowd.
  informer.addHandler({ update: hold, delete: hold });
  const behind = Fold.of(informer);
  await crowd.write(WRITES / 2);
  await crowd.agrees(fold);
  await crowd.agrees(behind);
  expect([slow.events, registration.hasSynced]).toEqual([1, false]);
  // Those there are, and the one it knows, which may be gone.
  expect(registration.pending).toBeLessThanOrEqual(informer.store.size + 1);
  open?.();
  await crowd.agrees(slow);
  await registration.whenSynced();
  expect(registration.pending).toBe(0);
  await stop();
}

async function describeSilence(crowd: Crowd, url: string): Promise<void> {
  const way = new StallingWay(new URL(url));
  const { fold, informer, run } = crowd.follow(await way.open());
  const stop = run();
  await informer.whenSynced();
  expect(way.stall()).toBeGreaterThan(0);
  await crowd.write(30);
  await crowd.agrees(fold);
  await stop();
  await way.close();
}

async function describeRestart(crowd: Crowd, { restart, url }: CrowdedServer): Promise<void> {
  const way = new StallingWay(new URL(url));
  const { fold, informer, run } = crowd.follow(await way.open());
  const unseen: string[] = [];
  informer.addHandler({ delete: (object, isUnknown) => void (isUnknown && unseen.push(objectKey(object))) });
  const stop = run();
  await informer.whenSynced();
  // The informer gets no event of what happens from here on, and its requests are not answered.
  way.isSilent = true;
  way.stall();
  await crowd.write(30);
  await restart();
  way.isSilent = false;
  way.stall();
  await eventually('the server answers', () => crowd.client.list(CONFIG_MAPS, AT).catch(() => undefined));
  await crowd.agrees(fold);
  expect(unseen).toHaveLength(10);
  await stop();
  await way.close();
}

/** Informers of very many objects, over HTTP. */
export function describeCrowds(about: string, size: number, start: () => Promise<CrowdedServer>): void {
  describe(`an informer of ${size} objects of ${about}`, () => {
    let server: CrowdedServer | undefined;
    let crowd: Crowd | undefined;
    beforeAll(async () => {
      server = await start();
      crowd = new Crowd(server, size);
      await crowd.fill();
    }, 2 * SCENARIO_MS);
    afterAll(() => crowd?.end());
    const there = (): [Crowd, CrowdedServer] => {
      if (crowd === undefined || server === undefined) throw new Error('the server did not start');
      return [crowd, server];
    };

    it('knows them all while they are written to', { timeout: SCENARIO_MS }, () => describeWrites(there()[0]));

    it('delivers all events to every handler, however slow one is', { timeout: SCENARIO_MS }, () =>
      describeSlowHandlers(there()[0]),
    );

    it('notices a watch that fell silent', { timeout: SCENARIO_MS }, () => describeSilence(there()[0], there()[1].url));

    it('lists them again when the server forgot', { timeout: SCENARIO_MS }, () => describeRestart(...there()));
  });
}
