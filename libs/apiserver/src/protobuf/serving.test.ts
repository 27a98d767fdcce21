import { Buffer } from 'node:buffer';
import type { ApiResponse, RequestBody, WatchFrame } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { ApiServer } from '../server.js';
import { ManualClock, countingRandom } from '../testing/fixture.js';
import {
  PROTOBUF_TYPE,
  jsonOfProtobuf,
  protobufOfJson,
  readEnvelope,
  writeEnvelope,
  writeWatchFrame,
} from './index.js';

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';
const GIZMOS = '/apis/example.com/v1/namespaces/default/gizmos';
const METADATA_LIST = `${PROTOBUF_TYPE};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`;

interface Fixture {
  readonly server: ApiServer;
  readonly clock: ManualClock;
  readonly call: (method: string, target: string, headers?: Record<string, string>, body?: RequestBody) => ApiResponse;
  readonly write: (name: string) => void;
}

function fixture(): Fixture {
  const clock = new ManualClock();
  const server = new ApiServer({ clock, random: countingRandom() });
  const call: Fixture['call'] = (method, target, headers = {}, body = undefined) =>
    server.handle({ method, target, headers, body }) as ApiResponse;
  const write = (name: string): void => {
    expect(
      call('POST', CONFIG_MAPS, {}, { type: 'value', value: { metadata: { name }, data: { k: 'v' } } }).status,
    ).toBe(201);
  };
  return { server, clock, call, write };
}

function bytesOf({ body }: ApiResponse): Uint8Array {
  if (body.type !== 'payload') throw new Error(`no payload but ${body.type}`);
  return Buffer.concat(body.chunks());
}

function jsonOf(response: ApiResponse): unknown {
  return jsonOfProtobuf(bytesOf(response));
}

function watch({ call }: Fixture, accept: string, query = ''): WatchFrame[] {
  const { body, headers } = call('GET', `${CONFIG_MAPS}?watch=1${query}`, { accept });
  if (body.type !== 'watch') throw new Error(`no watch but ${body.type}`);
  expect(headers['content-type']).toBe(accept === PROTOBUF_TYPE ? `${PROTOBUF_TYPE};stream=watch` : 'application/json');
  const frames: WatchFrame[] = [];
  body.start({ frame: (frame) => frames.push(frame), end: () => {} });
  return frames;
}

type Kinded = { apiVersion: string; kind: string };

describe('a watch in protobuf', () => {
  it('frames the events of a watch in JSON, each for itself', () => {
    const there = fixture();
    const inText = watch(there, 'application/json', '&allowWatchBookmarks=true');
    const inProtobuf = watch(there, PROTOBUF_TYPE, '&allowWatchBookmarks=true');
    there.write('a');
    there.call('DELETE', `${CONFIG_MAPS}/a`);
    there.clock.advance(60_000);
    expect(inText.map(({ type }) => type)).toEqual(['ADDED', 'DELETED', 'BOOKMARK']);
    const events = inText.map(
      (frame) => JSON.parse(Buffer.from(frame.bytes()).toString()) as { type: string; object: Kinded },
    );
    expect(inProtobuf.map((frame) => Buffer.from(frame.bytes()).toString('hex'))).toEqual(
      events.map(({ type, object }) => Buffer.from(writeWatchFrame(type, protobufOfJson(object))).toString('hex')),
    );
    expect(inProtobuf.map((frame) => frame.object())).toEqual(events.map(({ object }) => object));
  });

  it('is encoded once however many there are', () => {
    const there = fixture();
    const watchers = Array.from({ length: 20 }, () => watch(there, PROTOBUF_TYPE));
    there.write('a');
    expect(new Set(watchers.map(([frame]) => frame?.bytes())).size).toBe(1);
  });

  it('ends with a Status where it cannot go on', () => {
    const there = fixture();
    there.write('a');
    there.server.store.compact(there.server.store.revision);
    const [frame, ...others] = watch(there, PROTOBUF_TYPE, '&resourceVersion=2');
    expect(others).toEqual([]);
    const status = frame?.object() as Kinded;
    expect(status).toMatchObject({ kind: 'Status', code: 410 });
    expect(frame?.bytes()).toEqual(writeWatchFrame('ERROR', protobufOfJson(status)));
  });
});

describe('an answer in protobuf', () => {
  it('holds the same as the answer in JSON', () => {
    const { call, write } = fixture();
    write('a');
    write('b');
    for (const target of [
      CONFIG_MAPS,
      `${CONFIG_MAPS}/a`,
      `${CONFIG_MAPS}/none`,
      '/api/v1/nothing',
      '/api/v1/namespaces',
      '/apis/apps/v1/deployments',
    ]) {
      const inText = call('GET', target);
      const inProtobuf = call('GET', target, { accept: PROTOBUF_TYPE });
      expect([inProtobuf.status, inProtobuf.headers['content-type']]).toEqual([inText.status, PROTOBUF_TYPE]);
      const { items, ...value } = JSON.parse(Buffer.from(bytesOf(inText)).toString()) as { items?: unknown[] };
      // An empty list is not there.
      expect(jsonOf(inProtobuf)).toEqual(
        items === undefined ? value : { ...value, items: items.length === 0 ? null : items },
      );
    }
  });

  it('holds the same message alone and in a list', () => {
    const { call, write } = fixture();
    write('a');
    const { raw } = readEnvelope(bytesOf(call('GET', `${CONFIG_MAPS}/a`, { accept: PROTOBUF_TYPE })));
    expect(Buffer.from(bytesOf(call('GET', CONFIG_MAPS, { accept: PROTOBUF_TYPE }))).includes(Buffer.from(raw))).toBe(
      true,
    );
  });

  it('is no table', () => {
    const { call } = fixture();
    const table = 'as=Table;v=v1;g=meta.k8s.io';
    expect(call('GET', CONFIG_MAPS, { accept: `${PROTOBUF_TYPE};${table}` }).status).toBe(406);
    const other = call('GET', CONFIG_MAPS, { accept: `${PROTOBUF_TYPE};${table},application/json;${table}` });
    expect([other.status, other.headers['content-type']]).toEqual([200, 'application/json']);
  });
});

describe('a custom resource', () => {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'gizmos.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'gizmos', kind: 'Gizmo', singular: 'gizmo', listKind: 'GizmoList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

  function defined(): Fixture {
    const there = fixture();
    const bytes = protobufOfJson(definition);
    expect(there.call('POST', definitions, { 'content-type': PROTOBUF_TYPE }, { type: 'bytes', bytes }).status).toBe(
      201,
    );
    there.clock.advance(10_000);
    const value = {
      apiVersion: 'example.com/v1',
      kind: 'Gizmo',
      metadata: { name: 'g', labels: { a: 'b' } },
      spec: { x: 1 },
    };
    expect(there.call('POST', GIZMOS, {}, { type: 'value', value }).status).toBe(201);
    return there;
  }

  it('is not sent in protobuf', () => {
    const { call } = defined();
    const bytes = writeEnvelope('example.com/v1', 'Gizmo', new Uint8Array(0));
    const refused = call('POST', GIZMOS, { 'content-type': PROTOBUF_TYPE }, { type: 'bytes', bytes });
    expect(refused.status).toBe(415);
  });

  it('is not answered in protobuf, though refusals are', () => {
    const { call } = defined();
    const refused = call('GET', GIZMOS, { accept: PROTOBUF_TYPE });
    expect(refused.status).toBe(406);
    expect(jsonOf(refused)).toMatchObject({
      message:
        'only the following media types are accepted: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    });
    const second = call('GET', `${GIZMOS}/g`, { accept: `${PROTOBUF_TYPE},application/json` });
    expect([second.status, second.headers['content-type']]).toEqual([200, 'application/json']);
  });

  it('has metadata in protobuf', () => {
    const { call } = defined();
    expect(jsonOf(call('GET', GIZMOS, { accept: METADATA_LIST }))).toMatchObject({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      items: [{ metadata: { name: 'g', labels: { a: 'b' } } }],
    });
  });

  it('is deleted with options in protobuf', () => {
    const { call } = defined();
    const bytes = protobufOfJson({ apiVersion: 'v1', kind: 'DeleteOptions' });
    expect(call('DELETE', `${GIZMOS}/g`, { 'content-type': PROTOBUF_TYPE }, { type: 'bytes', bytes }).status).toBe(200);
  });
});
