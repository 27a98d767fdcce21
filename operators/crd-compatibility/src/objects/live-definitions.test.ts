import type { Client, Informer, InformerHandler } from '@capstan/kube';
import { apiErrors } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { LiveDefinitions } from './live-definitions.js';

const NAME = 'boats.example.com';
const { signal } = new AbortController();
const boats = (generation: number, uid = 'u'): KubeObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: NAME, uid, generation },
});

/** A server, what the informer has of it, and how often it was read. */
function fixture(): {
  definitions: LiveDefinitions;
  asked: () => number;
  cached: Map<string, KubeObject>;
  stored: Map<string, KubeObject>;
  handler: () => InformerHandler<KubeObject>;
} {
  const [cached, stored] = [new Map<string, KubeObject>(), new Map<string, KubeObject>()];
  let count = 0;
  let handler: InformerHandler<KubeObject> = {};
  const get = (_ref: unknown, name: string): Promise<KubeObject> => {
    count += 1;
    const found = stored.get(name);
    const resource = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };
    return found === undefined ? Promise.reject(apiErrors.notFound(resource, name)) : Promise.resolve(found);
  };
  const informer = { hasSynced: true, store: cached, addHandler: (given: typeof handler) => (handler = given) };
  const definitions = new LiveDefinitions({
    client: { get } as unknown as Client,
    informer: informer as unknown as Informer<KubeObject>,
    server: () => Promise.resolve(undefined),
  });
  return { definitions, asked: () => count, cached, stored, handler: () => handler };
}

describe('live CRDs', () => {
  it('are fetched once for every generation that the informer has seen', async () => {
    const { asked, definitions, cached, stored } = fixture();
    for (const generation of [1, 2]) {
      cached.set(NAME, boats(generation));
      stored.set(NAME, boats(generation));
      const first = await definitions.get(NAME, signal);
      expect(await definitions.get(NAME, signal)).toBe(first);
      expect(asked()).toBe(generation);
    }
  });

  it('are not asked for where there are none', async () => {
    const { asked, definitions } = fixture();
    expect(await definitions.get(NAME, signal)).toBeUndefined();
    expect(asked()).toBe(0);
  });

  it('are read past the cache where that matters, and returned only when there is something newer', async () => {
    const { definitions, cached, stored } = fixture();
    cached.set(NAME, boats(1));
    stored.set(NAME, boats(1));
    await definitions.get(NAME, signal);
    expect(await definitions.getNewer(NAME, signal)).toBeUndefined();
    stored.set(NAME, boats(2));
    expect(await definitions.getNewer(NAME, signal)).toBeDefined();
    stored.set(NAME, boats(1, 'another'));
    expect(await definitions.getNewer(NAME, signal)).toBeDefined();
  });

  it('are forgotten when they are deleted', async () => {
    const { asked, definitions, handler, cached, stored } = fixture();
    cached.set(NAME, boats(1));
    stored.set(NAME, boats(1));
    await definitions.get(NAME, signal);
    handler().delete?.(boats(1), false);
    await definitions.get(NAME, signal);
    expect(asked()).toBe(2);
  });
});
