import { describe, expect, it } from 'vitest';
import { translate } from '../requests/translator.js';
import { cutAt, MAPPING, run } from '../testing/exchange.js';
import { protobufBodies } from './bodies.js';
import { OpenApiProtobuf } from './open-api.js';
import { varintSize, writeVarint } from './wire.js';

const field = (number: number, content: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.of(number * 8 + 2), writeVarint(bytes.length, varintSize(bytes.length)), bytes]);
};
const named = (name: string): Buffer => Buffer.concat([field(1, name), field(2, `about ${name}`)]);

/** A document as the server sends it: what it is, its paths, its definitions, and whatever comes after. */
function document(paths: readonly string[], definitions: readonly string[]): Buffer {
  return Buffer.concat([
    field(1, '2.0'),
    field(8, Buffer.concat([field(1, 'extension'), ...paths.map((path) => field(2, named(path)))])),
    field(9, Buffer.concat(definitions.map((name) => field(1, named(name))))),
    field(12, 'security'),
  ]);
}

const given = document(
  ['/apis/apps/v1/', '/apis/cluster.x-k8s.io/v1beta1/machines', '/apis/cluster.hypershift.openshift.io/', '/api/v1/'],
  ['io.k8s.api.core.v1.Pod', 'io.x-k8s.cluster.v1beta1.Machine', 'io.openshift.hypershift.cluster.v1beta1.Machine'],
);
const left = document(['/apis/apps/v1/', '/api/v1/'], ['io.k8s.api.core.v1.Pod']);

describe('the OpenAPI v2 document as protobuf', () => {
  it('has no groups with two names, however it is cut', () => {
    const all = Array.from({ length: given.length }, (_, at) => run(new OpenApiProtobuf(MAPPING), cutAt(given, [at])));
    expect(all.filter((each) => !each.equals(left))).toEqual([]);
  });

  it('stays as it is when it has none of them', () => {
    expect(run(new OpenApiProtobuf(MAPPING), [left])).toEqual(left);
  });

  it('is refused when it is no message', () => {
    expect(() => run(new OpenApiProtobuf(MAPPING), [Buffer.from('{"swagger":"2.0"}')])).toThrow(/no protobuf message/);
  });

  it('is what clients get that accept nothing else', () => {
    const type = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const translator = translate(MAPPING, { protobuf: protobufBodies(MAPPING) });
    const request = translator.request({ method: 'GET', target: '/openapi/v2', headers: { accept: type } });
    if ('refuse' in request) throw new TypeError('refused');
    expect(request.headers['accept']).toBe(type);
    expect(run(request.response(200, { 'content-type': type }).body, [given])).toEqual(left);
  });
});
