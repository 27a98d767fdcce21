import { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { operatorProcess } from '../runtime/process.js';
import { Simulation } from '../engine/simulation.js';
import { loadBalancers } from './load-balancers.js';

const ref = (plural: string) => ({ group: '', version: 'v1', plural, namespaced: true });

it('reports on the Service why it has no address, as the controllers of clouds do', async () => {
  const simulation = new Simulation({ seed: 1 });
  const open = (): Promise<never> => Promise.reject(new Error('no ports are left'));
  simulation.spawn(operatorProcess(loadBalancers({ open, close: () => Promise.resolve() })));
  const client = new Client(simulation.server, {
    clock: simulation.timeline.clock(),
    random: simulation.random.split('client'),
  });
  const spec = { type: 'LoadBalancer', ports: [{ port: 6443 }] };
  const metadata = { name: 'api', namespace: 'default' };
  await client.create(ref('services'), { apiVersion: 'v1', kind: 'Service', metadata, spec } as KubeObject);
  await simulation.runUntil(5_000);
  const { items } = await client.list<KubeObject & Record<string, unknown>>(ref('events'), { namespace: 'default' });
  expect(items.map(({ involvedObject, message, reason, type }) => ({ involvedObject, message, reason, type }))).toEqual(
    [
      {
        involvedObject: expect.objectContaining({ kind: 'Service', name: 'api' }),
        message: 'Error syncing load balancer: no ports are left',
        reason: 'SyncLoadBalancerFailed',
        type: 'Warning',
      },
    ],
  );
});
