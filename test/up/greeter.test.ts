import { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { World as SimulatedWorld } from '@capstan/simulation';
import { describe, expect, it } from 'vitest';
import { greeter } from '../../docs/guide/greeter.js';
import { CONFIG_MAPS } from '../runtime/world.js';

const WHOM = 'greeter.example.com/whom';
const HOUR_MS = 3_600_000;

describe('the operator of the guide, as it is', () => {
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
