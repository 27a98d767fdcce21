import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '@capstan/meta';
import { StructuralSchema } from '@capstan/schema';
import type { StoreEvent } from '../store/index.js';
import type { DefinitionStatus } from '../builtin/apiextensions/crd.js';
import { DEFINITIONS_PATH, GROUP, Fixture, version, widget, widgets, widgetsPath } from './testing.js';

const DEFINITION = `${DEFINITIONS_PATH}/widgets.${GROUP}`;
const text = { type: 'string' };

async function established(definition: JsonObject = widgets(), fixture = new Fixture()): Promise<Fixture> {
  expect(await fixture.send('POST', DEFINITIONS_PATH, definition)).toMatchObject({ status: 201 });
  return fixture;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a CRD', () => {
  it('is named and established in commits of their own', async () => {
    const fixture = new Fixture();
    const seen: (readonly [type: string, conditions: string])[] = [];
    const note = ({ type, current }: StoreEvent): void => {
      const { conditions } = current.object()['status'] as DefinitionStatus;
      seen.push([type, (conditions ?? []).map((each) => `${each.type}=${each.status}/${each.reason}`).join(' ')]);
    };
    fixture.server.store.subscribe(note, { resource: 'apiextensions.k8s.io/customresourcedefinitions' });
    const created = await fixture.send('POST', DEFINITIONS_PATH, widgets());
    expect(created.body['status']).toEqual({
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: ['v1'],
    });
    await fixture.send('DELETE', DEFINITION);
    expect(seen).toEqual([
      ['create', ''],
      ['update', 'NamesAccepted=True/NoConflicts Established=False/Installing'],
      ['update', 'NamesAccepted=True/NoConflicts Established=True/InitialNamesAccepted'],
      [
        'update',
        'NamesAccepted=True/NoConflicts Established=True/InitialNamesAccepted Terminating=True/InstanceDeletionPending',
      ],
      [
        'update',
        'NamesAccepted=True/NoConflicts Established=True/InitialNamesAccepted Terminating=True/InstanceDeletionInProgress',
      ],
      [
        'delete',
        'NamesAccepted=True/NoConflicts Established=True/InitialNamesAccepted Terminating=True/InstanceDeletionInProgress',
      ],
    ]);
    expect(fixture.errors).toEqual([]);
  });

  it('is served at once after a restart, and a deletion goes on where it was', async () => {
    const first = await established();
    await first.send('POST', widgetsPath(), widget('a'));
    await first.merge(`${widgetsPath()}/a`, { metadata: { finalizers: ['example.com/hold'] } });
    const second = new Fixture({ snapshot: first.server.snapshot() });
    expect((await second.send('GET', `${widgetsPath()}/a`)).status).toBe(200);
    expect((await second.send('GET', `/apis/${GROUP}/v1`)).text).toContain('"widgets"');
    await second.send('DELETE', DEFINITION);
    const third = new Fixture({ snapshot: second.server.snapshot() });
    expect((await third.send('POST', widgetsPath(), widget('b'))).status).toBe(403);
    await third.merge(`${widgetsPath()}/a`, { metadata: { finalizers: null } });
    expect((await third.send('GET', DEFINITION)).status).toBe(404);
    expect(await third.send('GET', widgetsPath())).toMatchObject({ status: 404, text: '404 page not found\n' });
  });

  it('of a built-in resource takes nothing along', async () => {
    const fixture = new Fixture();
    const ingress = {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'i' },
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    };
    expect(
      (await fixture.send('POST', '/apis/networking.k8s.io/v1/namespaces/default/ingresses', ingress)).status,
    ).toBe(201);
    const annotations = { 'api-approved.kubernetes.io': 'unapproved' };
    const definition = widgets();
    const name = 'ingresses.networking.k8s.io';
    const overlapping = {
      ...definition,
      metadata: { name, annotations },
      spec: {
        ...(definition['spec'] as object),
        group: 'networking.k8s.io',
        names: { plural: 'ingresses', kind: 'Ingress' },
      },
    };
    expect((await fixture.send('POST', DEFINITIONS_PATH, overlapping)).status).toBe(201);
    await fixture.send('DELETE', `${DEFINITIONS_PATH}/${name}`);
    expect((await fixture.send('GET', `${DEFINITIONS_PATH}/${name}`)).status).toBe(404);
    expect((await fixture.send('GET', '/apis/networking.k8s.io/v1/namespaces/default/ingresses/i')).status).toBe(200);
  });

  it('compiles its schema when it is first needed, and again only when it changes', async () => {
    const check = vi.spyOn(StructuralSchema.prototype, 'prune');
    const fixture = await established();
    const schemas = (): number => new Set(check.mock.contexts).size;
    await fixture.send('GET', `/apis/${GROUP}/v1`);
    expect(schemas()).toBe(0);
    await fixture.send('POST', widgetsPath(), widget('a'));
    expect(schemas()).toBe(1);
    await fixture.merge(DEFINITION, { metadata: { labels: { a: 'b' } } });
    await fixture.merge(DEFINITION, { spec: { names: { categories: ['all'] } } });
    await fixture.send('POST', widgetsPath(), widget('b'));
    expect(schemas()).toBe(1);
    await fixture.merge(DEFINITION, { spec: { versions: [version({ a: text })] } });
    await fixture.send('POST', widgetsPath(), widget('c'));
    expect(schemas()).toBe(2);
  });
});

describe('a custom resource', () => {
  it('keeps integers of 64 bits exact', async () => {
    const fixture = await established(widgets(version({ big: { type: 'integer', format: 'int64' } })));
    const body = `{"apiVersion":"${GROUP}/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"big":9223372036854775807}}`;
    expect((await fixture.send('POST', widgetsPath(), body)).text).toContain('"big":9223372036854775807');
    expect((await fixture.send('GET', `${widgetsPath()}/a`)).text).toContain('"big":9223372036854775807');
  });

  it('shows today’s defaults without being written, in lists and in single answers', async () => {
    const fixture = await established();
    const created = await fixture.send('POST', widgetsPath(), widget('a'));
    await fixture.merge(DEFINITION, { spec: { versions: [version({ a: { ...text, default: 'x' } })] } });
    for (const { text: answer } of [
      await fixture.send('GET', `${widgetsPath()}/a`),
      await fixture.send('GET', widgetsPath()),
    ]) {
      expect(answer).toContain('"spec":{"a":"x"}');
      expect(answer).toContain(`"resourceVersion":"${created.body.metadata.resourceVersion}"`);
    }
    expect((await fixture.merge(`${widgetsPath()}/a`, {})).body.metadata.generation).toBe(1);
  });

  it('is handed out as it is stored when its schema changes nothing', async () => {
    const fixture = await established();
    await fixture.send('POST', widgetsPath(), widget('a'));
    const get = async (): Promise<Uint8Array | undefined> => {
      const { body } = await fixture.server.send({ method: 'GET', target: `${widgetsPath()}/a`, headers: {} });
      return body.type === 'payload' ? body.chunks()[0] : undefined;
    };
    expect(await get()).toBe(fixture.server.store.get(`${GROUP}/widgets`, 'default', 'a')?.bytes());
  });

  it.each([
    ['names the newest version that replaces it', {}, `${GROUP}/v1alpha1 Widget is deprecated; use ${GROUP}/v1 Widget`],
    ['names no version that is older', { name: 'v2' }, `${GROUP}/v2 Widget is deprecated`],
    ['warns with the text of its CRD', { deprecationWarning: 'gone soon' }, 'gone soon'],
  ])('in a deprecated version %s', async (_, more, warning) => {
    const old = { name: 'v1alpha1', storage: false, deprecated: true, ...more };
    const beta = version({}, { name: 'v1beta1', storage: false });
    const fixture = await established(widgets(version({}, old), beta, version()));
    expect((await fixture.send('GET', widgetsPath(old.name))).headers['warning']).toEqual([`299 - "${warning}"`]);
    expect((await fixture.send('GET', widgetsPath())).headers['warning']).toBeUndefined();
  });
});
