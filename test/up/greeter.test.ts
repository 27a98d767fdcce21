import { main } from '@capstan/cli';
import type { Io } from '@capstan/cli';
import { Client, HttpTransport, loadConnection } from '@capstan/kube';
import type { KubeObject, Transport } from '@capstan/meta';
import { World as SimulatedWorld } from '@capstan/simulation';
import { describe, expect, it } from 'vitest';
import { greeter } from '../../docs/guide/greeter.js';
import { CONFIG_MAPS, eventually, start, World } from '../runtime/world.js';

const WHOM = 'greeter.example.com/whom';
const HOUR_MS = 3_600_000;
const LIMIT_MS = 120_000;

/** A command's world that remembers the first line of output and can be told to stop. */
class Terminal implements Io {
  readonly env = { HOME: '/nonexistent' };
  readonly isTty = false;
  readonly columns = 80;
  readonly first: Promise<string>;
  stop: () => void = () => undefined;
  errors = '';
  #write: (text: string) => void = () => undefined;

  constructor() {
    this.first = new Promise((resolve) => {
      this.#write = resolve;
    });
  }

  out(text: string): void {
    this.#write(text);
  }

  err(text: string): void {
    this.errors += text;
  }

  input(): Promise<string> {
    return Promise.resolve('');
  }

  onStop(callback: () => void): () => void {
    this.stop = callback;
    return () => undefined;
  }

  onExit(): () => void {
    return () => undefined;
  }

  exit(): void {
    this.stop();
  }
}

async function greetedOn(transport: Transport): Promise<void> {
  const world = await World.create(transport);
  const stop = start(greeter({ transport, cache: world.cache }));
  await world.client.create(CONFIG_MAPS, world.configMap({ name: 'a', annotations: { [WHOM]: 'fleet' } }));
  await eventually('it is greeted', () => world.says('a-greeting', 'Hello, fleet!'));
  await stop();
}

describe('the operator of the guide, as it is', () => {
  it(
    'runs beside capstan up',
    async () => {
      const terminal = new Terminal();
      const ended = main(['up', '--fleet', '0', '-o', 'json'], terminal);
      const line = await Promise.race([terminal.first, ended.then(() => terminal.errors)]);
      const { kubeconfig } = JSON.parse(line) as { kubeconfig: string };
      const transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
      try {
        await greetedOn(transport);
      } finally {
        await transport.close();
        terminal.stop();
        expect(await ended).toBe(0);
      }
    },
    LIMIT_MS,
  );

  it('runs in a simulation', async () => {
    const world = new SimulatedWorld({ seed: 'greeter' });
    world.spawn({
      name: 'greeter',
      start: ({ clock, logger, random, signal, transport }) =>
        greeter({ clock, logger, random, transport }).run(signal),
    });
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default', annotations: { [WHOM]: 'seed' } },
    };
    const client = new Client(world.server, { clock: world.timeline.clock() });
    await client.create(CONFIG_MAPS, object);
    await world.timeline.runUntil(HOUR_MS);
    const greeting = await client.get<KubeObject & { data?: { text?: string } }>(CONFIG_MAPS, 'a-greeting', {
      namespace: 'default',
    });
    expect(greeting.data?.text).toBe('Hello, seed!');
    world.end();
  });
});
