import { isDeepStrictEqual } from 'node:util';
import { Client, Informer, objectKey, silentLogger, TransportError } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import { isNotFound } from '@capstan/meta';
import type { ApiRequest, ApiResponse, KubeObject, Random, Transport, WatchBody, WatchSink } from '@capstan/meta';
import { expect } from 'vitest';
import { Fold } from './fold.js';

const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };
const NAMES = 12;
const STEPS = 60;

interface Open {
  readonly body: WatchBody;
  readonly sink: WatchSink;
  isStalled: boolean;
}

/** The way to a server that is cut, stalls, refuses and is restarted. */
export class BadWay implements Transport {
  server: Transport;
  isCalm = false;
  readonly #random: Random;
  readonly #open = new Set<Open>();

  constructor(server: Transport, random: Random) {
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

async function write(client: Client, namespace: string, random: Random, step: number): Promise<void> {
  const metadata = { name: `m-${random.below(NAMES)}`, namespace };
  const at = { namespace };
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

/** What an informer is to survive. */
export interface Hardship {
  readonly clock: ManualClock;
  readonly random: Random;
  readonly way: BadWay;
  readonly namespace: string;
  readonly watchList: boolean;
  /** Restarts the server. */
  restart(step: number): void;
  /** Lets time pass for the informer, and the server answer. */
  pass(ms: number): Promise<void>;
  /** Gives the informer all the time it can ask for, until it knows the present. */
  settle(knows: () => Promise<boolean>): Promise<void>;
}

/** An informer delivers every event once and in order while its server is written to, cut off and restarted. */
export async function describeSurvival({
  clock,
  namespace,
  random,
  way,
  watchList,
  ...hardship
}: Hardship): Promise<void> {
  const logger = silentLogger();
  const options = { clock, random: random.split('informer'), logger, resource: CONFIG_MAPS, namespace, watchList };
  const informer = new Informer<KubeObject>({ client: new Client(way, options), ...options });
  const fold = Fold.of(informer);
  const stop = new AbortController();
  const running = informer.run(stop.signal);
  const writes = random.split('writes');
  const trouble = random.split('trouble');
  const writer = new Client({ send: (request) => way.server.send(request) });
  for (let step = 0; step < STEPS; step += 1) {
    await write(writer, namespace, writes, step);
    const fate = trouble.next();
    if (fate < 0.1) way.cut(0.7);
    else if (fate < 0.15) way.stall();
    else if (fate < 0.2) hardship.restart(step);
    await hardship.pass(trouble.below(4000));
  }
  way.isCalm = true;
  const { items } = await writer.list(CONFIG_MAPS, { namespace });
  const present = new Map(items.map((item) => [objectKey(item), item.metadata.resourceVersion]));
  await hardship.settle(async () => isDeepStrictEqual(fold.versions, present));
  stop.abort();
  await running;
  expect(fold.misfits).toEqual([]);
  expect(fold.versions).toEqual(present);
  expect([...informer.store.keys()].toSorted()).toEqual([...present.keys()].toSorted());
}
