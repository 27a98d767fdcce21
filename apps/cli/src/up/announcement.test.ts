import { expect, it } from 'vitest';
import { instructions } from './announcement.js';
import type { HostedFleetCluster } from './hosting/clusters.js';

it('Waits for the last machine before a control plane is upgraded that is to have no nodes', () => {
  const place = { kubeconfig: 'kc', url: 'https://127.0.0.1', version: 'v1.36.3', releases: ['image:1', 'image:2'] };
  const hosted = { name: 'brig', namespace: 'clusters' } as HostedFleetCluster;
  const text = instructions(place, [], [hosted]);
  const told = text.slice(text.indexOf('To see a control plane upgraded that has no nodes:')).split('\n').slice(2, 6);
  expect(told.map((line) => line.trim().split(' ').slice(0, 3).join(' '))).toEqual([
    'kubectl scale nodepool',
    'kubectl wait machines.cluster.x-k8s.io',
    'kubectl patch hostedcluster',
    'npx capstan get versions',
  ]);
});
