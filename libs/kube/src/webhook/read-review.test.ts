import { describe, expect, it } from 'vitest';
import type { JsonObject } from '@capstan/meta';
import { RuntimeMetrics } from '../metrics/runtime-metrics.js';
import type { Logger } from '../runtime/logger.js';
import { ManualClock } from '../testing/manual-clock.js';
import type { EndpointReply } from '../http/endpoint-server.js';
import { mutatingEndpoint, validatingEndpoint } from './admission.js';
import { conversionEndpoint } from './conversion.js';

const clock = new ManualClock();
const errors: string[] = [];
const ignore = (): void => {};
const logger: Logger = { debug: ignore, info: ignore, warn: ignore, error: (message) => void errors.push(message) };
const surroundings = { clock, logger, metrics: new RuntimeMetrics(clock) };
const APP = { group: 'example.com', kind: 'App' };
const endpoints = {
  // Both look at what a review of a real server has.
  mutating: mutatingEndpoint({ for: APP, mutate: (object) => void object.metadata.name }, surroundings),
  validating: validatingEndpoint(
    {
      validate: ({ object, old }, { request }) =>
        void [
          object?.metadata.name,
          old?.metadata.name,
          request.kind.kind,
          request.resource.version,
          request.userInfo.groups,
        ],
    },
    surroundings,
  ),
  converting: conversionEndpoint(
    [{ ...APP, hub: 'v2', spokes: { v1: { toHub: (object) => object, fromHub: (object) => object } } }],
    surroundings,
  ),
};

async function send(to: keyof typeof endpoints, body: string): Promise<EndpointReply & { text: string }> {
  const reply = await endpoints[to]({
    method: 'POST',
    path: '/',
    query: new URLSearchParams(),
    contentType: 'application/json',
    body: new TextEncoder().encode(body),
    signal: new AbortController().signal,
  });
  return { ...reply, text: String(reply.body) };
}

const object = { apiVersion: 'example.com/v1', kind: 'App', metadata: { name: 'a' } };
const kind = { group: 'example.com', version: 'v1', kind: 'App' };
const admission = { uid: 'u', kind, operation: 'CREATE', object };
const conversion = { uid: 'u', desiredAPIVersion: 'example.com/v2', objects: [object] };
const review = (request: unknown): JsonObject =>
  ({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }) as JsonObject;
const conversionReview = (request: unknown): JsonObject =>
  ({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request }) as JsonObject;

/** Bodies that are no review of any kind. */
const ODD = [
  '',
  'null',
  '{}',
  '[]',
  '"x"',
  '1',
  'true',
  '{"kind":',
  '\u0000',
  '{"kind":null,"apiVersion":[]}',
  '[null]',
];

describe('an admission webhook', () => {
  it.each(ODD)('refuses %j as no review', async (body) => {
    for (const to of ['mutating', 'validating'] as const) {
      const { status, text } = await send(to, body);
      expect(status).toBe(200);
      const { response } = JSON.parse(text) as { response: JsonObject };
      expect(response).toMatchObject({ uid: '', allowed: false, status: { code: 400 } });
      expect(text).not.toMatch(/panic|undefined|TypeError| at /);
    }
    expect(errors).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    [
      'another kind',
      { ...review(admission), kind: 'ConversionReview' },
      'expected AdmissionReview of admission.k8s.io/v1 or v1beta1, found ConversionReview of admission.k8s.io/v1',
    ],
    [
      'another version',
      { ...review(admission), apiVersion: 'admission.k8s.io/v2' },
      'expected AdmissionReview of admission.k8s.io/v1 or v1beta1, found AdmissionReview of admission.k8s.io/v2',
    ],
    ['no request', review(undefined), 'the review has no request'],
    ['a request of null', review(null), 'the review has no request'],
    ['a list as request', review([]), 'the review has no request'],
    ['no uid', review({ ...admission, uid: undefined }), 'request.uid must be a text'],
    ['an empty uid', review({ ...admission, uid: '' }), 'request.uid must be a text'],
    ['a number as uid', review({ ...admission, uid: 1 }), 'request.uid must be a text'],
    [
      'no operation',
      review({ ...admission, operation: undefined }),
      'request.operation must be CREATE, UPDATE, DELETE or CONNECT',
    ],
    ['a text as kind', review({ ...admission, kind: 'App' }), 'request.kind must be an object'],
    ['a kind of a number', review({ ...admission, kind: { ...kind, kind: 1 } }), 'request.kind.kind must be a text'],
    ['a list as resource', review({ ...admission, resource: [] }), 'request.resource must be an object'],
    ['a text as userInfo', review({ ...admission, userInfo: 'me' }), 'request.userInfo must be an object'],
    ['a number as name', review({ ...admission, name: 1 }), 'request.name must be a text'],
    ['no object', review({ ...admission, object: null }), 'request.object must be set for CREATE'],
    ['no old object', review({ ...admission, operation: 'UPDATE' }), 'request.oldObject must be set for UPDATE'],
    ['a text as object', review({ ...admission, object: 'x' }), 'request.object must be an object'],
    ['an empty object', review({ ...admission, object: {} }), 'request.object.apiVersion must be a text'],
    [
      'an object without metadata',
      review({ ...admission, object: { ...object, metadata: null } }),
      'request.object.metadata must be an object',
    ],
  ])('refuses %s by name', async (_, body, message) => {
    for (const to of ['mutating', 'validating'] as const) {
      const { text } = await send(to, JSON.stringify(body));
      expect(JSON.parse(text)).toMatchObject({ response: { allowed: false, status: { code: 400, message } } });
    }
    expect(errors).toEqual([]);
  });

  it('takes what a server may leave out as empty', async () => {
    const { text } = await send('validating', JSON.stringify(review({ ...admission, kind: undefined })));
    expect(JSON.parse(text)).toMatchObject({ response: { uid: 'u', allowed: true } });
    const refused = await send('mutating', JSON.stringify(review({ ...admission, kind: null })));
    expect(JSON.parse(refused.text)).toMatchObject({
      response: { status: { message: 'expected example.com/App, found ' } },
    });
  });
});

describe('a conversion webhook', () => {
  it.each(ODD)('answers %j with 400', async (body) => {
    const { status, text } = await send('converting', body);
    expect(status).toBe(400);
    expect(text).not.toMatch(/panic|undefined|TypeError| at /);
  });

  it.each<[string, unknown, string]>([
    [
      'another kind',
      { ...conversionReview(conversion), kind: 'AdmissionReview' },
      'expected ConversionReview of apiextensions.k8s.io/v1 or v1beta1, found AdmissionReview of apiextensions.k8s.io/v1\n',
    ],
    ['no request', conversionReview(undefined), 'the review has no request\n'],
    ['a request of null', conversionReview(null), 'the review has no request\n'],
    ['no uid', conversionReview({ ...conversion, uid: undefined }), 'request.uid must be a text\n'],
  ])('answers %s with 400', async (_, body, message) => {
    const { status, text } = await send('converting', JSON.stringify(body));
    expect([status, text]).toEqual([400, message]);
  });

  it.each<[string, unknown, string]>([
    ['no version', { ...conversion, desiredAPIVersion: null }, 'request.desiredAPIVersion must be a text'],
    ['no objects', { ...conversion, objects: undefined }, 'request.objects must be a list'],
    ['a text as objects', { ...conversion, objects: 'x' }, 'request.objects must be a list'],
    ['null as an object', { ...conversion, objects: [object, null] }, 'request.objects[1] must be an object'],
    ['an empty object', { ...conversion, objects: [{}] }, 'request.objects[0].apiVersion must be a text'],
    [
      'an object without metadata',
      { ...conversion, objects: [{ ...object, metadata: [] }] },
      'request.objects[0].metadata must be an object',
    ],
  ])('fails a review with %s', async (_, request, message) => {
    const { status, text } = await send('converting', JSON.stringify(conversionReview(request)));
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ response: { uid: 'u', result: { status: 'Failure', message } } });
  });
});
