import { Client, silentLogger, systemRandom } from '@capstan/kube';
import { ManualClock, scriptedJson as json, ScriptedTransport } from '@capstan/kube/testing';
import { expect, it } from 'vitest';
import { NodeLifecycleController } from './node-lifecycle-controller.js';

const NODE = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'one', uid: 'u', resourceVersion: '2' },
  spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] },
  status: { conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: '2030-01-01T00:00:00Z' }] },
};
const LEASE = {
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'one', namespace: 'kube-node-lease', uid: 'l', resourceVersion: '3' },
};

it('takes the taint of a new node off once, also when it is looked at again before that is seen', async () => {
  const clock = new ManualClock();
  const transport: ScriptedTransport = new ScriptedTransport(({ method }, { pathname, searchParams }) => {
    if (method === 'PATCH') {
      // It renews its lease while its taint is removed.
      watch('/leases?')?.send('ADDED', LEASE);
      return json({ ...NODE, spec: {}, metadata: { ...NODE.metadata, resourceVersion: '4' } });
    }
    if (searchParams.has('watch')) return undefined;
    const items = pathname.endsWith('/nodes') ? [NODE] : [];
    return json({ apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '2' }, items });
  });
  const watch = (path: string) => transport.watches.find(({ request }) => request.target.includes(path));
  const stop = new AbortController();
  const controller = new NodeLifecycleController({
    client: new Client(transport, { clock }),
    clock,
    logger: silentLogger(),
    random: systemRandom('nodes'),
  });
  const patches = (): string[] => transport.log.filter((line) => line.startsWith('PATCH'));
  void controller.start(stop.signal);
  await clock.advance(1_000);
  expect(patches()).toEqual(['PATCH /api/v1/nodes/one']);
  // Another client has tainted it since: that taint stays.
  watch('/nodes?')?.send('MODIFIED', { ...NODE, metadata: { ...NODE.metadata, resourceVersion: '5' } });
  await clock.advance(1_000);
  expect(patches()).toHaveLength(2);
  stop.abort();
  await controller.stopped();
});
