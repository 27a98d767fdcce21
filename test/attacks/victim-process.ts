import { ApiServer, serveHttp } from '@capstan/apiserver';
import type { HttpLimits } from '@capstan/apiserver';
import { GarbageCollector, NamespaceController } from '@capstan/cluster';
import { Client, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { Filling, VictimOrder, VictimReport } from './victim.js';

/*
 * An embedded server in a process of its own, which attacks may bring down and which weighs itself. It serves any client
 * over plain HTTP, with the limits of its first argument, and its parent sends it orders.
 */

const clock = systemClock();
const server = new ApiServer({ clock, random: systemRandom() });
const limits = JSON.parse(process.argv[2] ?? '{}') as Partial<HttpLimits>;
const http = await serveHttp(server, { port: 0, limits });

/** Creates ConfigMaps. */
async function fill({ namespace, count, bytes, metadata }: Filling): Promise<void> {
  const target = `/api/v1/namespaces/${namespace}/configmaps`;
  const text = 'x'.repeat(bytes);
  for (let at = 0; at < count; at += 1) {
    const name = `m${String(at).padStart(6, '0')}`;
    const value = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, name }, data: { text } };
    const { status } = await server.send({ method: 'POST', target, headers: {}, body: { type: 'value', value } });
    if (status !== 201) throw new Error(`no ConfigMap was made: ${status}`);
  }
}

/** Writes one object again and again, as fast as others let it. */
async function countUp(from: number, count: number): Promise<void> {
  const target = '/api/v1/namespaces/default/configmaps';
  for (let number = from; number < from + count; number += 1) {
    const value = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'counter' }, data: { n: String(number) } };
    const request = number === 0 ? { method: 'POST', target } : { method: 'PUT', target: `${target}/counter` };
    const { status } = await server.send({ ...request, headers: {}, body: { type: 'value', value } });
    if (status >= 300) throw new Error(`the ConfigMap was not written: ${status}`);
    if (number % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The controllers of `capstan apiserver` that have most to do when much goes at once. */
async function startControllers(): Promise<void> {
  const options = {
    client: new Client(server, { clock }),
    clock,
    random: systemRandom('victim'),
    logger: silentLogger(),
  };
  const { signal } = new AbortController();
  await Promise.all(
    [new NamespaceController(options), new GarbageCollector(options)].map((each) => each.start(signal)),
  );
}

/** How long the event loop was kept from going round, in the time of this process and not of a busy machine. */
class Watchman {
  #last = process.cpuUsage();
  #longestMicros = 0;
  #isOn = false;

  begin(): void {
    this.#isOn = true;
    this.#longestMicros = 0;
    this.#last = process.cpuUsage();
    setImmediate(this.#look);
  }

  end(): void {
    this.#isOn = false;
  }

  get longestMs(): number {
    return this.#longestMicros / 1000;
  }

  readonly #look = (): void => {
    const { user, system } = process.cpuUsage(this.#last);
    this.#last = process.cpuUsage();
    this.#longestMicros = Math.max(this.#longestMicros, user + system);
    if (this.#isOn) setImmediate(this.#look);
  };
}

/**
 * Collects garbage until the size of all buffers rests: their memory is released a moment after they are collected, and
 * a socket that is still being filled leaves the pieces it took behind as garbage.
 */
async function collect(): Promise<void> {
  let before = Number.NaN;
  for (let round = 0; round < 100; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { arrayBuffers } = process.memoryUsage();
    if (round >= 3 && arrayBuffers === before) return;
    before = arrayBuffers;
  }
}

const watchman = new Watchman();

async function obey(order: VictimOrder): Promise<VictimReport> {
  switch (order.type) {
    case 'fill':
      await fill(order);
      break;
    case 'count':
      await countUp(order.from, order.count);
      break;
    case 'controllers':
      await startControllers();
      break;
    case 'watch':
      watchman.begin();
      break;
    case 'watched':
      watchman.end();
      break;
    case 'collect':
      await collect();
      break;
    case 'report':
      break;
  }
  const objects = server.store.count('/configmaps');
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage();
  const { longestMs: longestTurnMs } = watchman;
  return { port: http.port, rssBytes: rss, heapBytes: heapUsed, bufferBytes: arrayBuffers, longestTurnMs, objects };
}

process.on('message', (order: VictimOrder) => void obey(order).then((report) => process.send?.(report)));
process.on('disconnect', () => process.exit());
