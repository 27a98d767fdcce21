import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { nodeUsage, podUsage } from './usage.js';

const NOW = '2030-01-01T00:00:00Z';
const RUNNING = { running: {} };

function pod(name: string, spec: object, status: object): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'a' }, spec, status };
}

const PODS = [
  pod(
    'web',
    {
      nodeName: 'n',
      initContainers: [{ name: 'setup' }, { name: 'proxy', resources: { requests: { cpu: '5m' } } }],
      containers: [{ name: 'main', resources: { requests: { cpu: '0.25', memory: '64Mi' } } }],
    },
    {
      initContainerStatuses: [
        { name: 'setup', state: { terminated: {} } },
        { name: 'proxy', state: RUNNING },
      ],
      containerStatuses: [{ name: 'main', state: RUNNING }],
    },
  ),
  pod('pending', { containers: [{ name: 'main' }] }, {}),
];

it('a running container uses what it requests, or a little; pods without one are left out', () => {
  expect(podUsage(PODS, NOW)).toMatchObject([
    {
      metadata: { name: 'web', namespace: 'a' },
      timestamp: NOW,
      containers: [
        { name: 'proxy', usage: { cpu: '5m', memory: '16384Ki' } },
        { name: 'main', usage: { cpu: '250m', memory: '65536Ki' } },
      ],
    },
  ]);
});

it('a node uses what its pods do', () => {
  const nodes = ['n', 'idle'].map((name) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } }));
  expect(nodeUsage(nodes, PODS, NOW)).toMatchObject([
    { metadata: { name: 'n' }, usage: { cpu: '255m', memory: '81920Ki' } },
    { metadata: { name: 'idle' }, usage: { cpu: '0m', memory: '0Ki' } },
  ]);
});
