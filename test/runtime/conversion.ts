import { createCa, Manager, WebhookServer } from '@capstan/kube';
import type { ConvertedKind } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import { start } from './fixture.js';
import type { Fixture } from './fixture.js';
import { eventually } from '../src/wait.js';

const CRDS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** `v1` has `spec.host`, `v2` has `spec.hosts`. */
function converted(group: string): ConvertedKind {
  return {
    group,
    kind: 'Site',
    hub: 'v2',
    spokes: {
      v1: {
        toHub: (object) => ({ ...object, spec: { hosts: [(object['spec'] as { host: string }).host] } }),
        fromHub: (object) => ({ ...object, spec: { host: (object['spec'] as { hosts: string[] }).hosts[0] ?? '' } }),
      },
    },
  };
}

function version(name: string, storage: boolean, properties: JsonObject): JsonObject {
  const schema = {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
  };
  return { name, served: true, storage, schema };
}

function definition(group: string, clientConfig: JsonObject): KubeObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `sites.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'sites', singular: 'site', kind: 'Site', listKind: 'SiteList' },
      versions: [
        version('v1', false, { host: { type: 'string' } }),
        version('v2', true, { hosts: { type: 'array', items: { type: 'string' } } }),
      ],
      conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'], clientConfig } },
    },
  };
}

/** Objects are written in one version and read in another, by our webhook; a cache follows either. */
export async function describeConversion(fixture: Fixture): Promise<void> {
  const { cache, client, namespace, transport } = fixture;
  const group = `${namespace}.example.com`;
  const [v1, v2] = ['v1', 'v2'].map((each) => ({ group, version: each, plural: 'sites', namespaced: true }));
  if (v1 === undefined || v2 === undefined) throw new Error('two versions were made');
  const manager = new Manager({ transport, cache });
  const ca = createCa({ commonName: 'conversion' });
  const current = ca.issueServing({ commonName: 'conversion', ipAddresses: ['127.0.0.1'] });
  const server = new WebhookServer({
    port: 0,
    certificate: { current, onChange: () => {} },
    clock: manager.clock,
    logger: manager.logger,
    metrics: manager.metrics,
  });
  server.converting('/convert', [converted(group)]);
  manager.add(server, 'webhook');
  const stop = start(manager);
  const url = `${await server.ready()}/convert`;
  const caBundle = Buffer.from(ca.certPem).toString('base64');
  try {
    await client.create(CRDS, definition(group, { url, caBundle }));
    const site = {
      apiVersion: `${group}/v1`,
      kind: 'Site',
      metadata: { name: 'a', namespace },
      spec: { host: 'x.org' },
    };
    await eventually('the kind is served', () => client.create(v1, site).catch(ignoreNotFound));
    expect(await client.get(v2, 'a', { namespace })).toMatchObject({
      apiVersion: `${group}/v2`,
      spec: { hosts: ['x.org'] },
    });
    expect((await manager.cache.list(v1)).items).toMatchObject([
      { apiVersion: `${group}/v1`, spec: { host: 'x.org' } },
    ]);
  } finally {
    await client.delete(CRDS, `sites.${group}`).catch(() => {});
    await stop();
  }
}
