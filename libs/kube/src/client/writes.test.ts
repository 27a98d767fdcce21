import { describe, expect, it } from 'vitest';
import { deepFreeze } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { failed, json, ScriptedTransport } from '../testing/scripted-transport.js';
import { Client } from './client.js';
import { addFinalizer, hasFinalizer, removeFinalizer } from './finalizers.js';
import { apply, getScale, mergeFrom, patchFrom, setScale, updateStatus } from './patches.js';

const MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };

interface Sent {
  readonly line: string;
  readonly type: string | undefined;
  readonly value: unknown;
}

function make(existing?: KubeObject): { client: Client; sent: Sent[] } {
  const sent: Sent[] = [];
  const transport = new ScriptedTransport((request) => {
    if (request.method === 'GET') return existing === undefined ? failed(404, 'NotFound') : json(existing);
    const value = request.body?.type === 'value' ? request.body.value : undefined;
    sent.push({ line: `${request.method} ${request.target}`, type: request.headers['content-type'], value });
    return json({ ...existing, answered: true });
  });
  return { client: new Client(transport, { maxRetries: 0 }), sent };
}

function map(more: Record<string, unknown> = {}, metadata: KubeObject['metadata'] = {}): KubeObject {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', namespace: 'n', ...metadata }, ...more };
  return deepFreeze(object);
}

const PATH = '/api/v1/namespaces/n/configmaps/m';
const MERGE = 'application/merge-patch+json';

describe('patch helpers', () => {
  it('make a merge patch of what differs, with the version when it is to lock', () => {
    const before = map({ data: { a: '1', b: '2' } }, { resourceVersion: '7' });
    const after = map({ data: { a: '1', c: '3' } }, { resourceVersion: '7' });
    expect(mergeFrom(before, after)).toEqual({ type: 'merge', value: { data: { b: null, c: '3' } } });
    expect(mergeFrom(before, after, { optimisticLock: true }).value).toEqual({
      data: { b: null, c: '3' },
      metadata: { resourceVersion: '7' },
    });
    expect(mergeFrom(before, before).value).toEqual({});
    expect(() => mergeFrom(map(), after, { optimisticLock: true })).toThrow(
      'an object without resource version cannot be locked',
    );
  });

  it('send only what differs, and nothing when nothing does', async () => {
    const { client, sent } = make();
    const before = map({ data: { a: '1' } });
    expect(await patchFrom(client, MAPS, { before, after: before })).toBe(before);
    await patchFrom(client, MAPS, { before, after: map({ data: { a: '2' } }) }, { fieldManager: 'me' });
    expect(sent).toEqual([{ line: `PATCH ${PATH}?fieldManager=me`, type: MERGE, value: { data: { a: '2' } } }]);
  });

  it('say null where an object is to have it, which no merge patch can', async () => {
    const { client, sent } = make();
    const before = map({ list: [{ end: 'now' }] }, { resourceVersion: '7' });
    await patchFrom(client, MAPS, { before, after: map({ list: [{ end: null }] }, { resourceVersion: '7' }) });
    const after = map({ list: [{ end: 'now' }], end: null }, { resourceVersion: '7' });
    await patchFrom(client, MAPS, { before, after }, { optimisticLock: true });
    await patchFrom(client, MAPS, { before: after, after: before });
    expect(sent.map(({ type, value }) => [type, value])).toEqual([
      ['application/json-patch+json', [{ op: 'replace', path: '/list/0/end', value: null }]],
      [
        'application/json-patch+json',
        [
          { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
          { op: 'add', path: '/end', value: null },
        ],
      ],
      [MERGE, { end: null }],
    ]);
  });

  it('apply as a field owner, without what the server refuses', async () => {
    const { client, sent } = make();
    const object = map({ data: {} }, { managedFields: [], resourceVersion: '3' });
    await apply(client, MAPS, object, { fieldOwner: 'me', force: true });
    expect(sent).toEqual([
      {
        line: `PATCH ${PATH}?fieldManager=me&force=true`,
        type: 'application/apply-patch+yaml',
        value: map({ data: {} }, { resourceVersion: '3' }),
      },
    ]);
  });

  it('write status and scale on their own paths', async () => {
    const { client, sent } = make(map());
    await updateStatus(client, MAPS, map({ status: 1 }));
    await setScale(client, MAPS, { name: 'm', namespace: 'n' }, 3);
    await getScale(client, MAPS, 'm', 'n');
    expect(sent.map(({ line, value }) => [line, value])).toEqual([
      [`PUT ${PATH}/status`, map({ status: 1 })],
      [`PATCH ${PATH}/scale`, { spec: { replicas: 3 } }],
    ]);
  });
});

describe('finalizers', () => {
  it('are added and taken off with a lock, and only when that changes anything', async () => {
    const { client, sent } = make();
    const bare = map({}, { resourceVersion: '1', finalizers: ['other'] });
    const held = map({}, { resourceVersion: '2', finalizers: ['other', 'mine'] });
    expect([hasFinalizer(bare, 'mine'), hasFinalizer(held, 'mine')]).toEqual([false, true]);
    expect(await addFinalizer(client, MAPS, held, 'mine')).toBe(held);
    expect(await removeFinalizer(client, MAPS, bare, 'mine')).toBe(bare);
    await addFinalizer(client, MAPS, bare, 'mine');
    await removeFinalizer(client, MAPS, held, 'mine');
    expect(sent.map(({ value }) => value)).toEqual([
      { metadata: { resourceVersion: '1', finalizers: ['other', 'mine'] } },
      { metadata: { resourceVersion: '2', finalizers: ['other'] } },
    ]);
  });
});
