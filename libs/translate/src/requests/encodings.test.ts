import { describe, expect, it } from 'vitest';
import type { BodyRewriter } from '../body.js';
import { BODY_LIMIT } from '../body.js';
import { headersOf, MAPPING, refusedWith, run } from '../testing/exchange.js';
import { translate } from './translator.js';
import type { EncodedBody, TranslatedRequest } from './types.js';

const MACHINES = '/apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** Appends a mark, to show that it ran. */
const marking = (mark: string): BodyRewriter => ({ peak: 0, push: () => [], end: () => [Buffer.from(mark)] });

const asked: EncodedBody[] = [];
const translator = translate(MAPPING, {
  protobuf: (body) => {
    asked.push(body);
    return marking('protobuf');
  },
  yaml: () => marking('yaml'),
});

function request(method: string, target: string, headers: Readonly<Record<string, string>>): TranslatedRequest {
  const translated = translator.request({ method, target, headers });
  if ('refuse' in translated) throw new TypeError('refused');
  return translated;
}

describe('what is asked for', () => {
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    [`${PROTOBUF}, */*`, 'application/json'],
    ['application/json, */*', 'application/json,*/*'],
    ['application/json, */*;q=0.8', 'application/json,*/*;q=0.8'],
    [
      `${PROTOBUF};as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json`,
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
    ],
    ['application/cbor,application/json', 'application/json'],
    [
      'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
      'application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json',
    ],
  ])('%s is asked as %s', (accept, expected) => {
    expect(headersOf({ target: MACHINES, headers: accept === undefined ? {} : { accept } }).accept).toBe(expected);
  });

  it('includes only encodings that have a translator', () => {
    expect(request('GET', MACHINES, { accept: `${PROTOBUF},application/json` }).headers.accept).toBe(
      `${PROTOBUF},application/json`,
    );
    expect(request('GET', '/apis', { accept: `${PROTOBUF},application/json` }).headers.accept).toBe('application/json');
    expect(refusedWith({ target: MACHINES, headers: { accept: PROTOBUF } })).toMatchObject({ code: 406 });
  });

  it('is never compressed, and keeps what is not about bodies', () => {
    const headers = { 'accept-encoding': 'gzip', 'user-agent': 'curl/8', 'content-length': '9', authorization: 'x' };
    expect(headersOf({ target: MACHINES, headers })).toEqual({
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'curl/8',
      'content-length': '9',
      authorization: 'x',
    });
    expect(headersOf({ target: MACHINES, method: 'POST', headers })).not.toHaveProperty('content-length');
    const empty = request('DELETE', `${MACHINES}/x`, { 'content-length': '0' });
    expect([empty.headers['content-length'], empty.body()]).toEqual(['0', 'pass']);
  });
});

describe('bodies that are no JSON', () => {
  it('go through the translator of their encoding', () => {
    const bytes = [Buffer.from('k8s')];
    expect(
      run(request('POST', '/api/v1/namespaces/n/secrets', { 'content-type': PROTOBUF }).body(), bytes).toString(),
    ).toBe('protobuf');
    expect(asked.at(-1)).toMatchObject({
      direction: 'request',
      isWatch: false,
      route: { class: 'object', path: { resource: 'secrets' } },
    });
    const watch = request('GET', '/api/v1/secrets?watch=1', { accept: PROTOBUF });
    expect(run(watch.response(200, { 'content-type': `${PROTOBUF};stream=watch` }).body, bytes).toString()).toBe(
      'protobuf',
    );
    expect(asked.at(-1)).toMatchObject({ direction: 'response', isWatch: true });
    expect(
      run(request('GET', MACHINES, {}).response(200, { 'content-type': 'application/yaml' }).body, bytes).toString(),
    ).toBe('yaml');
  });

  it('are recognised as YAML by their bytes, not by their content type', () => {
    const apply = (): TranslatedRequest =>
      request('PATCH', `${MACHINES}/x`, { 'content-type': 'application/apply-patch+yaml' });
    const json = '{"apiVersion":"cluster.x-k8s.io/v1"}';
    expect(run(apply().body(), [Buffer.from(' \n'), Buffer.from(json)]).toString()).toBe(
      ` \n{"apiVersion":"cluster.hypershift.openshift.io/v1"}`,
    );
    expect(run(apply().body(), [Buffer.from('apiVersion: x')]).toString()).toBe('yaml');
    expect(run(apply().body(), []).toString()).toBe('');
  });

  it.each([
    [PROTOBUF, 'k8s', 'the body of the request was in an unknown format: bodies in protobuf are not translated'],
    ['application/yaml', 'a: b', 'the body of the request was in an unknown format: bodies in YAML are not translated'],
    [
      'application/cbor',
      'x',
      'the body of the request was in an unknown format: bodies in application/cbor are not translated',
    ],
  ])('%s is refused where nobody does', (type, body, message) => {
    expect(refusedWith({ target: MACHINES, method: 'POST', headers: { 'content-type': type }, body })).toMatchObject({
      code: 415,
      reason: 'UnsupportedMediaType',
      message,
    });
  });

  it('patches end where servers end', () => {
    const body = ' '.repeat(BODY_LIMIT + 1);
    const headers = { 'content-type': 'application/json-patch+json' };
    expect(refusedWith({ target: `${MACHINES}/x`, method: 'PATCH', headers, body })).toMatchObject({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: 'Request entity too large: limit is 3145728',
    });
  });
});
