import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as hypershiftKinds } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import type { Client } from '@capstan/kube';
import { isInvalid } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { eventually } from '../runtime/world.js';
import { admittingPlatform, harbourDefinitions, testPlatform } from '@capstan/provider/testing';

const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const CORE = new Set(['Cluster', 'Machine', 'MachineDeployment', 'MachineSet', 'MachineHealthCheck']);

/** Definitions of hosted clusters on the made-up platform, and of as much of Cluster API as they need. */
export function hostedDefinitions(): KubeObject[] {
  const core = clusterApiKinds.filter(({ kind }) => CORE.has(kind)).map((kind) => crd(kind, { conversion: 'none' }));
  const hosted = hypershiftKinds.map((kind) => admittingPlatform(crd(kind), testPlatform()));
  return [...core.map((each) => each as unknown as KubeObject), ...hosted, ...harbourDefinitions()];
}

/** Writes them to a server, and waits until it serves them. */
export function installHostedDefinitions(client: Client): Promise<void> {
  return installDefinitions(client, hostedDefinitions());
}

/** Writes definitions to a server of any age, and waits until it serves them. */
export async function installDefinitions(client: Client, definitions: readonly KubeObject[]): Promise<void> {
  for (const definition of definitions)
    await client.create(DEFINITIONS, definition).catch((error: unknown) => {
      if (!isInvalid(error)) throw error;
      return client.create(DEFINITIONS, withoutNetworkRules(definition));
    });
  for (const { metadata } of definitions)
    await eventually(`${metadata.name ?? ''} is served`, async () => {
      const { status } = await client.get<Established>(DEFINITIONS, metadata.name ?? '');
      return status?.conditions?.some(({ status: is, type }) => type === 'Established' && is === 'True') || undefined;
    });
}

/** Servers before 1.31 do not know addresses and networks, and refuse rules about them. */
function withoutNetworkRules(definition: KubeObject): KubeObject {
  const kept = (key: string, value: unknown): unknown =>
    key === 'x-kubernetes-validations' && /\b(isCIDR|isIP|cidr|ip)\(/.test(JSON.stringify(value)) ? undefined : value;
  return JSON.parse(JSON.stringify(definition, kept)) as KubeObject;
}

interface Established extends KubeObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Takes them away again: others use the server too. */
export async function removeHostedDefinitions(client: Client): Promise<void> {
  for (const { metadata } of hostedDefinitions()) await client.delete(DEFINITIONS, metadata.name ?? '');
}
