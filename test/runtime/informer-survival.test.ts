import { ApiServer } from '@capstan/apiserver';
import { Client, Informer, ManualClock, objectKey, silentLogger, systemRandom, TransportError } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { ApiRequest, ApiResponse, KubeObject, Random, Transport, WatchBody, WatchSink } from '@capstan/meta';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };
const NAMES = 12;

interface Open {
  readonly body: WatchBody;
  readonly sink: WatchSink;
  isStalled: boolean;
}

/** The way to a server that is cut, stalls, refuses and is restarted. */
class BadWay implements Transport {
  server: ApiServer;
  isCalm = false;
  readonly #random: Random;
  readonly #open = new Set<Open>();

  constructor(server: ApiServer, random: Random) {
    this.server = server;
    this.#random = random;
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    const fate = this.isCalm ? 1 : this.#random.next();
    if (fate < 0.05) throw new TransportError('ECONNREFUSED', 'refused', false);
    if (fate < 0.1) throw new TransportError('ECONNRESET', 'reset', true);
    const response = await this.server.send(request);
    const { body } = response;
    return body.type === 'watch' ? { ...response, body: this.#through(body) } : response;
  }

  /** Ends some or all watches, as a broken connection does. */
  cut(share: number): void {
    for (const open of this.#open) {
      if (this.#random.next() >= share) continue;
      this.#open.delete(open);
      open.body.stop();
      open.sink.end(new TransportError('ECONNRESET', 'reset', true));
    }
  }

  /** From now on the watches that are open say nothing more. */
  stall(): void {
    for (const open of this.#open) open.isStalled = true;
  }

  #through(body: WatchBody): WatchBody {
    let open: Open | undefined;
    return {
      type: 'watch',
      start: (sink) => {
        const started = { body, sink, isStalled: false };
        open = started;
        this.#open.add(started);
        body.start({
          frame: (frame) => {
            if (!started.isStalled) sink.frame(frame);
          },
          end: (error) => {
            if (this.#open.delete(started) && !started.isStalled) sink.end(error);
          },
        });
      },
      stop: () => {
        if (open !== undefined) this.#open.delete(open);
        body.stop();
      },
    };
  }
}

/** What the handlers were told, folded; a telling that does not fit is kept as well. */
class Fold {
  readonly versions = new Map<string, string | undefined>();
  readonly misfits: string[] = [];

  add(object: KubeObject): void {
    if (this.versions.has(objectKey(object))) this.misfits.push(`${objectKey(object)} added twice`);
    this.versions.set(objectKey(object), object.metadata.resourceVersion);
  }

  update(old: KubeObject, object: KubeObject): void {
    if (this.versions.get(objectKey(object)) !== old.metadata.resourceVersion)
      this.misfits.push(`${objectKey(object)} updated from something else`);
    this.versions.set(objectKey(object), object.metadata.resourceVersion);
  }

  delete(object: KubeObject): void {
    if (!this.versions.delete(objectKey(object))) this.misfits.push(`${objectKey(object)} deleted and not there`);
  }
}

async function write(client: Client, random: Random, step: number): Promise<void> {
  const metadata = { name: `m-${random.below(NAMES)}`, namespace: 'default' };
  const at = { namespace: 'default' };
  try {
    if (random.next() < 0.3) await client.delete(CONFIG_MAPS, metadata.name, at);
    else {
      const value = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { step: String(step) } };
      await client.patch(CONFIG_MAPS, metadata.name, { type: 'apply', value }, { ...at, fieldManager: 't' });
    }
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function play(seed: number, watchList: boolean): Promise<void> {
  const clock = new ManualClock();
  const random = systemRandom(seed);
  const way = new BadWay(new ApiServer({ clock, random: random.split('server') }), random.split('way'));
  const logger = silentLogger();
  const options = { clock, random: random.split('informer'), logger, resource: CONFIG_MAPS, watchList };
  const informer = new Informer<KubeObject>({ client: new Client(way, options), ...options });
  const fold = new Fold();
  informer.addHandler({
    add: (object) => fold.add(object),
    update: (old, object) => fold.update(old, object),
    delete: (object) => fold.delete(object),
  });
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  const writes = random.split('writes');
  const trouble = random.split('trouble');
  for (let step = 0; step < 60; step += 1) {
    await write(new Client({ send: (request) => way.server.send(request) }), writes, step);
    const fate = trouble.next();
    if (fate < 0.1) way.cut(0.7);
    else if (fate < 0.15) way.stall();
    else if (fate < 0.2) {
      // Without its history: whatever was seen before has expired.
      const snapshot = way.server.store.snapshot({ history: false });
      way.cut(1);
      way.server = new ApiServer({ clock, random: random.split(`server ${step}`), snapshot });
    }
    await clock.advance(trouble.below(4000));
  }
  way.isCalm = true;
  await clock.advance(15 * 60_000);
  const { items } = await new Client(way).list(CONFIG_MAPS);
  const present = new Map(items.map((item) => [objectKey(item), item.metadata.resourceVersion]));
  stop.abort();
  await running;
  expect(fold.misfits).toEqual([]);
  expect(fold.versions).toEqual(present);
  expect([...informer.store.keys()].toSorted()).toEqual([...present.keys()].toSorted());
}

describe('an informer on a bad way', () => {
  it.each([true, false])('misses nothing in the end (initial events: %s)', async (watchList) => {
    const seeds = fc.integer({ min: 0, max: 2 ** 31 });
    await fc.assert(
      fc.asyncProperty(seeds, (seed) => play(seed, watchList)),
      { numRuns: 15 },
    );
  });
});
