import { afterAll, beforeAll, beforeEach } from 'vitest';
import { Converter, FIRST, SECOND, givenHost, givenHosts, type GoodReview } from '../src/conformance/converter.js';
import { custom, dismiss } from '../src/conformance/crds.js';
import { suite } from '../src/conformance/suite.js';

const it = suite('conversion-lies');
const first = (name: string, spec: object, metadata: object = {}): Record<string, unknown> =>
  custom('Host', name, { metadata: { name, ...metadata }, spec });

let converter: Converter;
beforeAll(async () => {
  converter = await Converter.start();
});
afterAll(() => converter.stop());
beforeEach(() => converter.honest());

it('reviews look as they always did', async (s) => {
  for (const reviews of [
    ['v1', 'v1beta1'],
    ['v1beta1', 'v1'],
    ['v9', 'v1beta1'],
  ]) {
    await givenHosts(s, converter.client, reviews);
    await givenHost(s, FIRST, first('a', { address: 'x:1' }));
    await s.quiet('GET', `${SECOND}/a`);
    s.remark(`review of ${reviews.join()}`, converter.last);
    converter.lie = (good) => ({ ...good, response: { ...good.response, uid: 'another' } });
    await s.get(`${SECOND}/a`);
    converter.lie = ({ response }) => ({ response });
    await s.get(`${SECOND}/a`);
    converter.honest();
    await dismiss(s, 'hosts');
  }
});

const lies: readonly [string, (good: GoodReview) => unknown][] = [
  ['refuses', (good) => ({ ...good, response: { ...good.response, result: { status: 'Failure', message: 'no' } } })],
  ['refuses without a word', (good) => ({ ...good, response: { ...good.response, result: { status: 'Failure' } } })],
  ['has no result', (good) => ({ ...good, response: { ...good.response, result: undefined } })],
  ['answers another', (good) => ({ ...good, response: { ...good.response, uid: 'nobody' } })],
  ['answers nobody', (good) => ({ ...good, response: { ...good.response, uid: undefined } })],
  ['has no response', (good) => ({ ...good, response: undefined })],
  ['is of another kind', (good) => ({ ...good, kind: 'CustomResourceDefinition' })],
  ['is of another version', (good) => ({ ...good, apiVersion: 'apiextensions.k8s.io/v1beta1' })],
  ['is of no kind', (good) => ({ ...good, kind: undefined })],
  ['has too few', (good) => ({ ...good, response: { ...good.response, convertedObjects: [] } })],
  ['has no list', (good) => ({ ...good, response: { ...good.response, convertedObjects: undefined } })],
  ['has too many', (good) => ({ ...good, response: { ...good.response, convertedObjects: [{}, {}] } })],
  ['has a text', (good) => ({ ...good, response: { ...good.response, convertedObjects: ['x'] } })],
  ['has null', (good) => ({ ...good, response: { ...good.response, convertedObjects: [null] } })],
  ['has something of no kind', (good) => ({ ...good, response: { ...good.response, convertedObjects: [{}] } })],
  ['changes nothing', object((o) => (o['apiVersion'] = String(o['apiVersion']).replace('/v2', '/v1')))],
  ['has no version', object((o) => delete o['apiVersion'])],
  ['changes the kind', object((o) => (o['kind'] = 'Other'))],
  ['changes the name', object((o) => (o.metadata['name'] = 'z'))],
  ['changes the namespace', object((o) => (o.metadata['namespace'] = 'z'))],
  ['changes the uid', object((o) => (o.metadata['uid'] = 'z'))],
  ['drops the metadata', object((o) => delete (o as Partial<typeof o>).metadata)],
  ['has a list of labels', object((o) => (o.metadata['labels'] = ['a']))],
  ['has a number for a label', object((o) => (o.metadata['labels'] = { a: 1 }))],
  ['has no text for an annotation', object((o) => (o.metadata['annotations'] = { a: null }))],
  ['has bad labels', object((o) => (o.metadata['labels'] = { 'a b': 'c d' }))],
  ['has bad annotations', object((o) => (o.metadata['annotations'] = { 'a b': 'c' }))],
  ['changes metadata', object((o) => Object.assign(o.metadata, CHANGED))],
  ['drops labels', object((o) => delete o.metadata['labels'])],
  ['adds fields', object((o) => (o['spec'] = { host: 'h', extra: 1, port: null }))],
  ['mistakes types', object((o) => (o['spec'] = { host: 7 }))],
];

const CHANGED = {
  generation: 99,
  creationTimestamp: null,
  resourceVersion: '1',
  finalizers: ['x/y'],
  ownerReferences: [],
  labels: { l: '1' },
  annotations: { n: '2' },
};

function object(
  change: (object: Record<string, unknown> & { metadata: Record<string, unknown> }) => unknown,
): (good: GoodReview) => GoodReview {
  return (good) => {
    for (const each of good.response?.convertedObjects ?? []) change(each);
    return good;
  };
}

it('a false answer of a conversion webhook is refused', async (s) => {
  await givenHosts(s, converter.client);
  await givenHost(s, FIRST, first('a', { address: 'x:1' }, { labels: { l: 'm' } }));
  for (const [name, lie] of lies) {
    s.remark(`the webhook ${name}`, null);
    converter.lie = lie;
    await s.get(`${SECOND}/a`);
  }
  await dismiss(s, 'hosts');
});

it('a webhook that answers no review is quoted', async (s) => {
  await givenHosts(s, converter.client);
  await givenHost(s, FIRST, first('a', { address: 'x:1' }));
  for (const [status, body] of [
    [500, 'broken'],
    [404, 'what?'],
    [400, 'no'],
    [403, 'no'],
    [
      400,
      '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no such version","reason":"BadRequest","code":400}',
    ],
    [200, '{"kind":"ConversionReview"'],
    [200, '[1]'],
  ] as const) {
    converter.raw = (response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body);
    };
    s.remark(`the webhook answers ${status} ${body}`, null);
    await s.get(`${SECOND}/a`);
  }
  await dismiss(s, 'hosts');
});
