import { randomUUID } from 'node:crypto';
import { request as send } from 'node:https';
import { jsonOfProtobuf, protobufOfJson } from '@capstan/apiserver';
import { CLUSTER_API_RULES, GroupMapping, translate } from '@capstan/translate';
import type { Body } from '@capstan/translate';
import { protobufBodies } from '@capstan/translate/protobuf';
import { yamlBodies } from '@capstan/translate/yaml';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';

const { url, ca, token, version } = inject('realKube');
const STANDARD = 'cluster.x-k8s.io';
const PRIVATE = 'cluster.hypershift.openshift.io';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const mapping = new GroupMapping(CLUSTER_API_RULES);
const translator = translate(mapping, { protobuf: protobufBodies(mapping), yaml: yamlBodies(mapping) });
const label = `wire-${randomUUID().slice(0, 8)}`;
const SECRETS = `/api/v1/namespaces/${label}/secrets`;

interface Ask {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Of an endless body, as soon as this is true of what came. */
  readonly until?: (received: Buffer) => boolean;
  /** What comes is passed through it. */
  readonly through?: (status: number, headers: Record<string, string>) => Body;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** Speaks to the server itself. */
function direct({ method = 'GET', target, headers = {}, body, until, through }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const all = { authorization: `Bearer ${token}`, ...headers };
    const outgoing = send(new URL(target, url), {
      method,
      ca,
      headers: all,
      servername: 'localhost',
      checkServerIdentity: () => undefined,
    });
    outgoing.on('error', reject);
    outgoing.on('response', (response) => {
      const status = response.statusCode ?? 0;
      const rewriter = through?.(status, response.headers as Record<string, string>) ?? 'pass';
      let received = Buffer.alloc(0);
      const done = (): void => resolve({ status, body: received });
      response.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, ...(rewriter === 'pass' ? [chunk] : rewriter.push(chunk))]);
        if (until?.(received) !== true) return;
        done();
        outgoing.destroy();
      });
      response.on('end', () => {
        received = Buffer.concat([received, ...(rewriter === 'pass' ? [] : rewriter.end())]);
        done();
      });
      response.on('error', (error) => (until?.(received) === true ? done() : reject(error)));
    });
    outgoing.end(body);
  });
}

/** Speaks to it as a client whose bytes are translated. */
function translated({ method = 'GET', target, headers = {}, body, ...rest }: Ask): Promise<Answer> {
  const asked = translator.request({ method, target, headers });
  if ('refuse' in asked) throw new TypeError(JSON.stringify(asked.refuse));
  const sent = asked.body();
  const bytes = body === undefined ? undefined : Buffer.from(body as string);
  return direct({
    method,
    target: asked.target,
    headers: asked.headers as Record<string, string>,
    ...(bytes && { body: sent === 'pass' ? bytes : Buffer.concat([...sent.push(bytes), ...sent.end()]) }),
    through: (status, received) => asked.response(status, received).body,
    ...rest,
  });
}

const owner = (group: string): object => ({
  apiVersion: `${group}/v1beta2`,
  kind: 'Cluster',
  name: 'c',
  uid: randomUUID(),
});
const json = { 'content-type': 'application/json' };

const definition = (group: string): string =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${label}.${group}`, labels: { [`${STANDARD}/v1beta1`]: 'v1' } },
    spec: {
      group: `${label}.${group}`,
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });

describe(`kube-apiserver ${version}, in protobuf and YAML`, () => {
  beforeAll(async () => {
    const namespace = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: label } });
    await direct({ method: 'POST', target: '/api/v1/namespaces', headers: json, body: namespace });
    for (const group of [STANDARD, PRIVATE])
      await direct({ method: 'POST', target: DEFINITIONS, headers: json, body: definition(group) });
  });

  afterAll(async () => {
    for (const group of [STANDARD, PRIVATE])
      await direct({ method: 'DELETE', target: `${DEFINITIONS}/things.${label}.${group}` });
    await direct({ method: 'DELETE', target: `/api/v1/namespaces/${label}` });
  });

  it('stores an owner under its private name, and shows it under the standard one: created, listed and watched', async () => {
    const reference = owner(STANDARD);
    const secret = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', ownerReferences: [reference] },
      type: `${STANDARD}/secret`,
      data: { a: Buffer.from(`${STANDARD}/v1beta2`).toString('base64') },
    };
    const headers = { 'content-type': PROTOBUF, accept: PROTOBUF };
    const created = await translated({ method: 'POST', target: SECRETS, headers, body: protobufOfJson(secret) });
    expect(created.status).toBe(201);
    expect(jsonOfProtobuf(created.body)).toMatchObject(secret);

    const stored = JSON.parse((await direct({ target: `${SECRETS}/s` })).body.toString()) as object;
    const renamed = { ...reference, apiVersion: `${PRIVATE}/v1beta2` };
    expect(stored).toMatchObject({ metadata: { ownerReferences: [renamed] }, type: secret.type, data: secret.data });

    const listed = await translated({ target: SECRETS, headers: { accept: PROTOBUF } });
    expect(jsonOfProtobuf(listed.body)).toMatchObject({
      kind: 'SecretList',
      items: [{ metadata: { ownerReferences: [reference] } }],
    });

    const watched = await translated({
      target: `${SECRETS}?watch=1&resourceVersion=0`,
      headers: { accept: `${PROTOBUF};stream=watch` },
      until: (received) => received.length >= 4 && received.length >= 4 + received.readUInt32BE(0),
    });
    const object = watched.body.subarray(watched.body.indexOf('k8s\0'), 4 + watched.body.readUInt32BE(0));
    expect(jsonOfProtobuf(object)).toMatchObject({ metadata: { name: 's', ownerReferences: [reference] } });
  });

  it('applies YAML with comments, and answers in YAML', async () => {
    const source = `# ${STANDARD}/v1beta2\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n  ownerReferences:\n  - &o {apiVersion: "${STANDARD}/v1beta2", kind: Cluster, name: c, uid: ${randomUUID()}}\ndata:\n  text: |\n    apiVersion: ${STANDARD}/v1beta2\n`;
    const applied = await translated({
      method: 'PATCH',
      target: `/api/v1/namespaces/${label}/configmaps/c?fieldManager=me`,
      headers: { 'content-type': 'application/apply-patch+yaml', accept: 'application/yaml' },
      body: source,
    });
    expect(applied.status).toBe(201);
    expect(parse(applied.body.toString())).toMatchObject(parse(source) as object);
    const stored = JSON.parse(
      (await direct({ target: `/api/v1/namespaces/${label}/configmaps/c` })).body.toString(),
    ) as object;
    expect(stored).toMatchObject({
      metadata: { ownerReferences: [{ apiVersion: `${PRIVATE}/v1beta2` }] },
      data: { text: `apiVersion: ${STANDARD}/v1beta2\n` },
    });
  });

  it('shows the private CRD alone under the standard name', async () => {
    const name = `things.${label}.${STANDARD}`;
    const counterpart = JSON.parse(
      (await direct({ target: `${DEFINITIONS}/things.${label}.${PRIVATE}` })).body.toString(),
    ) as { metadata: { uid: string } };
    const expected = [{ name, uid: counterpart.metadata.uid }];
    type Shown = { readonly items: readonly { readonly metadata: { readonly name: string; readonly uid: string } }[] };
    const ours = ({ items }: Shown): object[] =>
      items
        .filter((item) => item.metadata.name.includes(label))
        .map(({ metadata }) => ({ name: metadata.name, uid: metadata.uid }));
    const metadata = 'as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
    for (const accept of [PROTOBUF, `${PROTOBUF};${metadata}`]) {
      const { body } = await translated({ target: DEFINITIONS, headers: { accept } });
      expect(ours(jsonOfProtobuf(body) as unknown as Shown)).toEqual(expected);
    }
    // The older form is not decoded here.
    const old = await translated({ target: DEFINITIONS, headers: { accept: `${PROTOBUF};${metadata}beta1` } });
    expect(old.body.toString('latin1').split(label)).toHaveLength(2);
    expect(old.body.includes(name)).toBe(true);
    const { body } = await translated({ target: DEFINITIONS, headers: { accept: 'application/yaml' } });
    expect(ours(parse(body.toString()) as Shown)).toEqual(expected);
  });

  it('words a refusal under the standard name, in either', async () => {
    const name = `nothing.${label}.${STANDARD}`;
    for (const accept of [PROTOBUF, 'application/yaml']) {
      const { status, body } = await translated({ target: `${DEFINITIONS}/${name}`, headers: { accept } });
      expect(status).toBe(404);
      const answer = accept === PROTOBUF ? jsonOfProtobuf(body) : (parse(body.toString()) as object);
      const message = `customresourcedefinitions.apiextensions.k8s.io "${name}" not found`;
      expect(answer).toMatchObject({ message, details: { name, kind: 'customresourcedefinitions' } });
    }
  });
});
