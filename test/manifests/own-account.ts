import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostedCluster } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS } from '@capstan/hosting';
import { createCa, kubeconfigJson } from '@capstan/kube';
import type { Client, ResourceRef } from '@capstan/kube';
import { getCondition, ignoreNotFound } from '@capstan/meta';
import type { Condition, JsonObject, KubeObject } from '@capstan/meta';
import { hostedClusterOn } from '@capstan/provider/testing';
import { freePort } from '@capstan/simulation';
import { expect } from 'vitest';
import { become, RESOURCES } from './accounts.js';
import type { Access } from './accounts.js';
import { runContainer } from './capstan.js';

/** An operator on private types that is installed, and where. */
export interface InstalledOperator {
  readonly access: Access;
  readonly client: Client;
  readonly namespace: string;
  /** For kubeconfigs and certificates. */
  readonly folder: string;
}

interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

interface Workload extends KubeObject {
  readonly spec: {
    readonly template: {
      readonly spec: { readonly containers: readonly Container[]; readonly initContainers?: readonly Container[] };
    };
  };
}

/** Of Cluster API by their names, and of no platform. */
export const EXTRA_GROUPS = ['early.cluster.x-k8s.io', 'late.cluster.x-k8s.io'] as const;
const NAMESPACES: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const DEFINITIONS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const ANYWHERE = { 'health-probe-bind-address': '0', 'metrics-bind-address': '0' };

/** Runs the operator and its proxy as in the Deployment, as processes with the permissions of its ServiceAccount. */
async function runUnderOwnAccount({ access, client, folder, namespace }: InstalledOperator): Promise<{
  end(): Promise<void>;
}> {
  const name = 'operator';
  const account = await become(access, client, { namespace, name, folder });
  const { containers, initContainers = [] } = (await client.get<Workload>(RESOURCES.Deployment, name, { namespace }))
    .spec.template.spec;
  const find = (wanted: string): Container => {
    const found = [...initContainers, ...containers].find((each) => each.name === wanted);
    if (found === undefined) throw new TypeError(`the Deployment has no container ${wanted}`);
    return found;
  };
  const proxy = await runContainer(find('kube-apiserver-proxy').args, {
    kubeconfig: account.kubeconfig,
    listen: '127.0.0.1:0',
    'health-listen': '127.0.0.1:0',
  });
  const proxied = join(folder, 'proxied.kubeconfig');
  writeFileSync(proxied, kubeconfigJson({ server: proxy.url, name: 'proxied' }), { mode: 0o600 });
  const pair = createCa({ commonName: name }).issueServing({ commonName: name, ipAddresses: ['127.0.0.1'] });
  writeFileSync(join(folder, 'tls.crt'), pair.certPem);
  writeFileSync(join(folder, 'tls.key'), pair.keyPem, { mode: 0o600 });
  const { args, env = [] } = find(name);
  const instead = {
    ...ANYWHERE,
    kubeconfig: proxied,
    'direct-kubeconfig': account.kubeconfig,
    'webhook-cert-dir': folder,
    'webhook-port': String(await freePort()),
  };
  const variables = env.flatMap((each): [string, string][] =>
    each.value === undefined ? [] : [[each.name, each.value]],
  );
  const operator = await runContainer(args, instead, Object.fromEntries(variables));
  return {
    end: async () => {
      await operator.end();
      await proxy.end();
      await account.transport.close();
    },
  };
}

/** A kind in a group of its own, whose schema does not matter. */
function thingsOf(group: string, labels: Readonly<Record<string, string>>): KubeObject {
  const schema: JsonObject = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}`, labels },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
}

/** Groups that nobody knows beforehand: one is served when the operator is installed, one only later. */
export async function readsWhatIsServed(
  { access, client, folder, namespace }: InstalledOperator,
  { home, install, label }: { readonly home: string; readonly install: () => Promise<void>; readonly label: string },
): Promise<void> {
  const [early, late] = EXTRA_GROUPS;
  await client.create(DEFINITIONS, thingsOf(early, { [label]: '' }));
  await install();
  for (const name of [home, `${home}-existing`])
    await client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const host = async (name: string): Promise<void> => {
    const { metadata: _, ...cluster } = hostedClusterOn({ type: 'None', key: 'none', hasSettings: false });
    await client.create(HOSTED_CLUSTERS, { ...cluster, metadata: { name, namespace: home } });
  };
  const get = (name: string): Promise<HostedCluster> =>
    client.get<HostedCluster>(HOSTED_CLUSTERS, name, { namespace: home });
  const typesOf = async (name: string): Promise<string | undefined> =>
    (await get(name)).metadata.annotations?.['hypershift.openshift.io/private-capi-types'];
  const operator = await runUnderOwnAccount({ access, client, folder, namespace });
  try {
    await host('fresh');
    await expect.poll(() => typesOf('fresh'), { timeout: 60_000 }).toBe('true');
    await client.create(DEFINITIONS, thingsOf(late, { [label]: '' }));
    // Of a cluster whose namespace is not there yet nothing has to be read.
    await host('late');
    await expect.poll(() => typesOf('late'), { timeout: 60_000 }).toBe('true');
    await host('existing');
    const active = async (): Promise<unknown> =>
      getCondition(
        (await get('existing')).status?.conditions as readonly Condition[] | undefined,
        'ReconciliationActive',
      );
    await expect.poll(active, { timeout: 60_000 }).toMatchObject({
      status: 'False',
      reason: 'ClusterAPIObjectsUnreadable',
      message: `things.${late} may not be listed in namespace ${home}-existing: run capstan install again, which grants what is served`,
    });
    await install();
    await expect.poll(() => typesOf('existing'), { timeout: 60_000 }).toBe('true');
  } finally {
    await operator.end();
    for (const { metadata } of (await client.list(HOSTED_CLUSTERS, { namespace: home })).items) {
      const value = { metadata: { finalizers: null } };
      await client.patch(HOSTED_CLUSTERS, metadata.name ?? '', { type: 'merge', value }, { namespace: home });
      await client.delete(HOSTED_CLUSTERS, metadata.name ?? '', { namespace: home }).catch(ignoreNotFound);
    }
    for (const name of [home, `${home}-existing`]) await client.delete(NAMESPACES, name);
  }
}
