import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { Client } from '../client/client.js';
import { failed, json, ScriptedTransport } from '../testing/scripted-transport.js';
import { changeTo, describeChange } from './change.js';
import { Converger } from './converger.js';
import type { ConvergerOptions } from './converger.js';
import type { OwnerRule } from './desired.js';

const MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true, kind: 'ConfigMap' };
const PATH = '/api/v1/namespaces/n/configmaps';

/** Objects that carry the annotation are its value's. */
function ownedBy(owner: string): OwnerRule {
  return {
    mark: (desired) => ({
      ...desired,
      metadata: { ...desired.metadata, annotations: { ...desired.metadata.annotations, owner } },
    }),
    owns: ({ metadata }) => metadata.annotations?.['owner'] === owner,
    refusal: (kind, { metadata }) => new Error(`${kind} ${metadata.name ?? ''} is another owner's`),
  };
}

function map(name: string, metadata: KubeObject['metadata'] = {}, data?: Record<string, string>): KubeObject {
  const uid = `uid-${name}`;
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'n', uid, ...metadata } };
  return data === undefined ? object : { ...object, data };
}

const OURS = { annotations: { owner: 'me' }, resourceVersion: '7' };

interface Setup {
  readonly converger: Converger;
  readonly sent: { line: string; value: unknown }[];
}

function setup(existing: readonly KubeObject[], options: Partial<ConvergerOptions> = {}): Setup {
  const sent: Setup['sent'] = [];
  const transport = new ScriptedTransport((request) => {
    const name = request.target.replace(/\?.*$/u, '').split('/').at(-1) ?? '';
    const found = existing.find(({ metadata }) => metadata.name === name);
    if (request.method === 'GET') return found === undefined ? failed(404, 'NotFound') : json(found);
    const value = request.body?.type === 'value' ? request.body.value : undefined;
    sent.push({ line: `${request.method} ${request.target}`, value });
    if (request.method === 'DELETE') return found === undefined ? failed(404, 'NotFound') : json(found);
    if (request.method !== 'POST') return json({ ...found, written: true });
    const { name: created } = (value as KubeObject).metadata;
    return existing.some(({ metadata }) => metadata.name === created) ? failed(409, 'AlreadyExists') : json(value);
  });
  const client = new Client(transport, { maxRetries: 0 });
  return { converger: new Converger({ client, owner: ownedBy('me'), ...options }), sent };
}

const DESIRED = { metadata: { name: 'a', namespace: 'n' }, data: { k: 'v' } };

describe('ensure', () => {
  it('creates an object that is not there, with its kind and its owner', async () => {
    const { converger, sent } = setup([]);
    await converger.ensure(MAPS, DESIRED);
    const metadata = { name: 'a', namespace: 'n', annotations: { owner: 'me' } };
    expect(sent).toEqual([
      { line: `POST ${PATH}`, value: { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { k: 'v' } } },
    ]);
    expect(converger.changes.map(describeChange)).toEqual(['create ConfigMap n/a']);
  });

  it('sends nothing when nothing differs', async () => {
    const { converger, sent } = setup([map('a', OURS, { k: 'v', defaulted: 'x' })]);
    expect((await converger.ensure(MAPS, DESIRED)).metadata.uid).toBe('uid-a');
    expect([sent, converger.changes]).toEqual([[], []]);
  });

  it('patches what differs, of the object that was read', async () => {
    const { converger, sent } = setup([map('a', OURS, { k: 'old', defaulted: 'x' })]);
    await converger.ensure(MAPS, DESIRED);
    expect(sent).toEqual([
      { line: `PATCH ${PATH}/a`, value: { data: { k: 'v' }, metadata: { resourceVersion: '7' } } },
    ]);
  });

  it('keeps finalizers and owner references of others', async () => {
    const other = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: '1' };
    const { converger, sent } = setup([map('a', { ...OURS, finalizers: ['theirs'], ownerReferences: [other] })]);
    const mine = { ...other, name: 'q', uid: '2' };
    await converger.ensure(MAPS, {
      metadata: { name: 'a', namespace: 'n', finalizers: ['ours'], ownerReferences: [mine] },
    });
    const metadata = { resourceVersion: '7', finalizers: ['theirs', 'ours'], ownerReferences: [other, mine] };
    expect(sent).toMatchObject([{ value: { metadata } }]);
  });

  it.each([
    ['refuses an object of another owner', { annotations: { owner: 'you' } }],
    ['refuses an object without an owner', {}],
  ])('%s', async (_, metadata) => {
    const { converger, sent } = setup([map('a', metadata)]);
    await expect(converger.ensure(MAPS, DESIRED)).rejects.toThrow("ConfigMap a is another owner's");
    expect(sent).toEqual([]);
  });

  it.each([
    ['patches', 'me', ['POST', 'PATCH']],
    ['refuses, if it is another owner\u2019s,', 'you', ['POST']],
  ])('%s an object that exists although the cache does not show it', async (_, owner, methods) => {
    const { converger, sent } = setup([map('a', { annotations: { owner }, resourceVersion: '7' })], {
      reader: new Client(new ScriptedTransport(() => failed(404, 'NotFound')), { maxRetries: 0 }),
    });
    const ended = await converger.ensure(MAPS, DESIRED).then(
      () => 'me',
      () => 'you',
    );
    expect([ended, sent.map(({ line }) => line.split(' ')[0])]).toEqual([owner, methods]);
  });

  it('throws every error but a missing object', async () => {
    const { converger } = setup([], { reader: { get: () => Promise.reject(new Error('no route')) } });
    await expect(converger.ensure(MAPS, DESIRED)).rejects.toThrow('no route');
  });

  it('asks the server to check only, in a dry run', async () => {
    const { converger, sent } = setup([], { dryRun: true });
    await converger.ensure(MAPS, DESIRED);
    expect(sent.map(({ line }) => line)).toEqual([`POST ${PATH}?dryRun=All`]);
  });
});

describe('ensureExists', () => {
  it('generates content once', async () => {
    let generated = 0;
    const make = (): object => ({ data: { key: String((generated += 1)) } });
    const metadata = { name: 'a', namespace: 'n' };
    await setup([]).converger.ensureExists(MAPS, { metadata, make });
    const { converger, sent } = setup([map('a', OURS, { key: 'kept' })]);
    expect((await converger.ensureExists(MAPS, { metadata, make }))['data']).toEqual({ key: 'kept' });
    expect([generated, sent]).toEqual([1, []]);
  });
});

describe('ensureStatus', () => {
  it('patches the status alone, and only when it differs', async () => {
    const before = { ...map('a', OURS), status: { ready: false, theirs: 1 } } as KubeObject;
    const { converger, sent } = setup([before]);
    await converger.ensureStatus(MAPS, before, { ready: false });
    await converger.ensureStatus(MAPS, before, { ready: true });
    const value = { metadata: { resourceVersion: '7' }, status: { ready: true } };
    expect(sent).toEqual([{ line: `PATCH ${PATH}/a/status`, value }]);
  });
});

describe('deleting', () => {
  const preconditions = { uid: 'uid-a' };

  it('patches to what was decided elsewhere, and only when it differs', async () => {
    const existing = map('a', OURS, { k: 'old' });
    const { converger, sent } = setup([existing]);
    expect(await converger.patch(MAPS, existing, map('a', OURS, { k: 'old' }))).toBe(existing);
    await converger.patch(MAPS, existing, map('a', OURS, { k: 'v' }));
    expect(sent).toEqual([
      { line: `PATCH ${PATH}/a`, value: { metadata: { resourceVersion: '7' }, data: { k: 'v' } } },
    ]);
  });

  it('replaces a status whole, where a patch cannot set null', async () => {
    const existing = map('a', OURS);
    const { converger, sent } = setup([existing]);
    const after = { ...existing, status: { at: null } };
    await converger.replaceStatus(MAPS, after);
    expect(sent).toEqual([{ line: `PUT ${PATH}/a/status`, value: after }]);
    expect(converger.changes.map(describeChange)).toEqual(['replace ConfigMap/status n/a']);
  });

  it('deletes the very object that was read', async () => {
    const { converger, sent } = setup([map('a', OURS)]);
    expect(await converger.ensureAbsent(MAPS, 'a', 'n')).toBe(true);
    expect(sent).toMatchObject([{ line: `DELETE ${PATH}/a`, value: { preconditions } }]);
  });

  it.each<[string, readonly KubeObject[], boolean]>([
    ['an object that is not there', [], false],
    ['an object of another owner', [map('a', { annotations: { owner: 'you' } })], false],
    ['an object that is being deleted', [map('a', { ...OURS, deletionTimestamp: '2026-01-01T00:00:00Z' })], true],
  ])('sends nothing for %s', async (_, existing, isThere) => {
    const { converger, sent } = setup(existing);
    expect([await converger.ensureAbsent(MAPS, 'a', 'n'), sent]).toEqual([isThere, []]);
  });

  it('does not mind that the object was deleted meanwhile', async () => {
    const { converger } = setup([]);
    expect(await converger.delete(MAPS, map('a', OURS))).toBe(false);
  });

  it('prunes what is ours and no longer desired', async () => {
    const existing = [map('a', OURS), map('b', OURS), map('c')];
    const { converger } = setup(existing);
    await converger.prune(MAPS, existing, ({ metadata }) => metadata.name === 'a');
    expect(converger.changes.map(describeChange)).toEqual(['delete ConfigMap n/b']);
  });
});

describe('changeTo', () => {
  it('decides without writing', () => {
    const before = map('a', OURS, { k: 'old' });
    const after = map('a', OURS, { k: 'v' });
    expect(changeTo(MAPS, undefined, after).map(describeChange)).toEqual(['create ConfigMap n/a']);
    expect(changeTo(MAPS, before, after).map(describeChange)).toEqual(['patch ConfigMap n/a']);
    expect(changeTo(MAPS, before, map('a', OURS, { k: 'old' }))).toEqual([]);
  });
});
