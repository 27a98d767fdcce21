import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiServer } from '@capstan/apiserver';
import type { Transport } from '@capstan/meta';
import { tokenAuthenticator } from '@capstan/apiserver';
import { embeddedServer, isReal, overHttps } from '../src/conformance/backend.js';

const admin = { username: 'admin', groups: ['system:masters'] };
const TYPES = [
  'application/json',
  'application/yaml',
  'application/merge-patch+json',
  'application/json-patch+json',
  'application/strategic-merge-patch+json',
  'text/plain',
  '',
];

const segment = fc.oneof(
  fc.constantFrom(
    'api',
    'apis',
    'v1',
    'namespaces',
    'default',
    'pods',
    'configmaps',
    'apps',
    'deployments',
    'x',
    'status',
    'scale',
    'watch',
    'finalize',
    'binding',
    '__proto__',
    'constructor',
    '..',
    '%00',
    '%zz',
    '%2f',
    '',
  ),
  fc.string({ maxLength: 6 }).map(encodeURIComponent),
);
const query = fc.tuple(
  fc.constantFrom(
    'limit',
    'continue',
    'labelSelector',
    'fieldSelector',
    'resourceVersion',
    'resourceVersionMatch',
    'dryRun',
    'fieldValidation',
    'includeObject',
    'timeoutSeconds',
    'timeout',
    'gracePeriodSeconds',
    'propagationPolicy',
    'pretty',
    '__proto__',
  ),
  fc.oneof(
    fc.constantFrom('0', '1', '-1', 'All', 'Exact', 'Strict', 'a=b', 'a in (b)', '9999999999999999999999', 'null'),
    fc.string({ maxLength: 12 }),
  ),
);
const body = fc.oneof(
  fc.constant(undefined),
  fc.json({ maxDepth: 4 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 60 }),
  fc
    .record(
      {
        apiVersion: fc.constantFrom('v1', 'apps/v1', 1),
        kind: fc.constantFrom('Pod', 'ConfigMap', 'Deployment', 'DeleteOptions', null),
        metadata: fc.oneof(
          fc.object({ maxDepth: 1 }),
          fc.constantFrom({ name: 'x' }, { name: 'y', finalizers: ['a/b'] }, null, []),
        ),
        spec: fc.jsonValue({ maxDepth: 3 }),
        data: fc.jsonValue({ maxDepth: 2 }),
      },
      { requiredKeys: [] },
    )
    .map((value) => Buffer.from(JSON.stringify(value))),
  fc
    .array(
      fc.record(
        {
          op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'x'),
          path: fc.constantFrom('/data', '/metadata/name', '', '/__proto__/a', '/spec/-', '/data/~2'),
          from: fc.constantFrom('/data', '/metadata', ''),
          value: fc.jsonValue({ maxDepth: 2 }),
        },
        { requiredKeys: ['op'] },
      ),
      { maxLength: 3 },
    )
    .map((value) => Buffer.from(JSON.stringify(value))),
);
const request = fc.record({
  method: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
  path: fc.oneof(
    fc.array(segment, { maxLength: 7 }).map((segments) => `/${segments.join('/')}`),
    fc.constantFrom(
      '/api/v1/namespaces/default/configmaps',
      '/api/v1/namespaces/default/configmaps/x',
      '/api/v1/namespaces/default/pods',
      '/api/v1/namespaces/default/pods/x',
      '/apis/apps/v1/namespaces/default/deployments',
      '/apis/apps/v1/namespaces/default/deployments/x/scale',
      '/api/v1/namespaces/default/pods/x/binding',
    ),
  ),
  queries: fc.array(query, { maxLength: 3 }),
  type: fc.constantFrom(...TYPES),
  accept: fc.constantFrom(
    'application/json',
    '*/*',
    'application/json;as=Table;v=v1;g=meta.k8s.io',
    'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    'text/html',
    ',;=',
    'application/yaml',
  ),
  body,
});

/** For any input there is an answer, it is not an internal error, and the store stays whole. */
describe.skipIf(isReal)('garbage', () => {
  const blamed: unknown[] = [];
  let server: ApiServer;
  let close: () => Promise<void> = () => Promise.resolve();
  let https: Transport;

  beforeAll(async () => {
    server = embeddedServer({
      authenticate: tokenAuthenticator(new Map([['admin-token', admin]])),
      onError: (error) => blamed.push(error),
    });
    const connected = await overHttps(server);
    https = connected.transport;
    close = () => connected.close();
  });
  afterAll(() => close());

  async function throwAt(send: Transport['send'], numRuns: number): Promise<void> {
    await fc.assert(
      fc.asyncProperty(request, async ({ method, path, queries, type, accept, body: bytes }) => {
        const target = queries.length === 0 ? path : `${path}?${new URLSearchParams(queries).toString()}`;
        const sent = bytes === undefined ? undefined : ({ type: 'bytes', bytes } as const);
        const response = await send({ method, target, headers: { accept, 'content-type': type }, body: sent });
        if (response.body.type === 'watch') response.body.stop();
        const text = response.body.type === 'payload' ? Buffer.concat(response.body.chunks()).toString('utf8') : '';
        expect(blamed).toEqual([]);
        expect(text).not.toContain('"reason":"InternalError"');
        expect(response.status).toBeLessThan(600);
      }),
      { numRuns, endOnFailure: true },
    );
    // What was taken in by chance can still be read, whole.
    for (const { resource } of server.snapshot().resources) {
      for (const stored of server.store.list(resource).items) {
        expect(JSON.parse(Buffer.from(stored.bytes()).toString('utf8'))).toEqual(
          JSON.parse(JSON.stringify(stored.object())),
        );
      }
    }
  }

  test('does not harm the server in this process', () =>
    throwAt((sent) => server.send({ ...sent, user: admin }), 1500));

  test('does not harm the server behind TLS', () => throwAt((sent) => https.send(sent), 300));
});
