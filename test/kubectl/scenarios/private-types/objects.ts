import type { ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import { PRIVATE, resourceOf, STANDARD } from '../../../proxy/both-groups.js';
import type { Session } from '../../session.js';

/** Kinds as they are stored, past the proxy. */
export const STORED = {
  clusters: resourceOf(PRIVATE, 'clusters'),
  machines: resourceOf(PRIVATE, 'machines'),
  machinedeployments: resourceOf(PRIVATE, 'machinedeployments'),
} as const;

const PLATFORM = {
  Cluster: resourceOf(STANDARD, 'clusters'),
  Machine: resourceOf(STANDARD, 'machines'),
  MachineDeployment: resourceOf(STANDARD, 'machinedeployments'),
} as const;

function machineSpec(clusterName: string, group: string): object {
  return {
    clusterName,
    bootstrap: { dataSecretName: 'data' },
    infrastructureRef: { apiGroup: `infrastructure.${group}`, kind: 'TestMachine', name: 'host' },
  };
}

/** A Machine as clients of the proxy write it; with the other group, as it is stored. */
export function machine(name: string, clusterName = 'hosted', group = STANDARD): KubeObject {
  const spec = machineSpec(clusterName, group);
  return { apiVersion: `${group}/v1beta2`, kind: 'Machine', metadata: { name, labels: { app: 'web' } }, spec };
}

/** A MachineDeployment of as many machines. */
export function deployment(name: string, replicas: number, clusterName = 'hosted', group = STANDARD): KubeObject {
  const labels = { pool: name };
  const template = { metadata: { labels }, spec: machineSpec(clusterName, group) };
  const spec = { clusterName, replicas, selector: { matchLabels: labels }, template };
  return { apiVersion: `${group}/v1beta2`, kind: 'MachineDeployment', metadata: { name }, spec };
}

/** A Cluster. */
export function cluster(name: string, group = STANDARD): KubeObject {
  const controlPlaneEndpoint = { host: `${name}.example.com`, port: 6443 };
  return { apiVersion: `${group}/v1beta2`, kind: 'Cluster', metadata: { name }, spec: { controlPlaneEndpoint } };
}

/** What the platform has under the names that scenarios use. */
const OF_PLATFORM: readonly KubeObject[] = [
  cluster('hosted'),
  machine('one', 'platform'),
  machine('two', 'platform'),
  deployment('web', 7, 'platform'),
];

function refOf({ kind }: KubeObject): ResourceRef {
  return PLATFORM[kind as keyof typeof PLATFORM];
}

/** Runs a scenario on a server with objects of the platform of the same names, which must not change in anything. */
async function runWithPlatform(k: Session, run: () => Promise<void>): Promise<void> {
  const { namespace } = k;
  const before: KubeObject[] = [];
  for (const object of OF_PLATFORM) before.push(await k.create(refOf(object), object));
  await run();
  for (const object of before)
    expect(await k.client.get(refOf(object), object.metadata.name ?? '', { namespace })).toEqual(object);
  for (const [plural, count] of [
    ['clusters', 1],
    ['machines', 2],
    ['machinedeployments', 1],
  ] as const) {
    const { items } = await k.client.list(resourceOf(STANDARD, plural), { namespace });
    expect(items).toHaveLength(count);
  }
}

/** What is stored under a name in the private group. */
export function stored(k: Session, plural: keyof typeof STORED, name: string): Promise<KubeObject> {
  return k.client.get(STORED[plural], name, { namespace: k.namespace });
}

/** A scenario that runs on a server with objects of the platform of the same names. */
export const withPlatform =
  (run: (k: Session) => Promise<void>) =>
  (k: Session): Promise<void> =>
    runWithPlatform(k, () => run(k));
