import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@capstan/meta';
import { bootstrapRoles } from '../bootstrap/roles.js';
import { Catalogue } from '../catalogue/catalogue.js';
import { Core } from '../registry/core.js';
import { createObject } from '../registry/create.js';
import { runFlow } from '../registry/effects.js';
import { trackFields } from '../registry/field-tracking.js';
import { StoreAllocator } from '../registry/service-allocator.js';
import { ApiServer } from '../server.js';
import { Store } from '../store/index.js';
import { countingRandom, ManualClock } from '../testing/fixture.js';
import { bootstrap } from './bootstrap.js';
import { FIRST_OBJECTS, type Founding } from '../bootstrap/bootstrap-object.js';

interface Fixture {
  readonly store: Store;
  readonly core: Core;
  readonly catalogue: Catalogue;
}

/** A store nothing was put into; two of them give the same times and uids. */
function emptyFixture(): Fixture {
  const clock = new ManualClock();
  const store = new Store({ clock });
  const core = new Core({ store, clock, random: countingRandom(), allocate: new StoreAllocator(store) });
  return { store, core, catalogue: new Catalogue({ core, clock, serverAddress: undefined, onConversion: () => {} }) };
}

/** What a client would send to get the object: what the server adds is left out. */
function sentFor({ group, kind, name, namespace, labels, annotations, body }: Founding): KubeObject {
  const meta = { name, ...(namespace === undefined ? {} : { namespace }) };
  if (kind === 'Namespace') return { kind, apiVersion: 'v1', metadata: meta };
  if (kind === 'Service') {
    const { clusterIP, ports, sessionAffinity, type } = body['spec'] as Record<string, unknown>;
    return {
      kind,
      apiVersion: 'v1',
      metadata: { ...meta, labels: { ...labels } },
      spec: { clusterIP, ports, sessionAffinity, type },
    };
  }
  const metadata = {
    ...meta,
    ...(labels === undefined ? {} : { labels: { ...labels } }),
    ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
  };
  return { kind, apiVersion: `${group}/v1`, metadata, ...structuredClone(body) };
}

function createThoroughly({ core, catalogue }: Fixture, founding: Founding): void {
  const served = catalogue.resources.find(founding.group, 'v1', founding.plural);
  if (served === undefined) throw new Error(`${founding.plural} is not served`);
  const object = sentFor(founding);
  served.strategy.applyDefaults?.(object);
  trackFields(served, '', { live: undefined, next: object }, { manager: 'kube-apiserver', time: core.timestamp() });
  const scope = { core, served, namespace: founding.namespace ?? '', dryRun: false, subresource: '', warnings: [] };
  void runFlow(createObject(scope, object), () => Promise.resolve());
}

function texts(store: Store): string[] {
  return store
    .resources()
    .flatMap((resource) => store.list(resource).items.map((stored) => Buffer.from(stored.bytes()).toString('utf8')));
}

describe('bootstrap', () => {
  it('makes every object to the byte as creating it would', () => {
    const [quick, thorough] = [emptyFixture(), emptyFixture()];
    bootstrap(quick.core, quick.catalogue.resources, true);
    const all = [...FIRST_OBJECTS, ...bootstrapRoles()];
    for (const founding of all) createThoroughly(thorough, founding);
    expect(texts(quick.store)).toHaveLength(all.length);
    expect(texts(quick.store)).toEqual(texts(thorough.store));
    expect(quick.store.revision).toBe(thorough.store.revision);
  });

  it('leaves what is there as it is', () => {
    const { core, catalogue, store } = emptyFixture();
    bootstrap(core, catalogue.resources, false);
    const first = texts(store);
    expect(first).toHaveLength(FIRST_OBJECTS.length);
    bootstrap(core, catalogue.resources, true);
    const later = new Set(texts(store));
    expect(first.filter((text) => !later.has(text))).toEqual([]);
    const { revision } = store;
    bootstrap(core, catalogue.resources, true);
    expect(store.revision).toBe(revision);
  });

  it('lets no write to one server reach another', async () => {
    const options = { clock: new ManualClock(), random: countingRandom(), authorization: 'rbac' } as const;
    const [one, other] = [new ApiServer(options), new ApiServer(options)];
    const before = texts(other.store);
    const value = {
      metadata: { labels: { a: 'b' }, annotations: { a: 'b' } },
      rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
    };
    const response = await one.handle({
      method: 'PATCH',
      target: '/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { type: 'value', value },
    });
    expect(response.status).toBe(200);
    expect(texts(one.store)).not.toEqual(before);
    expect(texts(other.store)).toEqual(before);
  });
});
