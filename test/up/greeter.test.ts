import { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { Simulation as SimulatedCluster } from '@capstan/simulation';
import { describe, expect, it } from 'vitest';
import { greeter } from '../../docs/guide/greeter.js';
import { CONFIG_MAPS } from '../runtime/fixture.js';

const WHOM = 'greeter.example.com/whom';
const HOUR_MS = 3_600_000;

describe('the operator of the guide, as it is', () => {
  it('runs in a simulation', async () => {
    const simulation = new SimulatedCluster({ seed: 'greeter' });
    simulation.spawn({
      name: 'greeter',
      start: ({ clock, logger, random, signal, transport }) =>
        greeter({ clock, logger, random, transport }).run(signal),
    });
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'default', annotations: { [WHOM]: 'seed' } },
    };
    const client = new Client(simulation.server, { clock: simulation.timeline.clock() });
    await client.create(CONFIG_MAPS, object);
    await simulation.timeline.runUntil(HOUR_MS);
    const greeting = await client.get<KubeObject & { data?: { text?: string } }>(CONFIG_MAPS, 'a-greeting', {
      namespace: 'default',
    });
    expect(greeting.data?.text).toBe('Hello, seed!');
    simulation.end();
  });
});
