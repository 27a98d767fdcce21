import { expect, it } from 'vitest';
import { CLUSTER_API_RULES, GroupMapping } from '../groups/mapping.js';
import { refusalOf } from '../requests/refusal.js';
import { translate } from '../requests/translator.js';
import { run } from '../testing/exchange.js';
import { protobufBodies } from './bodies.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const mapping = new GroupMapping(CLUSTER_API_RULES);
const translator = translate(mapping, { protobuf: protobufBodies(mapping) });

function field(number: number, content: string | Uint8Array): Buffer {
  const bytes = Buffer.from(content as string);
  const length = bytes.length < 0x80 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >>> 7];
  return Buffer.concat([Buffer.of((number << 3) | 2), Buffer.from(length), bytes]);
}

const object = (apiVersion: string, kind: string, ...message: Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from('k8s\0'),
    field(1, Buffer.concat([field(1, apiVersion), field(2, kind)])),
    field(2, Buffer.concat(message)),
  ]);

/** A Secret with an owner, and a Role with a rule, by the group that they name. */
const BODIES: readonly (readonly [string, string, (group: string, uid?: string) => Buffer])[] = [
  [
    'the owner of a Secret',
    '/api/v1/namespaces/n/secrets',
    (group, uid = '') => {
      const owner = field(13, field(5, `${group}/v1`));
      return object('v1', 'Secret', field(1, Buffer.concat([owner, ...(uid === '' ? [] : [field(5, uid)])])));
    },
  ],
  [
    'a rule of a Role',
    '/apis/rbac.authorization.k8s.io/v1/namespaces/n/roles',
    (group, uid = '') => {
      const metadata = field(1, uid === '' ? '' : field(5, uid));
      return object('rbac.authorization.k8s.io/v1', 'Role', metadata, field(2, field(2, group)));
    },
  ],
];

function sent(method: string, target: string, body: Buffer): Buffer | number | undefined {
  const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
  const request = translator.request({ method, target, headers });
  if ('refuse' in request) return request.refuse.status;
  try {
    return run(request.body(), [body]);
  } catch (error) {
    return refusalOf(error)?.status;
  }
}

it.each(BODIES)('a private group in %s is written back, and not created', (_, collection, body) => {
  expect(sent('POST', collection, body(P))).toBe(403);
  expect(sent('POST', collection, body(P, 'u'))).toBe(403);
  expect(sent('PUT', `${collection}/x`, body(P))).toBe(403);
  expect(sent('POST', collection, body(S))).toEqual(body(P));
  expect(sent('PUT', `${collection}/x`, body(P, 'u'))).toEqual(body(S, 'u'));
});

it('what managers of fields wrote is never refused', () => {
  // Field 17 has a number of two bytes.
  const encoded = (group: string): Buffer => {
    const managed = field(3, `${group}/v1`);
    const entry = Buffer.concat([Buffer.of(0x8a, 0x01, managed.length), managed]);
    return object('v1', 'Secret', field(1, entry));
  };
  expect(sent('POST', '/api/v1/namespaces/n/secrets', encoded(P))).toEqual(encoded(S));
});
