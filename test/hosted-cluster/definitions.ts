import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as hypershiftKinds } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { admittingPlatform, harbourDefinitions, testPlatform } from '@capstan/provider/testing';
import { installDefinitions } from '@capstan/tools/hosting';

const DEFINITIONS = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
const CORE = new Set(['Cluster', 'Machine', 'MachineDeployment', 'MachineSet', 'MachineHealthCheck']);

/** CRDs of hosted clusters on the made-up platform, and of as much of Cluster API as they need. */
export function hostedDefinitions(): KubeObject[] {
  const core = clusterApiKinds.filter(({ kind }) => CORE.has(kind)).map((kind) => crd(kind, { conversion: 'none' }));
  const hosted = hypershiftKinds.map((kind) => admittingPlatform(crd(kind), testPlatform()));
  return [...core.map((each) => each as unknown as KubeObject), ...hosted, ...harbourDefinitions()];
}

/** Writes them to a server, and waits until it serves them. */
export function installHostedDefinitions(client: Client): Promise<void> {
  return installDefinitions(client, hostedDefinitions());
}

/** Takes them away again: others use the server too. */
export async function removeHostedDefinitions(client: Client): Promise<void> {
  for (const { metadata } of hostedDefinitions()) await client.delete(DEFINITIONS, metadata.name ?? '');
}
