/** Bodies that are no JSON of a client: protobuf, answers of conversion webhooks, tables, and what is compressed. */
import { gzipSync } from 'node:zlib';
import { readTransport } from '@capstan/capi-operator';
import { transportMap } from '@capstan/capi-operator/testing';
import { ApiServer, tokenAuthenticator, type WebhookCaller } from '@capstan/apiserver';
import { systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import { CLUSTER_API_RULES, GroupMapping, translate } from '@capstan/translate';
import { protobufBodies } from '@capstan/translate/protobuf';
import { quietly } from './libraries.js';
import type { GrowthCase } from './measure.js';

const BODY = 3_000_000;
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const MAPS = '/api/v1/namespaces/default/configmaps';
const GROUP = 'converted.example.com';
const THINGS = `/apis/${GROUP}/v1/namespaces/default/things`;

const times = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join();

/** What the webhook answers, made for the review at hand. */
let answer: (uid: string) => string = () => '';
const webhooks: WebhookCaller = {
  call: ({ review }) => {
    const { uid } = (review as { readonly request: { readonly uid: string } }).request;
    return Promise.resolve({
      status: 200,
      contentType: 'application/json',
      body: Buffer.from(answer(uid)),
      durationMs: 1,
    });
  },
};

let fault: string | undefined;
const server = new ApiServer({
  onError: (error) => {
    fault ??= error instanceof Error ? error.message : 'unknown';
  },
  clock: new ManualClock(),
  random: systemRandom(),
  authenticate: tokenAuthenticator(new Map([['admin', { username: 'admin', groups: ['system:masters'] }]])),
  webhooks,
});

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly type?: string;
  readonly accept?: string;
}

async function send({ method, target, type = 'application/json', accept }: Sent, bytes?: Uint8Array): Promise<number> {
  const response = await server.handle({
    method,
    target,
    headers: { authorization: 'Bearer admin', 'content-type': type, ...(accept === undefined ? {} : { accept }) },
    body: bytes === undefined ? undefined : { type: 'bytes', bytes },
  });
  if (response.body.type === 'payload') response.body.chunks();
  if (fault !== undefined) throw new RangeError(`${method} ${target.slice(0, 80)}: ${fault}`);
  return response.status;
}

/** One field of a message: its tag, its length, what is in it. */
function field(number: number, content: Uint8Array | string): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from(varint((number << 3) | 2)), Buffer.from(varint(bytes.length)), bytes]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}

const MAGIC = Buffer.from('k8s\0');
const fields = (count: number, make: (index: number) => Buffer): Buffer =>
  Buffer.concat(Array.from({ length: count }, (_, index) => make(index)));

function message(kind: string, raw: Uint8Array, apiVersion = 'v1'): Buffer {
  return Buffer.concat([MAGIC, field(1, Buffer.concat([field(1, apiVersion), field(2, kind)])), field(2, raw)]);
}

const NAMED = field(1, field(1, 'x'));
/** What names no group is passed on unread. */
const OWNED = field(1, field(13, field(5, 'cluster.x-k8s.io/v1beta1')));
const entry = (key: string, value: string): Buffer => field(2, Buffer.concat([field(1, key), field(2, value)]));
const label = (index: number): Buffer => field(11, Buffer.concat([field(1, `l${index}`), field(2, 'v')]));

const nested = (levels: number): Buffer => {
  // From the inside out, each of them small: the text is as long as its levels.
  let inner: Buffer = Buffer.alloc(0);
  for (let level = 0; level < levels; level += 1) inner = field(9, inner);
  return inner;
};

const MESSAGES: Readonly<Record<string, readonly [bytesOfOne: number, raw: (size: number) => Buffer]>> = {
  entries: [14, (size) => Buffer.concat([NAMED, fields(size, (i) => entry(`k${i}`, 'v'))])],
  'one entry again and again': [10, (size) => Buffer.concat([NAMED, fields(size, () => entry('k', 'v'))])],
  labels: [16, (size) => field(1, Buffer.concat([field(1, 'x'), fields(size, label)]))],
  'metadata again and again': [6, (size) => fields(size, () => NAMED)],
  'unknown fields': [4, (size) => Buffer.concat([NAMED, fields(size, (i) => field(100 + (i % 1000), ''))])],
  'levels of an unknown field': [300, (size) => Buffer.concat([NAMED, nested(size)])],
  'a number without end': [1, (size) => Buffer.concat([NAMED, Buffer.alloc(size, 0xff)])],
  'groups that begin': [1, (size) => Buffer.concat([NAMED, Buffer.alloc(size, (9 << 3) | 3)])],
  'bytes that are no text': [
    1,
    (size) => Buffer.concat([NAMED, entry('k', ''), field(2, field(2, Buffer.alloc(size, 0xff)))]),
  ],
};

const MAPPING = new GroupMapping(CLUSTER_API_RULES);
const translator = translate(MAPPING, { protobuf: protobufBodies(MAPPING) });

function proxied(bytes: Uint8Array): unknown {
  const target = '/apis/apps/v1/namespaces/default/deployments';
  const request = translator.request({ method: 'POST', target, headers: { 'content-type': PROTOBUF } });
  const body = 'refuse' in request ? 'pass' : request.body();
  return body === 'pass' ? undefined : [...body.push(bytes), ...body.end()];
}

const MESSAGE_CASES = Object.entries(MESSAGES).flatMap(([name, [bytesOfOne, raw]]): GrowthCase[] => [
  {
    name: `protobuf of a client: ${name}`,
    most: BODY / bytesOfOne,
    prepare: (size) => {
      const bytes = message('ConfigMap', raw(size));
      return () => send({ method: 'POST', target: `${MAPS}?dryRun=All`, type: PROTOBUF }, bytes);
    },
  },
  {
    name: `protobuf through the proxy: ${name}`,
    most: BODY / bytesOfOne,
    prepare: (size) => {
      const bytes = message('Deployment', Buffer.concat([OWNED, raw(size)]), 'apps/v1');
      return quietly(() => proxied(bytes));
    },
  },
]);

const converted = (members: string): string =>
  `{"apiVersion":"${GROUP}/v2","kind":"Thing","metadata":{"name":"x","namespace":"default"},${members}}`;
const review = (uid: string, response: string): string =>
  `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","response":{"uid":"${uid}",${response}}}`;
const success = (uid: string, object: string): string =>
  review(uid, `"result":{"status":"Success"},"convertedObjects":[${object}]`);

const ANSWERS: Readonly<Record<string, readonly [bytesOfOne: number, make: (size: number, uid: string) => string]>> = {
  members: [12, (size, uid) => success(uid, converted(`"spec":{${times(size, (i) => `"k${i}":"v"`)}}`))],
  'one key again and again': [8, (size, uid) => success(uid, converted(times(size, () => '"a":1')))],
  'long integers': [
    22,
    (size, uid) => success(uid, converted(`"spec":{"l":[${times(size, () => '12345678901234567890')}]}`)),
  ],
  labels: [
    14,
    (size, uid) =>
      success(
        uid,
        converted(`"metadata":{"name":"x","namespace":"default","labels":{${times(size, (i) => `"!${i}":"!"`)}}}`),
      ),
  ],
  'objects that were not requested': [
    60,
    (size, uid) =>
      success(
        uid,
        times(size, () => converted('"spec":{}')),
      ),
  ],
  'a message': [1, (size, uid) => review(uid, `"result":{"status":"Failed","message":"${'x'.repeat(size)}"}`)],
  levels: [6, (size, uid) => success(uid, converted(`"spec":${'{"a":'.repeat(size)}1${'}'.repeat(size)}`))],
  'what is no review': [1, (size) => '['.repeat(size)],
};

const ANSWER_CASES = Object.entries(ANSWERS).map(([name, [bytesOfOne, make]]): GrowthCase => ({
  name: `answer of a conversion webhook: ${name}`,
  most: BODY / bytesOfOne,
  prepare: (size) => {
    // The identity of the review is as long every time: only its place is kept free.
    const [before = '', behind = ''] = make(size, '\0').split('\0');
    const isNamed = behind !== '';
    const given = (uid: string): string => (isNamed ? `${before}${uid}${behind}` : before);
    return () => {
      answer = given;
      return send({ method: 'GET', target: `${THINGS.replace('/v1/', '/v2/')}/x` });
    };
  },
}));

/** Columns that look everywhere, and multiply what they find. */
const PATHS = ['..a', '.spec.l[*]', '.spec.l[*].a', '......', `.spec.l${'[0,0]'.repeat(30)}`, '.spec.l[?(@.a==1)].b'];

const OBJECTS: Readonly<Record<string, readonly [bytesOfOne: number, spec: (size: number) => string]>> = {
  'a long list': [8, (size) => `{"l":[${times(size, () => '{"a":1}')}]}`],
  'many members': [12, (size) => `{${times(size, (i) => `"k${i}":{"a":1}`)}}`],
  'a deep value': [400, (size) => `{"l":[${times(size, () => `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`)}]}`],
};

const TABLE_CASES = Object.entries(OBJECTS).map(([name, [bytesOfOne, spec]]): GrowthCase => ({
  name: `columns of a table: ${name}`,
  most: 1_000_000 / bytesOfOne,
  prepare: (size) => {
    const body = Buffer.from(thing(spec(size)));
    // A dry run shows what it would have written, in a table as well.
    return () => send({ method: 'POST', target: `${THINGS}?dryRun=All`, accept: TABLE }, body);
  },
}));

const PACKED: GrowthCase = {
  name: 'a compressed transport ConfigMap',
  most: BODY / 4,
  prepare: (size) => {
    const binaryData = { x: gzipSync('# x\n'.repeat(size)).toString('base64') };
    return quietly(() => readTransport({ ...transportMap('x', []), data: {}, binaryData }));
  },
};

function thing(spec: string, name = 'y'): string {
  return `{"apiVersion":"${GROUP}/v1","kind":"Thing","metadata":{"name":"${name}"},"spec":${spec}}`;
}

/** Writes what these cases need. */
export async function prepareConverted(): Promise<void> {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const columns = PATHS.map((jsonPath, index) => ({ name: `c${index}`, type: 'string', jsonPath }));
  const version = (name: string): object => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: open } } },
    additionalPrinterColumns: columns,
  });
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${GROUP}` },
    spec: {
      group: GROUP,
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [version('v1'), version('v2')],
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://convert.example/' }, conversionReviewVersions: ['v1'] },
      },
    },
  };
  const written = [
    await send({ method: 'POST', target: CRDS }, Buffer.from(JSON.stringify(definition))),
    await send({ method: 'POST', target: THINGS }, Buffer.from(thing('{}', 'x'))),
  ];
  if (written.some((status) => status !== 201))
    throw new RangeError(`the server cannot be prepared: ${written.join()}`);
}

export const BODIES: readonly GrowthCase[] = [...MESSAGE_CASES, ...ANSWER_CASES, ...TABLE_CASES, PACKED];
