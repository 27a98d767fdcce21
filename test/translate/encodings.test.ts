import { jsonOfProtobuf, protobufOfJson } from '@capstan/apiserver';
import { CLUSTER_API_RULES, GroupMapping, TranslationError, refusalOf, translate } from '@capstan/translate';
import type { Body, TranslatedRequest } from '@capstan/translate';
import { protobufBodies } from '@capstan/translate/protobuf';
import { yamlBodies } from '@capstan/translate/yaml';
import { describe, expect, it } from 'vitest';

const STANDARD = 'cluster.x-k8s.io';
const PRIVATE = 'cluster.hypershift.openshift.io';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const mapping = new GroupMapping(CLUSTER_API_RULES);
const translator = translate(mapping, { protobuf: protobufBodies(mapping), yaml: yamlBodies(mapping) });

function asked(method: string, target: string, headers: Readonly<Record<string, string>>): TranslatedRequest {
  const request = translator.request({ method, target, headers });
  if ('refuse' in request) throw new TypeError(`refused: ${JSON.stringify(request.refuse)}`);
  return request;
}

function through(body: Body, bytes: Uint8Array): Buffer {
  if (body === 'pass') return Buffer.from(bytes);
  const half = bytes.length >> 1;
  return Buffer.concat([...body.push(bytes.subarray(0, half)), ...body.push(bytes.subarray(half)), ...body.end()]);
}

const typed = (object: object): Uint8Array => protobufOfJson(object as { apiVersion: string; kind: string });

const secret = (group: string): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name: 'c-kubeconfig',
    ownerReferences: [{ apiVersion: `${group}/v1beta2`, kind: 'Cluster', name: 'c', uid: 'u' }],
  },
  type: `${STANDARD}/secret`,
});

describe('protobuf through a translator of requests', () => {
  it('vector 8: is stored under the private name, and answered under the standard one', () => {
    const request = asked('POST', '/api/v1/namespaces/n/secrets', {
      'content-type': PROTOBUF,
      accept: `${PROTOBUF},*/*`,
    });
    expect(request.headers['accept']).toContain(PROTOBUF);
    const sent = through(request.body(), typed(secret(STANDARD)));
    expect(sent.equals(typed(secret(PRIVATE)))).toBe(true);
    const response = request.response(201, { 'content-type': PROTOBUF, 'content-length': String(sent.length) });
    expect(response.headers['content-length']).toBeUndefined();
    expect(through(response.body, sent).equals(typed(secret(STANDARD)))).toBe(true);
  });

  it('translates an embedded object in the way that JSON has it', () => {
    const revision = (group: string): object => ({
      apiVersion: 'apps/v1',
      kind: 'ControllerRevision',
      metadata: {},
      revision: 1,
      data: { spec: { template: { apiVersion: `${group}/v1`, labels: { apiVersion: `${STANDARD}/v1` } } } },
    });
    const request = asked('POST', '/apis/apps/v1/namespaces/n/controllerrevisions', { 'content-type': PROTOBUF });
    expect(through(request.body(), typed(revision(STANDARD))).equals(typed(revision(PRIVATE)))).toBe(true);
  });

  it('renames the Status of a route of custom objects', () => {
    const status = (group: string): object => ({
      apiVersion: 'v1',
      kind: 'Status',
      status: 'Failure',
      message: `machines.${group} "x" not found`,
      reason: 'NotFound',
      details: { name: 'x', group, kind: 'machines' },
      code: 404,
    });
    const request = asked('GET', `/apis/${STANDARD}/v1beta2/namespaces/n/machines/x`, { accept: PROTOBUF });
    const { body } = request.response(404, { 'content-type': PROTOBUF });
    expect(jsonOfProtobuf(through(body, typed(status(PRIVATE))))).toEqual(jsonOfProtobuf(typed(status(STANDARD))));
  });

  it('refuses a CRD under a private name as it is refused in JSON', () => {
    const request = asked('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      'content-type': PROTOBUF,
    });
    const definition = typed({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `machines.${PRIVATE}` },
      spec: { group: PRIVATE, names: { plural: 'machines', kind: 'Machine' }, scope: 'Namespaced', versions: [] },
    });
    let error: unknown;
    try {
      through(request.body(), definition);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(TranslationError);
    expect(refusalOf(error as TranslationError)).toBeDefined();
  });

  it('watches frames, and takes the error that comes instead', () => {
    const request = asked('GET', '/api/v1/secrets?watch=1', { accept: `${PROTOBUF};stream=watch` });
    expect(request.isWatch).toBe(true);
    const gone = typed({ apiVersion: 'v1', kind: 'Status', status: 'Failure', code: 410, details: { group: PRIVATE } });
    const shown = through(request.response(410, { 'content-type': PROTOBUF }).body, gone);
    expect(jsonOfProtobuf(shown)).toMatchObject({ details: { group: STANDARD } });
  });
});

describe('YAML through a translator of requests', () => {
  const apply = (group: string): string =>
    `# a comment: ${STANDARD}\napiVersion: ${group}/v1beta2\nkind: Machine\nspec:\n  infrastructureRef: {apiGroup: 'infrastructure.${group}', kind: X}\n`;

  it('vector 15: is applied with its comments', () => {
    const headers = { 'content-type': 'application/apply-patch+yaml', accept: 'application/yaml' };
    const request = asked('PATCH', `/apis/${STANDARD}/v1beta2/namespaces/n/machines/m?fieldManager=me`, headers);
    expect(through(request.body(), Buffer.from(apply(STANDARD))).toString()).toBe(apply(PRIVATE));
    const { body } = request.response(200, { 'content-type': 'application/yaml' });
    expect(through(body, Buffer.from(apply(PRIVATE))).toString()).toBe(apply(STANDARD));
  });

  it('is distinguished from JSON, which clients send under its name', () => {
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    const sent = (source: string): string =>
      through(
        asked('PATCH', `/apis/${STANDARD}/v1beta2/namespaces/n/machines/m`, headers).body(),
        Buffer.from(source),
      ).toString();
    for (const source of [
      (group: string) => `{"apiVersion":"${group}/v1beta2","a":1.0,"kind":"Machine"}`,
      (group: string) => `  {apiVersion: ${group}/v1beta2, kind: Machine} # ${STANDARD}\n`,
      (group: string) => `  apiVersion: ${group}/v1beta2\n  kind: Machine\n`,
      (group: string) => `---\n{"apiVersion": "${group}/v1beta2"}\n`,
    ]) {
      expect(sent(source(STANDARD))).toBe(source(PRIVATE));
    }
    expect(sent(`{"apiVersion":"cluster\\u002ex-k8s.io/v1"}`)).toBe(`{"apiVersion":"${PRIVATE}/v1"}`);
  });

  it('knows what a role names, in any order', () => {
    const role = (group: string): string =>
      `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nrules:\n- apiGroups: ["*"]\n  resourceNames: [machines.${group}]\n  resources: [customresourcedefinitions]\n`;
    const request = asked('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/n/roles', {
      'content-type': 'application/yaml',
    });
    expect(through(request.body(), Buffer.from(role(STANDARD))).toString()).toBe(role(PRIVATE));
  });
});
