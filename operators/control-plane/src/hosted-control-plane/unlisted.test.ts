import type { HostedControlPlane } from '@capstan/api/hypershift';
import { HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { ManualClock } from '@capstan/kube/testing';
import type { Cache } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { reconcileHostedControlPlane } from './reconcile.js';
import type { ReconcileOptions } from './reconcile.js';
import { statusWrites } from './status-writes.js';

const VERSION = {
  desired: { version: '4.20.0', image: 'x' },
  history: [
    {
      state: 'Completed',
      version: '4.20.0',
      image: 'x',
      startedTime: '2026-02-20T10:00:00Z',
      completionTime: '2026-02-20T10:15:00Z',
    },
  ],
  observedGeneration: 1,
};

/** One look at a control plane while nothing can be listed; gives what was written, and what it rejected with. */
async function look(status: object | undefined): Promise<[written: unknown[], error: unknown]> {
  const plane: unknown = {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedControlPlane',
    metadata: { name: 'one', namespace: 'clusters-one', generation: 2 },
    spec: { releaseImage: 'registry.example.com/release:4.20.1', platform: { type: 'Harbour' } },
    ...(status === undefined ? {} : { status }),
  };
  const written: unknown[] = [];
  const cache: Pick<Cache, 'get' | 'list'> = {
    get: () => Promise.resolve(plane as never),
    list: () => Promise.reject(new Error('the watch is broken')),
  };
  const client = {
    update: (kind: unknown, object: KubeObject, options: unknown) => {
      expect([kind, options]).toMatchObject([HOSTED_CONTROL_PLANES, { subresource: 'status', dryRun: false }]);
      written.push((object as HostedControlPlane).status);
      return Promise.resolve(object);
    },
  };
  const clock = new ManualClock(0);
  const options: unknown = { cache, client, clock, writes: statusWrites(), recorder: { record: () => undefined } };
  const reconcile = reconcileHostedControlPlane(options as ReconcileOptions);
  const signal = new AbortController().signal;
  const error: unknown = await Promise.resolve(
    reconcile({ namespace: 'clusters-one', name: 'one' }, { signal } as never),
  ).catch((thrown: unknown) => thrown);
  return [written, error];
}

it('components that cannot be listed: only the generation is reported, and the error is thrown on', async () => {
  const status = { ready: true, initialized: true, controlPlaneVersion: VERSION };
  expect(await look(status)).toEqual([
    [{ ...status, controlPlaneVersion: { ...VERSION, observedGeneration: 2 } }],
    new Error('the watch is broken'),
  ]);
});

it.each([
  ['the generation is reported already', { ready: true, controlPlaneVersion: { ...VERSION, observedGeneration: 2 } }],
  ['no version was reported before', { ready: true }],
  ['no status was reported before', undefined],
])('components that cannot be listed while %s: nothing is written', async (_, status) => {
  expect(await look(status)).toEqual([[], new Error('the watch is broken')]);
});
