import { describe, expect, it } from 'vitest';
import { GROUP, widget, widgetsPath } from './testing.js';
import { establishedWidgets, type GoodReview, type SentReview } from './testing-converter.js';

const WEBHOOK = `conversion webhook for ${GROUP}/v1, Kind=Widget`;
const QUALIFIED =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

type Lie = (good: GoodReview, review: SentReview) => unknown;

/** Changes the first object. */
function withObject(change: (object: Record<string, unknown> & { metadata: Record<string, unknown> }) => void): Lie {
  return (good) => {
    change(good.response.convertedObjects[0] as never);
    return good;
  };
}

function withResponse(change: object): Lie {
  return (good) => ({ ...good, response: { ...good.response, ...change } });
}

const cases: readonly [name: string, lie: Lie, message: string][] = [
  [
    'a failure without words',
    withResponse({ result: { status: 'Failure' } }),
    `${WEBHOOK} failed: response.result.status was 'Failure', not 'Success'`,
  ],
  ['no result', withResponse({ result: undefined }), `${WEBHOOK} failed: response.result.status was '', not 'Success'`],
  ['a failure', withResponse({ result: { status: 'Failure', message: 'no' } }), `${WEBHOOK} failed: no`],
  ['no response', (good) => ({ ...good, response: undefined }), `${WEBHOOK} failed: no response provided`],
  [
    'another kind',
    (good) => ({ ...good, kind: 'Foo' }),
    `${WEBHOOK} failed: no kind "Foo" is registered for version "apiextensions.k8s.io/v1" in scheme "pkg/runtime/scheme.go:111"`,
  ],
  [
    'a CRD',
    (good) => ({ ...good, kind: 'CustomResourceDefinition' }),
    `${WEBHOOK} failed: converting (v1.CustomResourceDefinition) to (v1.ConversionReview): unknown conversion`,
  ],
  [
    'another version',
    (good) => ({ ...good, apiVersion: 'apiextensions.k8s.io/v1beta1' }),
    `${WEBHOOK} failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion`,
  ],
  [
    'no kind',
    ({ kind: _kind, ...rest }) => rest,
    `${WEBHOOK} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind=`,
  ],
  ['no objects', withResponse({ convertedObjects: [] }), `${WEBHOOK} returned 0 objects, expected 1`],
  ['nothing for objects', withResponse({ convertedObjects: null }), `${WEBHOOK} returned 0 objects, expected 1`],
  [
    'two objects',
    (good) => withResponse({ convertedObjects: [1, 2] })(good, {} as SentReview),
    `${WEBHOOK} returned 2 objects, expected 1`,
  ],
  [
    'a text',
    withResponse({ convertedObjects: ['x'] }),
    'json: cannot unmarshal string into Go value of type map[string]interface {}',
  ],
  [
    'a list',
    withResponse({ convertedObjects: [[1]] }),
    'json: cannot unmarshal array into Go value of type map[string]interface {}',
  ],
  ['null', withResponse({ convertedObjects: [null] }), 'unexpected end of JSON input'],
  ['an object of no kind', withResponse({ convertedObjects: [{}] }), "Object 'Kind' is missing in '{}'"],
  [
    'the object as it was',
    (good, { request }) => withResponse({ convertedObjects: request.objects })(good, {} as SentReview),
    `${WEBHOOK} returned invalid object at index 0: invalid groupVersion (expected ${GROUP}/v2, received ${GROUP}/v1)`,
  ],
  [
    'no version',
    withObject((object) => delete object['apiVersion']),
    `${WEBHOOK} returned invalid object at index 0: invalid groupVersion (expected ${GROUP}/v2, received )`,
  ],
  [
    'an object of another kind',
    withObject((object) => void (object['kind'] = 'Other')),
    `${WEBHOOK} returned invalid object at index 0: invalid kind (expected Widget, received Other)`,
  ],
  [
    'another name',
    withObject(({ metadata }) => void (metadata['name'] = 'z')),
    `${WEBHOOK} returned invalid object: must have the same name: a != z`,
  ],
  [
    'another namespace',
    withObject(({ metadata }) => void (metadata['namespace'] = 'z')),
    `${WEBHOOK} returned invalid object: must have the same namespace: default != z`,
  ],
  [
    'no metadata',
    withObject((object) => delete (object as Record<string, unknown>)['metadata']),
    `${WEBHOOK} returned invalid object: must have the same name: a != `,
  ],
  [
    'labels that are a list',
    withObject(({ metadata }) => void (metadata['labels'] = ['s'])),
    `${WEBHOOK} returned invalid metadata: invalid metadata.labels of type []interface {} in converted object`,
  ],
  [
    'labels that are numbers',
    withObject(({ metadata }) => void (metadata['labels'] = { a: 1 })),
    `${WEBHOOK} returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object`,
  ],
  [
    'bad annotations',
    withObject(({ metadata }) => void (metadata['annotations'] = { 'a b': 'c' })),
    `${WEBHOOK} returned invalid metadata: metadata.annotation: Invalid value: "a b": ${QUALIFIED}`,
  ],
  [
    'something that is no JSON',
    () => '{',
    `${WEBHOOK} failed: couldn't get version/kind; json parse error: unexpected end of JSON input`,
  ],
];

describe('a conversion webhook that lies', () => {
  it.each(cases)('is found out: %s', async (_name, lie, message) => {
    const { fixture, converter } = await establishedWidgets();
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    converter.lie = lie;
    const { status, body } = await fixture.send('GET', `${widgetsPath('v2')}/a`);
    expect([status, body.message]).toEqual([500, message]);
  });

  it('is not waited for for ever', async () => {
    const { fixture, converter } = await establishedWidgets();
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    converter.lie = () => undefined;
    converter.silence = { error: 'Post "https://x": context deadline exceeded', isTimeout: true, durationMs: 30_000 };
    expect((await fixture.send('GET', `${widgetsPath('v2')}/a`)).body.message).toBe(
      `${WEBHOOK} failed: Post "https://x": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    );
  });

  it('is found out by its uid', async () => {
    const { fixture, converter } = await establishedWidgets();
    const made = await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    converter.lie = withResponse({ uid: 'another' });
    const { body } = await fixture.send('GET', `${widgetsPath('v2')}/a`);
    const asked = converter.reviews[0]?.request.uid;
    expect(body.message).toBe(`${WEBHOOK} failed: expected response.uid="${asked}", got "another"`);
    converter.lie = withObject(({ metadata }) => void (metadata['uid'] = 'z'));
    const stolen = await fixture.send('GET', `${widgetsPath('v2')}/a`);
    expect(stolen.body.message).toBe(
      `${WEBHOOK} returned invalid object: must have the same UID: ${made.body.metadata.uid} != z`,
    );
  });

  it('is reported with the object that was wrong', async () => {
    const { fixture, converter } = await establishedWidgets();
    for (const name of ['a', 'b']) await fixture.send('POST', widgetsPath(), widget(name, { address: 'x:1' }));
    converter.lie = (good) => {
      (good.response.convertedObjects[1] as { kind: string }).kind = 'Other';
      return good;
    };
    expect((await fixture.send('GET', widgetsPath('v2'))).body.message).toBe(
      `${WEBHOOK} returned invalid converted object at index 1: invalid kind (expected Widget, received Other)`,
    );
  });

  it('may change labels and annotations, and nothing else of the metadata', async () => {
    const { fixture, converter } = await establishedWidgets();
    const made = await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    converter.lie = withObject(({ metadata }) => {
      Object.assign(metadata, { generation: 99, finalizers: ['x/y'], labels: { l: '1' }, annotations: { n: '2' } });
      delete metadata['creationTimestamp'];
    });
    const { body } = await fixture.send('GET', `${widgetsPath('v2')}/a`);
    expect(body.metadata).toEqual({ ...made.body.metadata, labels: { l: '1' }, annotations: { n: '2' } });
    const selected = await fixture.send('GET', `${widgetsPath('v2')}?labelSelector=l%3D1`);
    expect(selected.body.items).toHaveLength(1);
  });

  it('cannot smuggle in what the version does not know', async () => {
    const { fixture, converter } = await establishedWidgets();
    await fixture.send('POST', widgetsPath(), widget('a', { address: 'x:1' }));
    converter.lie = withObject((object) => void (object['spec'] = { host: 'h', extra: 1, port: null }));
    expect((await fixture.send('GET', `${widgetsPath('v2')}/a`)).body.spec).toEqual({ host: 'h' });
  });
});
