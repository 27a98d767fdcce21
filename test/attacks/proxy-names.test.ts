import { expect, it } from 'vitest';
import { askOverHttp } from '../proxy/ask.js';
import type { Fixture } from '../proxy/isolation/fixture.js';
import type { Answer, Ask } from '../translate/through.js';
import { inFixture } from './proxy-fixture.js';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';
const JSON_PATCH = 'application/json-patch+json';
const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';
const LIMIT_MS = 60_000;

/** Objects that grant power over a group, or point at something of it. */
function objects({
  hidden: group,
  namespace,
}: Fixture['names']): readonly (readonly [collection: string, object: object])[] {
  const roles = `${RBAC}/namespaces/${namespace}/roles`;
  const rule = { apiGroups: [group], resources: ['gadgets'], verbs: ['*'] };
  const named = { apiGroups: ['apiextensions.k8s.io'], resources: ['customresourcedefinitions'], verbs: ['delete'] };
  const clientConfig = { url: 'https://127.0.0.1:1/' };
  const webhook = { name: 'a.example.com', clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] };
  const ofWebhook = { operations: ['*'], apiGroups: [group], apiVersions: ['*'], resources: ['gadgets'] };
  const owner = {
    apiVersion: `${group}/v1`,
    kind: 'Gadget',
    name: 'same',
    uid: '00000000-0000-4000-8000-000000000000',
  };
  const scaleTargetRef = { apiVersion: `${group}/v1`, kind: 'Gadget', name: 'same' };
  const metadata = { name: `attack-${namespace}` };
  return [
    [roles, { metadata, rules: [rule] }],
    [roles, { metadata, rules: [{ ...named, resourceNames: [`gadgets.${group}`] }] }],
    [`${REGISTRATION}/validatingwebhookconfigurations`, { metadata, webhooks: [{ ...webhook, rules: [ofWebhook] }] }],
    [
      `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`,
      { metadata, spec: { maxReplicas: 1, scaleTargetRef } },
    ],
    [`/api/v1/namespaces/${namespace}/configmaps`, { metadata: { ...metadata, ownerReferences: [owner] } }],
  ];
}

function refused({ status, text }: Answer, message: RegExp): void {
  expect([status, text]).toEqual([403, expect.stringMatching(message)]);
  expect(JSON.parse(text)).toMatchObject({ kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403 });
}

const NOT_SERVED = /the API group .* is not served here/;

it('nothing that names a group of the platform is created', { timeout: LIMIT_MS }, () =>
  inFixture(async ({ direct, names, url }) => {
    const ask = askOverHttp(url);
    for (const [collection, object] of objects(names)) {
      const body = JSON.stringify(object);
      const at = `${collection}/attack-${names.namespace}`;
      refused(await ask(collection, { method: 'POST', body }), NOT_SERVED);
      refused(await ask(collection, { method: 'POST', body, type: 'application/yaml' }), NOT_SERVED);
      refused(await ask(at, { method: 'PUT', body }), NOT_SERVED);
      refused(await ask(`${at}?fieldManager=a`, { method: 'PATCH', body, type: APPLY }), NOT_SERVED);
      // With a UID the proxy takes it for what was read; a server creates nothing that has one.
      const known = JSON.stringify({ ...object, metadata: { ...(object as { metadata: object }).metadata, uid: 'u' } });
      expect([404, 409]).toContain((await ask(at, { method: 'PUT', body: known })).status);
      expect((await direct(at)).status).toBe(404);
    }
  }),
);

async function givenRole(ask: Ask, { namespace, standard }: Fixture['names']): Promise<string> {
  const collection = `${RBAC}/namespaces/${namespace}/roles`;
  const rule = { apiGroups: [standard], resources: ['gadgets'], resourceNames: ['a'], verbs: ['get'] };
  const metadata = { name: 'carried', annotations: { note: standard } };
  const body = JSON.stringify({ metadata, rules: [rule] });
  expect((await ask(collection, { method: 'POST', body })).status).toBe(201);
  return `${collection}/carried`;
}

it('no patch carries a name to where it means the platform', { timeout: LIMIT_MS }, () =>
  inFixture(async ({ direct, names, url }) => {
    const ask = askOverHttp(url);
    const at = await givenRole(ask, names);
    for (const op of ['copy', 'move'])
      for (const [from, path] of [
        ['/metadata/annotations/note', '/rules/0/apiGroups/0'],
        ['/metadata/annotations/note', '/rules/-1/apiGroups/-1'],
        ['/rules/0/apiGroups/0', '/metadata/annotations/other'],
        ['/rules/0/resources/0', '/rules/0/resourceNames/0'],
      ])
        refused(
          await ask(at, { method: 'PATCH', type: JSON_PATCH, body: JSON.stringify([{ op, from, path }]) }),
          /leads from where API groups are translated to where they are not/,
        );
    // Elements that are counted from the end are translated as any other.
    const last = JSON.stringify([{ op: 'replace', path: '/rules/-1/apiGroups/-1', value: names.standard }]);
    expect((await ask(at, { method: 'PATCH', type: JSON_PATCH, body: last })).status).toBe(200);
    const { rules } = JSON.parse((await direct(at)).text) as { rules: { apiGroups: string[] }[] };
    expect(rules.map(({ apiGroups }) => apiGroups)).toEqual([[names.hidden]]);
  }),
);

it('what names the platform and was read is written back as it was', { timeout: LIMIT_MS }, () =>
  inFixture(async ({ direct, names, url }) => {
    const ask = askOverHttp(url);
    const at = `/api/v1/namespaces/${names.namespace}/configmaps/platforms`;
    const stored = (await direct(at)).text;
    const read = (await ask(at)).text;
    expect(read).toContain(names.hidden);
    expect((await ask(at, { method: 'PUT', body: read })).status).toBe(200);
    const { ownerReferences } = (JSON.parse(read) as { metadata: { ownerReferences: object[] } }).metadata;
    const merge = JSON.stringify({ metadata: { ownerReferences } });
    expect((await ask(at, { method: 'PATCH', type: MERGE, body: merge })).status).toBe(200);
    const path = '/metadata/ownerReferences/0/apiVersion';
    const test = JSON.stringify([{ op: 'test', path, value: `${names.hidden}/v1` }]);
    expect((await ask(at, { method: 'PATCH', type: JSON_PATCH, body: test })).status).toBe(200);
    expect((await direct(at)).text).toBe(stored);
  }),
);
