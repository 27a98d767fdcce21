import { apiErrors } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import type { InformerHandler } from '../informer/delivery.js';
import { OptionalResource } from './optional-resource.js';

const RESOURCE = { group: 'route.openshift.io', version: 'v1', plural: 'routes', namespaced: true };

function route(name: string): KubeObject {
  return { apiVersion: 'route.openshift.io/v1', kind: 'Route', metadata: { name, namespace: 'clusters-one' } };
}

it('asks once whether a kind is served, and again after ten minutes where it is not; reports changes from then on', async () => {
  let now = 0;
  let asked = 0;
  let isServed = false;
  const { signal } = new AbortController();
  const client = {
    revision: () => {
      asked += 1;
      return isServed
        ? Promise.resolve('1')
        : Promise.reject(apiErrors.notFound({ group: RESOURCE.group, resource: RESOURCE.plural }, ''));
    },
  };
  const handlers: InformerHandler<KubeObject>[] = [];
  const cache = {
    list: () => Promise.resolve({ items: [route('oauth')] }),
    informer: () => ({ addHandler: (handler: InformerHandler<KubeObject>) => handlers.push(handler) }),
  };
  const optional = new OptionalResource(RESOURCE, {
    cache: cache as never,
    client: client as never,
    clock: { monotonic: () => now },
  });
  for (const at of [0, 1, OptionalResource.ASK_AGAIN_MS - 1]) {
    now = at;
    expect(await optional.in('clusters-one', signal)).toBeUndefined();
  }
  expect(asked).toBe(1);
  isServed = true;
  now = OptionalResource.ASK_AGAIN_MS;
  const both = await Promise.all(['clusters-one', 'clusters-two'].map((each) => optional.in(each, signal)));
  expect(both.map((items) => items?.length)).toEqual([1, 1]);
  expect(await optional.in('clusters-three', signal)).toHaveLength(1);
  expect([asked, handlers.length]).toEqual([3, 1]);
  const reported: string[] = [];
  await optional.changes.start(({ object }) => reported.push(object.metadata.name ?? ''), signal);
  const [handler] = handlers;
  handler?.add?.(route('oauth'), true);
  handler?.add?.(route('ignition-server'), false);
  handler?.update?.(route('oauth'), route('oauth'));
  handler?.delete?.(route('konnectivity-server'), false);
  expect(reported).toEqual(['ignition-server', 'oauth', 'konnectivity-server']);
});
