/** Requests to the embedded server. */
import { ApiServer, tokenAuthenticator } from '@capstan/apiserver';
import { systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import type { GrowthCase } from './measure.js';

const BODY = 3_000_000;
const JSON_TYPE = 'application/json';
const MERGE = 'application/merge-patch+json';
const STRATEGIC = 'application/strategic-merge-patch+json';
const JSON_PATCH = 'application/json-patch+json';
const APPLY = 'application/apply-patch+yaml';
const YAML = 'application/yaml';
const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const THINGS = '/apis/growth.example.com/v1/namespaces/default/things';

function times(count: number, make: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => make(index)).join(',');
}

/** What went wrong in the server itself, the stack that was too short for one. */
let fault: string | undefined;

const server = new ApiServer({
  onError: (error) => {
    fault ??= error instanceof Error ? error.message : 'unknown';
  },
  clock: new ManualClock(),
  random: systemRandom(),
  authenticate: tokenAuthenticator(
    new Map([
      ['admin', { username: 'admin', groups: ['system:masters'] }],
      ['nobody', { username: 'nobody', groups: [] }],
    ]),
  ),
});

async function send(request: Sent, bytes: Uint8Array): Promise<number> {
  const { method = 'POST', target, type = JSON_TYPE, token = 'admin', headers = {} } = request;
  const response = await server.handle({
    method,
    target,
    headers: { authorization: `Bearer ${token}`, 'content-type': type, ...headers },
    body: bytes.length === 0 ? undefined : { type: 'bytes', bytes },
  });
  if (response.body.type === 'payload') response.body.chunks();
  if (fault !== undefined) throw new RangeError(`${method} ${target.slice(0, 80)}: ${fault}`);
  return response.status;
}

interface Sent {
  readonly method?: string;
  readonly target: string;
  readonly type?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request whose body is made of so many parts of so many bytes; the server itself must not fail. */
function request(name: string, sent: Sent, bytesOfOne: number, body: (size: number) => string): GrowthCase {
  const prepare = (size: number): (() => unknown) => {
    const bytes = Buffer.from(body(size));
    return () => send(sent, bytes);
  };
  return { name: `${sent.method ?? 'POST'} ${sent.type ?? JSON_TYPE}: ${name}`, most: BODY / bytesOfOne, prepare };
}

const dry = (path: string, more = ''): string => `${path}?dryRun=All&fieldManager=growth${more}`;
const map = (members: string): string => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},${members}}`;
const thing = (spec: string, name = 'x'): string =>
  `{"apiVersion":"growth.example.com/v1","kind":"Thing","metadata":{"name":"${name}"},"spec":${spec}}`;
const pod = (spec: string): string =>
  `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":{"containers":[{"name":"a","image":"a"}],${spec}}}`;
const deep = (levels: number, inner: string): string => `${'{"a":'.repeat(levels)}${inner}${'}'.repeat(levels)}`;
const entries = (size: number): string => `{"items":[${times(size, (i) => `{"name":"n${i}","v":${i}}`)}]}`;

const VALIDATIONS = ['Ignore', 'Warn', 'Strict'] as const;

const CREATED: readonly GrowthCase[] = VALIDATIONS.flatMap((validation) => {
  const maps = { target: dry(MAPS, `&fieldValidation=${validation}`) };
  const things = { target: dry(THINGS, `&fieldValidation=${validation}`) };
  const it = (name: string, sent: Sent, bytes: number, body: (size: number) => string): GrowthCase =>
    request(`${name}, ${validation}`, sent, bytes, body);
  return [
    it('one key again and again', maps, 10, (size) => map(`"data":{${times(size, () => '"a":"b"')}}`)),
    it('many keys, each twice', maps, 25, (size) => map(`"data":{${times(size, (i) => `"a${i}":"b","a${i}":"c"`)}}`)),
    it('unknown fields', maps, 12, (size) => map(times(size, (i) => `"a${i}":"b"`))),
    it('unknown fields, each twice', maps, 25, (size) =>
      map(`"data":{"a":"1","a":"2"},${times(size, (i) => `"a${i}":1,"a${i}":1`)}`),
    ),
    it('keys below a deep unknown field', maps, 12, (size) =>
      map(`"y":1,"data":{"a":"1","a":"2"},"z":${deep(2000, `{${times(size, (i) => `"k${i}":1`)}}`)}`),
    ),
    it('a key of a custom resource again and again', things, 10, (size) => thing(`{${times(size, () => '"any":{}')}}`)),
    it('unknown fields of a custom resource', things, 12, (size) => thing(`{${times(size, (i) => `"a${i}":"b"`)}}`)),
    it(
      'one key again and again in YAML',
      { ...maps, type: YAML },
      7,
      (size) => `kind: ConfigMap\ndata:\n${'  a: b\n'.repeat(size)}`,
    ),
  ];
});

const labels = (size: number): string => `"labels":{${times(size, (i) => `"l${i}":"v"`)}}`;
const META = (members: string): string => `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x",${members}}}`;

const OBJECTS: readonly GrowthCase[] = [
  request('labels', { target: dry(MAPS) }, 12, (size) => META(labels(size))),
  request('labels that are none', { target: dry(MAPS) }, 12, (size) =>
    META(`"labels":{${times(size, (i) => `"!${i}":"!"`)}}`),
  ),
  request('finalizers', { target: dry(MAPS) }, 12, (size) =>
    META(`"finalizers":[${times(size, (i) => `"a.b/f${i}"`)}]`),
  ),
  request('owners', { target: dry(MAPS) }, 60, (size) =>
    META(`"ownerReferences":[${times(size, (i) => `{"apiVersion":"v1","kind":"A","name":"n${i}","uid":"${i}"}`)}]`),
  ),
  request('managed fields', { target: dry(MAPS) }, 120, (size) =>
    META(
      `"managedFields":[${times(size, (i) => `{"manager":"m${i}","operation":"Update","apiVersion":"v1","time":"2024-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{}}}`)}]`,
    ),
  ),
  request('a long name', { target: dry(MAPS) }, 2, (size) => map(`"metadata":{"name":"${'a-'.repeat(size)}"}`)),
  request('volumes', { target: dry(PODS) }, 30, (size) =>
    pod(`"volumes":[${times(size, (i) => `{"name":"v${i}","emptyDir":{}}`)}]`),
  ),
  request('paths of a volume', { target: dry(PODS) }, 30, (size) =>
    pod(
      `"volumes":[{"name":"v","configMap":{"name":"c","items":[${times(size, (i) => `{"key":"k","path":"p${i}"}`)}]}}]`,
    ),
  ),
  request('one path of a volume again and again', { target: dry(PODS) }, 30, (size) =>
    pod(`"volumes":[{"name":"v","configMap":{"name":"c","items":[${times(size, () => '{"key":"k","path":"p"}')}]}}]`),
  ),
  request('sources of a volume', { target: dry(PODS) }, 60, (size) =>
    pod(
      `"volumes":[{"name":"v","projected":{"sources":[${times(size, (i) => `{"configMap":{"name":"c","items":[{"key":"k","path":"p${i}"}]}}`)}]}}]`,
    ),
  ),
  request(
    'containers',
    { target: dry(PODS) },
    40,
    (size) =>
      `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":{"containers":[${times(size, (i) => `{"name":"c${i}","image":"a"}`)}]}}`,
  ),
  request(
    'ports',
    { target: dry(PODS) },
    30,
    (size) =>
      `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":{"containers":[{"name":"c","image":"a","ports":[${times(size, (i) => `{"containerPort":${(i % 65535) + 1}}`)}]}]}}`,
  ),
  request(
    'variables',
    { target: dry(PODS) },
    30,
    (size) =>
      `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"},"spec":{"containers":[{"name":"c","image":"a","env":[${times(size, (i) => `{"name":"E${i}","value":"x"}`)}]}]}}`,
  ),
  request('tolerations', { target: dry(PODS) }, 40, (size) =>
    pod(`"tolerations":[${times(size, (i) => `{"key":"k${i}","operator":"Exists"}`)}]`),
  ),
  request('entries of an associative list', { target: dry(THINGS) }, 20, (size) => thing(entries(size))),
  request('entries of a set', { target: dry(THINGS) }, 8, (size) =>
    thing(`{"set":[${times(size, (i) => `"s${i}"`)}]}`),
  ),
  request('one entry of a set again and again', { target: dry(THINGS) }, 8, (size) =>
    thing(`{"set":[${times(size, () => '"s"')}]}`),
  ),
  request('a text with a pattern', { target: dry(THINGS) }, 1, (size) => thing(`{"pattern":"${'a'.repeat(size)}!"}`)),
  request('numbers with points', { target: dry(THINGS) }, 10, (size) =>
    thing(`{"any":{"l":[${times(size, () => '1.0')}]}}`),
  ),
  request('properties of a schema', { target: dry(CRDS) }, 30, (size) =>
    crd(`{"type":"object","properties":{${times(size, (i) => `"p${i}":{"type":"string"}`)}}}`),
  ),
  request('alternatives of a schema', { target: dry(CRDS) }, 30, (size) =>
    crd(`{"type":"object","allOf":[${times(size, () => '{"properties":{}}')}]}`),
  ),
  request(
    'keys of YAML',
    { target: dry(MAPS), type: YAML },
    12,
    (size) =>
      `kind: ConfigMap\ndata:\n${'x'.repeat(0)}${Array.from({ length: size }, (_, i) => `  k${i}: v\n`).join('')}`,
  ),
  request(
    'aliases of YAML',
    { target: dry(MAPS), type: YAML },
    4,
    (size) => `a: &a [1,2,3,4]\nb: [${times(size, () => '*a')}]\n`,
  ),
  request('aliases of aliases of YAML', { target: dry(MAPS), type: YAML }, 60, (size) =>
    Array.from({ length: size }, (_, i) =>
      i === 0 ? 'a0: &a0 [1]\n' : `a${i}: &a${i} [*a${i - 1},*a${i - 1}]\n`,
    ).join(''),
  ),
  request('one long word of YAML', { target: dry(MAPS), type: YAML }, 1, (size) => `a: ${'x'.repeat(size)}`),
  request('brackets of YAML', { target: dry(MAPS), type: YAML }, 2, (size) => `[${'[],'.repeat(size / 2)}]`),
];

function crd(schema: string): string {
  const names = '"names":{"plural":"others","singular":"other","kind":"Other","listKind":"OtherList"}';
  const versions = `"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":${schema}}}]`;
  return `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"others.growth.example.com"},"spec":{"group":"growth.example.com","scope":"Namespaced",${names},${versions}}}`;
}

const patch = (type: string, target: string, more = ''): Sent => ({ method: 'PATCH', type, target: dry(target, more) });
const OPERATIONS = 10_000;
const most = (each: GrowthCase): GrowthCase => ({ ...each, most: OPERATIONS });

const PATCHES: readonly GrowthCase[] = [
  most(
    request(
      'operations',
      patch(JSON_PATCH, `${MAPS}/large`),
      1,
      (size) => `[${times(size, (i) => `{"op":"add","path":"/data/k${i}","value":"v"}`)}]`,
    ),
  ),
  most(
    request(
      'operations with numbers with points',
      patch(JSON_PATCH, `${THINGS}/large`),
      1,
      (size) => `[${times(size, (i) => `{"op":"add","path":"/spec/any/k${i}","value":1.0}`)}]`,
    ),
  ),
  most(
    request(
      'operations with keys that come twice',
      patch(JSON_PATCH, `${THINGS}/large`),
      1,
      (size) => `[${times(size, (i) => `{"op":"add","path":"/spec/any/k${i}","value":{"a":1,"a":2}}`)}]`,
    ),
  ),
  most(
    request(
      'unknown fields of operations',
      patch(JSON_PATCH, `${MAPS}/large`),
      1,
      (size) => `[{"op":"test","path":"/x",${times(size, (i) => `"f${i}":1`)}}]`,
    ),
  ),
  request('members', patch(MERGE, `${MAPS}/large`), 12, (size) => `{"data":{${times(size, (i) => `"k${i}":"v"`)}}}`),
  request(
    'numbers with points',
    patch(MERGE, `${THINGS}/large`),
    12,
    (size) => `{"spec":{"any":{${times(size, (i) => `"k${i}":1.0`)}}}}`,
  ),
  request(
    'unknown fields of a custom resource',
    patch(MERGE, `${THINGS}/large`),
    12,
    (size) => `{"spec":{${times(size, (i) => `"k${i}":"v"`)}}}`,
  ),
  request(
    'finalizers',
    patch(STRATEGIC, `${MAPS}/large`),
    12,
    (size) =>
      `{"metadata":{"$setElementOrder/finalizers":[${times(size, (i) => `"a.b/${i}"`)}],"finalizers":[${times(size, (i) => `"a.b/${i}"`)}]}}`,
  ),
  request(
    'owners',
    patch(STRATEGIC, `${MAPS}/large`),
    60,
    (size) =>
      `{"metadata":{"ownerReferences":[${times(size, (i) => `{"apiVersion":"v1","kind":"A","name":"n${i}","uid":"${i}"}`)}]}}`,
  ),
  request('entries of an associative list', patch(APPLY, `${THINGS}/large`, '&force=true'), 20, (size) =>
    thing(entries(size), 'large'),
  ),
  request(
    'one entry of an associative list again and again',
    patch(APPLY, `${THINGS}/large`, '&force=true'),
    20,
    (size) => thing(`{"items":[${times(size, () => '{"name":"a"}')}]}`, 'large'),
  ),
  request('entries of a set', patch(APPLY, `${THINGS}/large`, '&force=true'), 8, (size) =>
    thing(`{"set":[${times(size, (i) => `"s${i}"`)}]}`, 'large'),
  ),
  request('one key again and again', patch(APPLY, `${THINGS}/large`, '&force=true'), 8, (size) =>
    thing(`{${times(size, () => '"any":{}')}}`, 'large'),
  ),
];

function head(name: string, bytesOfOne: number, make: (size: number) => Partial<Sent>): GrowthCase {
  const prepare = (size: number): (() => unknown) => {
    const sent = { method: 'GET', target: MAPS, ...make(size) };
    return () => send(sent, new Uint8Array(0));
  };
  return { name: `head: ${name}`, most: 500_000 / bytesOfOne, prepare };
}

const HEADS: readonly GrowthCase[] = [
  head('values of a label selector', 5, (size) => ({
    target: `${MAPS}?labelSelector=a+in+(${times(size, (i) => `v${i}`)})`,
  })),
  head('requirements of a label selector', 6, (size) => ({
    target: `${MAPS}?labelSelector=${times(size, (i) => `a${i}!=b`)}`,
  })),
  head('terms of a field selector', 16, (size) => ({
    target: `${MAPS}?fieldSelector=${times(size, () => 'metadata.name!=x')}`,
  })),
  head('parameters', 4, (size) => ({ target: `${MAPS}?${'a=b&'.repeat(size)}` })),
  head('one parameter again and again', 8, (size) => ({ target: `${MAPS}?${'limit=1&'.repeat(size)}` })),
  head('escapes', 3, (size) => ({ target: `${MAPS}?labelSelector=${'%20'.repeat(size)}` })),
  head('parts of a path', 2, (size) => ({ target: `/api/v1/${'a/'.repeat(size)}` })),
  head('slashes', 1, (size) => ({ target: `/${'/'.repeat(size)}` })),
  head('a continue token', 1, (size) => ({ target: `${MAPS}?limit=1&continue=${'a'.repeat(size)}` })),
  head('a resource version', 1, (size) => ({ target: `${MAPS}?resourceVersion=${'9'.repeat(size)}x` })),
  head('clauses of Accept', 8, (size) => ({ headers: { accept: times(size, (i) => `a/b;q=0.${i}`) } })),
  head('spaces of Accept', 1, (size) => ({ headers: { accept: `a${' '.repeat(size)}/b` } })),
  head('digits of Accept', 1, (size) => ({ headers: { accept: `a/b;q=${'1'.repeat(size)}x` } })),
  head('parameters of Accept', 4, (size) => ({ headers: { accept: `application/json${';a=b'.repeat(size)}` } })),
  head('a token', 1, (size) => ({ token: `${'a'.repeat(size)}.b.c` })),
  head('groups to impersonate', 3, (size) => ({
    headers: { 'impersonate-user': 'a', 'impersonate-group': times(size, (i) => `g${i}`) },
  })),
];

const STRUCTURAL = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
        set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
        pattern: { type: 'string', pattern: '^(a+)+$' },
        items: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name'],
            properties: { name: { type: 'string' }, v: { type: 'integer' } },
          },
        },
      },
    },
  },
};

/** Writes what the requests need. */
export async function prepareServer(): Promise<void> {
  const definition = crd(JSON.stringify(STRUCTURAL)).replaceAll('other', 'thing').replaceAll('Other', 'Thing');
  const keys = times(2000, (i) => `"k${i}":"v"`);
  const large = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"large"},"data":{${keys}}}`;
  const written = [
    await send({ target: CRDS }, Buffer.from(definition)),
    await send({ target: MAPS }, Buffer.from(large)),
    await send({ target: THINGS }, Buffer.from(thing(`{"any":{},${entries(2000).slice(1)}`, 'large'))),
  ];
  if (written.some((status) => status !== 201))
    throw new RangeError(`the server cannot be prepared: ${written.join()}`);
}

/** Requests of an account without permissions, and of an anonymous client: their bodies are not read. */
export const REFUSED: readonly GrowthCase[] = ['nobody', 'wrong'].map((token) =>
  request(`sent by ${token}`, { target: MAPS, token }, 6, (size) => `{${times(size, () => '"a":1')}}`),
);

export const REQUESTS: readonly GrowthCase[] = [...CREATED, ...OBJECTS, ...PATCHES, ...HEADS, ...REFUSED];
