import { expect } from 'vitest';
import type { Ask } from './through.js';

/** The group as clients say it. */
export const S = 'both.cluster.x-k8s.io';
/** The group as it is stored. */
export const P = 'both.cluster.hypershift.openshift.io';
/** Where CRDs are. */
export const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
/** Discovery in one document. */
export const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
/** Where the objects of a group are. */
export const of = (group: string): string => `/apis/${group}/v1beta1/namespaces/default/gadgets`;

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        n: { type: 'integer', maximum: 3 },
        ref: { type: 'object', properties: { apiGroup: { type: 'string' } } },
      },
    },
  },
};
const version = { name: 'v1beta1', served: true, storage: true, deprecated: true, schema: { openAPIV3Schema: schema } };
const names = { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' };
/** The CRD of the kind in a group. */
export const definition = (group: string): string =>
  JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `gadgets.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [version] },
  });
/** An object of a group. */
export const gadget = (group: string, n: number): string =>
  `{"apiVersion":"${group}/v1beta1","kind":"Gadget","metadata":{"name":"same"},"spec":{"n":${n},"ref":{"apiGroup":"${group}"}}}`;

/** A server with both groups, asked directly and through the translation. */
export interface Both {
  readonly direct: Ask;
  readonly ask: Ask;
  /** The object of the platform, as it was made. */
  readonly platform: string;
}

async function writesPrivately({ direct, ask, platform }: Both): Promise<void> {
  const created = await ask(of(S), { method: 'POST', body: gadget(S, 1) });
  expect(created.status).toBe(201);
  expect(String(created.headers['warning'])).toContain(`"${S}/v1beta1 Gadget is deprecated"`);
  const { uid } = (JSON.parse(created.text) as { metadata: { uid: string } }).metadata;
  const json = 'application/json-patch+json';
  const patch = `[{"op":"test","path":"/apiVersion","value":"${S}/v1beta1"},{"op":"test","path":"/spec/ref/apiGroup","value":"${S}"},{"op":"replace","path":"/spec/n","value":2}]`;
  expect((await ask(`${of(S)}/same`, { method: 'PATCH', type: json, body: patch })).status).toBe(200);
  const apply = { method: 'PATCH', type: 'application/apply-patch+yaml', body: gadget(S, 3) };
  expect((await ask(`${of(S)}/same?fieldManager=a&force=true`, apply)).status).toBe(200);
  expect(JSON.parse((await direct(`${of(P)}/same`)).text)).toMatchObject({
    metadata: { uid },
    spec: { n: 3, ref: { apiGroup: P } },
  });
  const shown = await ask(`${of(S)}/same`);
  expect(shown.text).not.toContain(P);
  expect(JSON.parse(shown.text)).toMatchObject({
    apiVersion: `${S}/v1beta1`,
    metadata: { uid },
    spec: { ref: { apiGroup: S } },
  });
  expect((await ask(`${of(S)}/same`, { method: 'PUT', body: shown.text })).status).toBe(200);
  expect((await ask(`${of(S)}/same`, { method: 'DELETE' })).status).toBe(200);
  const gone = await ask(`${of(S)}/same`);
  expect(JSON.parse(gone.text)).toMatchObject({
    message: `gadgets.${S} "same" not found`,
    details: { group: S },
    code: 404,
  });
  expect(JSON.parse((await direct(`${of(S)}/same`)).text)).toEqual(JSON.parse(platform));
}

async function refusesByStandardNames({ ask }: Both): Promise<void> {
  const invalid = await ask(of(S), { method: 'POST', body: gadget(S, 9) });
  expect(invalid.status).toBe(422);
  expect(JSON.parse(invalid.text)).toMatchObject({
    message: expect.stringMatching(`^Gadget\\.${S} "same" is invalid: `),
    details: { group: S },
  });
  expect((await ask(of(P))).status).toBe(404);
}

async function discoversOneGroup({ ask }: Both): Promise<void> {
  for (const accept of [AGGREGATED, 'application/json']) {
    const { text, status } = await ask('/apis', { accept });
    expect(status).toBe(200);
    expect(text).not.toContain('hypershift');
    const { items, groups } = JSON.parse(text) as {
      items?: { metadata: { name: string } }[];
      groups?: { name: string }[];
    };
    const found = [...(items ?? []).map(({ metadata }) => metadata.name), ...(groups ?? []).map((group) => group.name)];
    expect(found.filter((group) => group === S)).toHaveLength(1);
  }
  const first = await ask('/apis', { accept: AGGREGATED });
  expect(first.headers['content-type']).toBe(AGGREGATED);
  expect(
    (await ask('/apis', { accept: AGGREGATED, headers: { 'if-none-match': String(first.headers['etag']) } })).status,
  ).toBe(304);
}

async function showsDefinitions({ direct, ask }: Both): Promise<void> {
  const { uid } = (JSON.parse((await direct(`${CRDS}/gadgets.${P}`)).text) as { metadata: { uid: string } }).metadata;
  expect(JSON.parse((await ask(`${CRDS}/gadgets.${S}`)).text)).toMatchObject({
    metadata: { uid, name: `gadgets.${S}` },
    spec: { group: S },
  });
  const watch = `${CRDS}?watch=1&resourceVersion=0&timeoutSeconds=1`;
  for (const [target, accept] of [[CRDS], [CRDS, TABLE], [watch]] as const) {
    const { text } = await ask(target, accept === undefined ? {} : { accept });
    expect(text).toContain(`gadgets.${S}`);
    expect(text).not.toContain(P);
    expect(text.split(`"uid":"${uid}"`).length + text.split(`"uid": "${uid}"`).length).toBeGreaterThan(2);
  }
}

async function showsOpenApi({ ask }: Both): Promise<void> {
  const index = await ask('/openapi/v3');
  expect(index.status).toBe(200);
  expect(index.text).not.toContain('hypershift');
  const { paths } = JSON.parse(index.text) as { paths: Readonly<Record<string, { serverRelativeURL: string }>> };
  const document = await ask(paths[`apis/${S}/v1beta1`]?.serverRelativeURL ?? '');
  expect(document.status).toBe(200);
  expect(document.text).toContain('io.x-k8s.cluster.both.v1beta1.Gadget');
  expect(document.text).not.toMatch(/hypershift/i);
}

/** What must hold, by its sentence. */
export const SCENARIOS: readonly (readonly [sentence: string, run: (both: Both) => Promise<void>])[] = [
  [
    'an object is written, read, patched and deleted in the private group, and that of the platform is not touched',
    writesPrivately,
  ],
  ['refusals name the standard group', refusesByStandardNames],
  ['discovery shows one group, and a repeated request gets 304 Not Modified', discoversOneGroup],
  ['lists, tables and watches of CRDs show the private ones under standard names', showsDefinitions],
  ['OpenAPI documents contain the standard group alone', showsOpenApi],
];
