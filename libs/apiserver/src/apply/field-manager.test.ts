import { ApiError, deepFreeze } from '@capstan/meta';
import type { JsonObject, KubeObject, ManagedFieldsEntry } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { applyPatch, trackUpdate } from './field-manager.js';
import type { ApplyResult } from './field-manager.js';
import { Gadget, TIME, applied, builtinScope, configMap, entry } from './testing.js';

const T1 = '2024-01-01T00:00:01Z';

const configMaps = builtinScope('', 'ConfigMap');

function failure(run: () => unknown): readonly [code: number | undefined, message: string | undefined] {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return [error.status.code, error.status.message];
    throw error;
  }
  throw new Error('did not fail');
}

describe('trackUpdate', () => {
  it('writes the entry of a new Deployment as the real server prints it', () => {
    const deployment: KubeObject = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd', namespace: 'n', labels: { a: '1' } },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'x' } },
        template: {
          metadata: { labels: { app: 'x' } },
          spec: {
            containers: [
              {
                name: 'c',
                image: 'i',
                ports: [{ containerPort: 80, protocol: 'TCP' }],
                resources: {},
                imagePullPolicy: 'Always',
              },
            ],
            securityContext: {},
          },
        },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } },
      },
      status: {},
    };
    const entries = trackUpdate(builtinScope('apps', 'Deployment'), {
      live: undefined,
      next: deployment,
      manager: 'kubectl-create',
      time: TIME,
    });
    expect(JSON.stringify(entries)).toBe(
      '[{"manager":"kubectl-create","operation":"Update","apiVersion":"apps/v1","time":"2024-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":' +
        '{"f:metadata":{"f:labels":{".":{},"f:a":{}}},"f:spec":{"f:replicas":{},"f:selector":{},"f:strategy":{"f:rollingUpdate":{".":{},"f:maxSurge":{}},"f:type":{}},' +
        '"f:template":{"f:metadata":{"f:labels":{".":{},"f:app":{}}},"f:spec":{"f:containers":{"k:{\\"name\\":\\"c\\"}":{".":{},"f:image":{},"f:imagePullPolicy":{},"f:name":{},' +
        '"f:ports":{".":{},"k:{\\"containerPort\\":80,\\"protocol\\":\\"TCP\\"}":{".":{},"f:containerPort":{},"f:protocol":{}}},"f:resources":{}}},"f:securityContext":{}}}}}}]',
    );
  });

  it.each([
    [
      'metadata of the system',
      configMap(
        {},
        { namespace: 'n', uid: 'u', generation: 1, resourceVersion: '1', creationTimestamp: TIME, selfLink: '/x' },
      ),
    ],
    ['nothing at all', configMap({})],
  ])('keeps no entry for %s', (_name, next) => {
    const { data: _data, ...bare } = next;
    expect(
      trackUpdate(configMaps, { live: undefined, next: bare as KubeObject, manager: 'm', time: TIME }),
    ).toBeUndefined();
  });

  it('calls a manager without a name unknown', () => {
    expect(
      trackUpdate(configMaps, { live: undefined, next: configMap({ a: '1' }), manager: '', time: TIME }),
    ).toMatchObject([{ manager: 'unknown' }]);
  });

  it('names the subresource behind everything else', () => {
    const pods = builtinScope('', 'Pod', 'resize');
    const next: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { hostNetwork: true } };
    const [first] = trackUpdate(pods, { live: undefined, next, manager: 'm', time: TIME }) ?? [];
    expect(Object.keys(first ?? {})).toEqual([
      'manager',
      'operation',
      'apiVersion',
      'time',
      'fieldsType',
      'fieldsV1',
      'subresource',
    ]);
    expect(first?.subresource).toBe('resize');
  });

  const live = deepFreeze(
    configMap({ a: '1' }, { uid: 'u', managedFields: [entry('m', { 'f:data': { '.': {}, 'f:a': {} } })] }),
  );
  const tracked = (next: KubeObject, scope = configMaps): ManagedFieldsEntry[] | undefined =>
    trackUpdate(scope, { live, next, manager: 'm', time: T1 });

  it('keeps the very entries of an update that changes nothing', () => {
    expect(tracked(configMap({ a: '1' }))?.[0]).toBe(live.metadata.managedFields?.[0]);
  });

  it('moves the time of a manager that changes something', () => {
    expect(tracked(configMap({ a: '2' }))).toEqual([{ ...live.metadata.managedFields?.[0], time: T1 }]);
  });

  it.each([
    ['an empty list', []],
    ['a list of one empty entry', [{}]],
  ])('forgets all managers on %s', (_name, managedFields) => {
    expect(tracked(configMap({ a: '2' }, { managedFields }))).toBeUndefined();
  });

  it('does not forget them through a subresource', () => {
    expect(
      tracked(configMap({ a: '1' }, { managedFields: [] }), { ...configMaps, subresource: 'status' }),
    ).toHaveLength(1);
  });

  it('takes the list the client sends', () => {
    const sent = [entry('other', { 'f:data': { 'f:a': {} } })];
    expect(tracked(configMap({ a: '1' }, { managedFields: sent }))).toEqual(sent);
  });

  it.each([
    ['cannot be read', [{ manager: 'x', operation: 'Update', apiVersion: 'v1' }]],
    ['is null', null],
  ])('takes the stored list when the one sent %s', (_name, managedFields) => {
    expect(tracked(configMap({ a: '1' }, { managedFields }))).toEqual(live.metadata.managedFields);
  });

  it('does not begin to track an object that is not tracked', () => {
    const untracked = configMap({ a: '1' }, { uid: 'u' });
    expect(
      trackUpdate(configMaps, { live: untracked, next: configMap({ a: '2' }), manager: 'm', time: T1 }),
    ).toBeUndefined();
  });

  it('gives up tracking what does not fit its type', () => {
    expect(tracked({ ...configMap({ a: '1' }), zzz: 1 })).toBeUndefined();
  });

  it('folds the oldest of more than ten updaters into ancient-changes', () => {
    const gadget = new Gadget();
    const spec: Record<string, string> = {};
    for (let k = 0; k < 13; k++) {
      spec[`k${k}`] = '1';
      gadget.update(`m${String(k).padStart(2, '0')}`, { labels: { ...spec } });
    }
    expect(gadget.entries.map(({ manager, time }) => [manager, time?.slice(17, 19)])).toEqual([
      ['ancient-changes', '03'],
      ...[4, 5, 6, 7, 8, 9, 10, 11, 12].map((k) => [`m${String(k).padStart(2, '0')}`, String(k).padStart(2, '0')]),
    ]);
    expect(gadget.owned['~ancient-changes']).toEqual([
      '.labels',
      '.labels.k0',
      '.labels.k1',
      '.labels.k2',
      '.labels.k3',
    ]);
  });
});

describe('applyPatch', () => {
  const config = (data: JsonObject, metadata: JsonObject = {}): JsonObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', ...metadata },
    data,
  });
  const run = (live: KubeObject | undefined, what: JsonObject, manager = 'm', force = false): ApplyResult =>
    applyPatch(configMaps, { live, config: what, manager, force, time: T1 });

  it('creates what is not there', () => {
    const result = applied(run(undefined, config({ a: '1' })));
    expect(result.object).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'c',
        managedFields: [entry('m', { 'f:data': { 'f:a': {} } }, { operation: 'Apply', time: T1 })],
      },
      data: { a: '1' },
    });
    expect(result.unchanged).toBe(false);
  });

  const live = deepFreeze(applied(run(undefined, config({ a: '1' }))).object);

  it('changes nothing when applied again', () => {
    const result = applied(run(live, config({ a: '1' })));
    expect(result.unchanged).toBe(true);
    expect(result.object).toEqual(live);
    expect(result.managedFields?.[0]).toBe(live.metadata.managedFields?.[0]);
  });

  it('gives a manager that joins without changing anything no time', () => {
    const result = applied(run(live, config({ a: '1' }), 'n'));
    expect(result.unchanged).toBe(true);
    expect(result.managedFields?.map(({ manager, time }) => [manager, time])).toEqual([
      ['n', undefined],
      ['m', T1],
    ]);
  });

  it('credits what was there untracked to before-first-apply', () => {
    const untracked = deepFreeze(configMap({ a: '1', b: '2' }, { uid: 'u' }));
    expect(applied(run(untracked, config({ a: '1' }))).managedFields).toEqual([
      entry('m', { 'f:data': { 'f:a': {} } }, { operation: 'Apply', time: undefined }),
      entry('before-first-apply', { 'f:data': { '.': {}, 'f:a': {}, 'f:b': {} } }, { time: T1 }),
    ]);
    const conflicts = run(untracked, config({ a: '2' }));
    expect(conflicts).toEqual({
      type: 'conflicts',
      conflicts: [
        {
          managerId: '{"manager":"before-first-apply","operation":"Update","apiVersion":"v1"}',
          manager: '"before-first-apply" using v1',
          field: '.data.a',
        },
      ],
    });
  });

  it.each([
    ['another kind', { apiVersion: 'v1', kind: 'Secret' }, 400, 'invalid object type: /v1, Kind=Secret'],
    ['no version at all', { apiVersion: 'a/b/c', kind: 'ConfigMap' }, 400, 'invalid object type: /, Kind='],
    [
      'another version',
      { apiVersion: 'apps/v2', kind: 'ConfigMap' },
      400,
      'invalid object type: apps/v2, Kind=ConfigMap',
    ],
    ['managed fields', config({}, { managedFields: [] }), 400, 'metadata.managedFields must be nil'],
    [
      'a wrong type',
      config({ a: 1 }),
      500,
      'failed to create typed patch object (/c; /v1, Kind=ConfigMap): .data.a: expected string, got &value.valueUnstructured{Value:1}',
    ],
    [
      'an unknown field',
      { ...config({}, { namespace: 'n' }), foo: 1 },
      500,
      'failed to create typed patch object (n/c; /v1, Kind=ConfigMap): .foo: field not declared in schema',
    ],
    [
      'repeated items',
      config({}, { finalizers: ['a', 'a'] }),
      500,
      'failed to create typed patch object (/c; /v1, Kind=ConfigMap): .metadata.finalizers: duplicate entries for key [="a"]',
    ],
  ])('refuses %s', (_name, what, code, message) => {
    expect(failure(() => run(undefined, what))).toEqual([code, message]);
  });

  it('refuses to build on managed fields that cannot be read', () => {
    const broken = configMap({}, { managedFields: [{ manager: 'm' }] });
    expect(failure(() => run(broken, config({})))).toEqual([
      500,
      'failed to decode managed fields: operation must be `Apply` or `Update`',
    ]);
  });

  it('drops a key nobody else owns, and with the last one leaves null for the decoder to drop', () => {
    expect(applied(run(live, config({}))).object['data']).toBeNull();
    expect(applied(run(live, config({ b: '2' }))).object['data']).toEqual({ b: '2' });
  });
});
