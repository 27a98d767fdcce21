import { builtinResources, type ResourceDefinition } from '@capstan/api/kubernetes';
import { describe, expect, it } from 'vitest';
import { OpenApiIndex, type Schema } from './index.js';

const now = Date.parse('2026-11-15T10:32:11Z');
const clock = { now: () => now };
const index = new OpenApiIndex(builtinResources, { clock, serverVersion: '1.33' });

interface Document {
  openapi: string;
  info: object;
  paths: Record<
    string,
    Record<string, { parameters?: { name: string }[]; 'x-kubernetes-group-version-kind'?: object }>
  >;
  components: {
    schemas: Record<string, { properties?: Record<string, Schema>; required?: string[]; [key: string]: unknown }>;
  };
}

const documentOf = (from: OpenApiIndex, group: string, version: string): Document =>
  from.document(group, version) as Document;
const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

const gizmo: ResourceDefinition = {
  group: 'x.example.com',
  version: 'v1',
  kind: 'Gizmo',
  listKind: 'GizmoList',
  plural: 'gizmos',
  singular: 'gizmo',
  shortNames: [],
  categories: [],
  namespaced: true,
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: [
    { name: 'scale', group: 'autoscaling', version: 'v1', kind: 'Scale', verbs: ['get', 'patch', 'update'] },
  ],
};
const gizmoSchema: Schema = { type: 'object', description: 'A gizmo.', properties: { spec: { type: 'object' } } };

function indexUrl(from: OpenApiIndex, path: string): string {
  const { paths } = JSON.parse(textOf(from.respond('/openapi/v3', {})?.bytes())) as {
    paths: Record<string, { serverRelativeURL: string }>;
  };
  return paths[path]?.serverRelativeURL ?? '';
}

describe('the index', () => {
  it('lists every group-version with the hash of its document', () => {
    const response = index.respond('/openapi/v3?timeout=32s', { accept: 'application/json' });
    expect(response?.status).toBe(200);
    const { paths } = JSON.parse(textOf(response?.bytes())) as { paths: Record<string, { serverRelativeURL: string }> };
    const expected = new Set(
      builtinResources.map(({ group, version }) => (group === '' ? `api/${version}` : `apis/${group}/${version}`)),
    );
    expect(Object.keys(paths)).toEqual([...expected].sort());
    expect(paths['apis/apps/v1']?.serverRelativeURL).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]{128}$/);
  });

  it.each(['/openapi/v2', '/openapi', '/openapi/v3x', '/version'])('leaves %s to others', (path) => {
    expect(index.respond(path, {})).toBeUndefined();
  });
});

describe('a document', () => {
  const url = indexUrl(index, 'apis/apps/v1');
  const hash = url.slice(url.indexOf('=') + 1);

  it('asked for by its hash may be cached for ever', () => {
    const response = index.respond(url, { accept: 'application/json' });
    expect(response).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/json',
        'cache-control': 'public, immutable',
        expires: 'Mon, 15 Nov 2027 10:32:11 UTC',
        etag: `"${hash}"`,
        vary: 'Accept',
      },
    });
    expect(index.respond(url, {})?.bytes()).toBe(response?.bytes());
  });

  it('asked for without a hash may not', () => {
    expect(index.respond('/openapi/v3/apis/apps/v1', {})?.headers).toEqual({
      'content-type': 'application/json',
      etag: `"${hash}"`,
      vary: 'Accept',
    });
  });

  it('asked for by an old hash is elsewhere', () => {
    const response = index.respond('/openapi/v3/apis/apps/v1?hash=OLD', {});
    expect(response).toMatchObject({ status: 301, headers: { location: url } });
  });

  it('is not sent to a client that has it', () => {
    const response = index.respond(url, { 'if-none-match': `"${hash}"` });
    expect(response).toMatchObject({ status: 304, headers: { 'cache-control': 'public, immutable' } });
    expect(response?.bytes()).toHaveLength(0);
  });

  it.each([
    ['application/com.github.proto-openapi.spec.v3.v1.0+protobuf', 406],
    ['application/yaml', 406],
    ['application/com.github.proto-openapi.spec.v3.v1.0+protobuf,application/json', 200],
    ['application/json, */*', 200],
    ['*/*', 200],
  ])('accepted as %s is %i', (accept, status) => {
    expect(index.respond(url, { accept })?.status).toBe(status);
  });

  it('of an unserved group-version is not there', () => {
    expect(index.respond('/openapi/v3/apis/nope/v1', {})?.status).toBe(404);
    expect(index.respond('/openapi/v3/', {})?.status).toBe(404);
  });

  it('holds every schema it refers to', () => {
    for (const { group, version } of builtinResources) {
      const document = documentOf(index, group, version);
      const referred = new Set(JSON.stringify(document).match(/(?<="#\/components\/schemas\/)[^"]+/g));
      expect(referred.size).toBeGreaterThan(0);
      expect([...referred].filter((name) => document.components.schemas[name] === undefined)).toEqual([]);
    }
  });

  it('declares for every kind that patches are validated, as kubectl looks up', () => {
    for (const { group, version, kind, plural, namespaced, verbs } of builtinResources) {
      if (!verbs.includes('patch')) continue;
      const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const path = `${root}/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}/{name}`;
      const operation = documentOf(index, group, version).paths[path]?.['patch'];
      const names = operation?.parameters?.map(({ name }) => name);
      expect([path, operation?.['x-kubernetes-group-version-kind']]).toEqual([path, { group, version, kind }]);
      expect([path, names]).toEqual([path, ['dryRun', 'fieldManager', 'fieldValidation', 'force']]);
    }
  });

  it('gives every listed kind a schema marked with its group, version and kind', () => {
    for (const { group, version, kind, verbs } of builtinResources) {
      if (!verbs.includes('list')) continue;
      const marks = Object.values(documentOf(index, group, version).components.schemas).map(
        (schema) => schema['x-kubernetes-group-version-kind'],
      );
      expect(marks).toContainEqual([{ group, kind, version }]);
      expect(marks).toContainEqual([{ group, kind: `${kind}List`, version }]);
    }
  });

  it('carries what strategic merge patch and server-side apply need', () => {
    const { schemas } = documentOf(index, '', 'v1').components;
    expect(schemas['io.k8s.api.core.v1.PodSpec']?.properties?.['containers']).toEqual({
      type: 'array',
      items: ref('io.k8s.api.core.v1.Container'),
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    });
    expect(schemas['io.k8s.api.core.v1.ObjectReference']?.['x-kubernetes-map-type']).toBe('atomic');
    expect(documentOf(index, 'apps', 'v1').components.schemas['io.k8s.api.apps.v1.DeploymentSpec']).toMatchObject({
      required: ['selector', 'template'],
      properties: {
        strategy: {
          allOf: [ref('io.k8s.api.apps.v1.DeploymentStrategy')],
          'x-kubernetes-patch-strategy': 'retainKeys',
        },
      },
    });
  });

  it('describes the types with a JSON form of their own', () => {
    const { schemas } = documentOf(index, '', 'v1').components;
    expect(schemas['io.k8s.apimachinery.pkg.util.intstr.IntOrString']).toEqual({
      format: 'int-or-string',
      oneOf: [{ type: 'integer' }, { type: 'string' }],
    });
    expect(schemas['io.k8s.api.core.v1.Secret']?.properties?.['data']).toEqual({
      type: 'object',
      additionalProperties: { type: 'string', format: 'byte' },
    });
  });
});

describe('custom resources', () => {
  const custom = new OpenApiIndex([...builtinResources, gizmo], {
    clock,
    serverVersion: '1.33',
    schemaOf: (resource) => (resource === gizmo ? gizmoSchema : undefined),
  });

  it('bring their own schema, to which identity and metadata are added', () => {
    const { schemas } = documentOf(custom, 'x.example.com', 'v1').components;
    expect(schemas['com.example.x.v1.Gizmo']).toEqual({
      type: 'object',
      description: 'A gizmo.',
      properties: {
        spec: { type: 'object' },
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: ref('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'),
      },
      'x-kubernetes-group-version-kind': [{ group: 'x.example.com', kind: 'Gizmo', version: 'v1' }],
    });
    expect(schemas['com.example.x.v1.GizmoList']?.properties?.['items']).toEqual({
      type: 'array',
      items: ref('com.example.x.v1.Gizmo'),
    });
    expect(schemas).toHaveProperty(['io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference']);
    expect(schemas).toHaveProperty(['io.k8s.api.autoscaling.v1.Scale']);
  });

  it('know no strategic merge patch', () => {
    const patch = documentOf(custom, 'x.example.com', 'v1').paths[
      '/apis/x.example.com/v1/namespaces/{namespace}/gizmos/{name}'
    ]?.['patch'];
    expect(JSON.stringify(patch)).not.toContain('strategic');
  });

  it('come and go without touching the documents of others', () => {
    let schema = gizmoSchema;
    const changing = new OpenApiIndex(builtinResources, {
      clock,
      serverVersion: '1.33',
      schemaOf: ({ group }) => (group === gizmo.group ? schema : undefined),
    });
    const apps = changing.respond('/openapi/v3/apis/apps/v1', {})?.bytes();
    expect(changing.respond('/openapi/v3/apis/x.example.com/v1', {})?.status).toBe(404);
    changing.setResources([...builtinResources, gizmo]);
    const first = indexUrl(changing, 'apis/x.example.com/v1');
    expect(first).not.toBe('');
    expect(changing.respond('/openapi/v3/apis/apps/v1', {})?.bytes()).toBe(apps);
    schema = { type: 'object' };
    changing.setResources([...builtinResources, { ...gizmo }]);
    expect(indexUrl(changing, 'apis/x.example.com/v1')).not.toBe(first);
    changing.setResources(builtinResources);
    expect(indexUrl(changing, 'apis/x.example.com/v1')).toBe('');
  });
});
