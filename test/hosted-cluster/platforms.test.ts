import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as hypershiftKinds } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';
import { CLUSTER_ANNOTATION, HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { hostingPlatforms } from '@capstan/cli/platforms';
import { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { harbourDefinitions, hostedClusterOn } from '@capstan/provider/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { embeddedServer } from '../src/conformance/backend.js';
import { examplesOf, infrastructureKinds } from '../src/provider-examples.js';
import { NAMESPACES, ROLE_BINDINGS, ROLES, SECRETS } from './objects.js';
import { Fixture } from './fixture.js';
import { finishOneDeletion } from './fixture-roles.js';

const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const server = embeddedServer();
const platforms = [...(await hostingPlatforms())];

/** Kinds that platforms make for a cluster. */
function isMade({ group, kind }: Kind): boolean {
  return platforms.some(({ cluster, companionKinds = [], leftovers = [], machineTemplate }) =>
    [cluster?.kind, machineTemplate?.kind, machineTemplate?.machine, ...companionKinds, ...leftovers].some(
      (each) => each?.kind === kind && each.group === group,
    ),
  );
}

beforeAll(async () => {
  const client = new Client(server);
  const infrastructure = (await infrastructureKinds()).filter(isMade);
  const core = clusterApiKinds.filter(({ kind }) => kind === 'Cluster');
  for (const kind of [...hypershiftKinds, ...core, ...infrastructure]) {
    const definition = crd(kind, { conversion: 'none', gates: ['TechPreviewNoUpgrade'] });
    await client.create(DEFINITIONS, definition as unknown as KubeObject);
  }
  for (const definition of harbourDefinitions()) await client.create(DEFINITIONS, definition);
}, 60_000);

/** Makes namespaces that settings name: hosts may lie in another than the cluster. */
async function makeNamespaces(fixture: Fixture, settings: object): Promise<void> {
  const names = Object.entries(settings).filter(([field]) => field.endsWith('Namespace'));
  for (const name of [fixture.namespace, ...names.map(([, text]) => String(text))])
    await fixture.make(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
}

async function isThere({ client, name, namespace }: Fixture): Promise<boolean> {
  const { items } = await client.list(HOSTED_CLUSTERS, { namespace });
  return items.some(({ metadata }) => metadata.name === name);
}

/** Roles in any namespace that say they were made for a cluster. */
async function rolesOf({ client, name, namespace }: Fixture): Promise<(string | undefined)[]> {
  const roles = [...(await client.list(ROLES)).items, ...(await client.list(ROLE_BINDINGS)).items];
  const isMarked = ({ metadata }: KubeObject): boolean =>
    metadata.annotations?.[CLUSTER_ANNOTATION] === `${namespace}/${name}`;
  return roles.filter(isMarked).map(({ metadata }) => metadata.name);
}

describe.each(platforms.map((platform) => [platform.type, platform] as const))('on %s', (type, platform) => {
  it('a hosted cluster rolls out, is not written any more, and is deleted', async () => {
    const { clusters, secrets = [] } = await examplesOf(platform);
    for (const [at, settings] of clusters.entries()) {
      const fixture = new Fixture(server, {
        name: `${platform.key}-${at}`,
        namespace: `on-${platform.key}`,
        platforms,
      });
      await makeNamespaces(fixture, settings);
      const { namespace } = fixture;
      for (const { metadata, ...secret } of secrets)
        await fixture.make(SECRETS, { ...secret, metadata: { name: metadata.name ?? '', namespace } });
      const { spec } = hostedClusterOn(platform, settings);
      await fixture.begin({ spec: { ...spec, infraID: `${fixture.name}-x7k2p`, release: { image: fixture.image } } });
      await fixture.becomeAvailable();
      expect([type, await fixture.condition('Progressing')]).toEqual([
        type,
        'False AsExpected: HostedCluster is at expected version',
      ]);
      expect(await fixture.condition('Available')).toBe('True AsExpected: The hosted control plane is available');
      fixture.restart();
      fixture.effects.take();
      await fixture.pass();
      expect(fixture.effects.take()).toEqual([]);
      await fixture.client.delete(HOSTED_CLUSTERS, fixture.name, fixture);
      for (let pass = 0; pass < 20 && (await isThere(fixture)); pass += 1) {
        expect(await fixture.pass()).toBeUndefined();
        await finishOneDeletion(fixture);
      }
      expect(await isThere(fixture)).toBe(false);
      expect(await rolesOf(fixture)).toEqual([]);
      expect(await fixture.find(HOSTED_CONTROL_PLANES, fixture.name, fixture.controlPlaneNamespace)).toBeUndefined();
      expect(await fixture.find(NAMESPACES, fixture.controlPlaneNamespace)).toBeUndefined();
    }
  });
});
