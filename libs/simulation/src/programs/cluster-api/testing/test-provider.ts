import { Manager } from '@capstan/kube';
import type { ManagerOptions, Result } from '@capstan/kube';
import { cloneJson, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { CloudApi } from '../../../cloud/client.js';
import { OWNER_TAG } from '../../../cloud/oracles.js';
import type { GuestCluster } from '../../../guests/guest-cluster.js';
import { SECRETS } from '../kinds.js';
import { coreOwner } from '../owners.js';
import { TEST_CLUSTERS, TEST_CONFIGS, TEST_CONTROL_PLANES, TEST_MACHINES } from './definitions.js';
import { createMergePatch } from '@capstan/meta';
import type { ResourceRef } from '@capstan/kube';

export interface TestProviderOptions extends ManagerOptions {
  readonly cloud: CloudApi;
  readonly guest: (namespace: string, name: string) => GuestCluster;
}

interface Provided extends KubeObject {
  spec?: { providerID?: string; controlPlaneEndpoint?: object; [field: string]: unknown };
  status?: Record<string, unknown>;
}

const FINALIZER = 'test.infrastructure.cluster.x-k8s.io';
const LOOK_AGAIN: Result = { requeueAfterMs: 2_000 };

/** A provider of infrastructure, bootstrap data and control planes, as small as the contract allows. */
export function testProvider(options: TestProviderOptions): Manager {
  const { cloud, guest, ...managerOptions } = options;
  const manager = new Manager(managerOptions);
  const { client, cache } = manager;

  const read = (ref: ResourceRef, namespace: string, name: string): Promise<Provided | undefined> =>
    cache.get<Provided>(ref, name, { namespace }).then(cloneJson, (error: unknown) => {
      if (isNotFound(error)) return undefined;
      throw error;
    });
  const write = async (ref: ResourceRef, before: Provided, after: Provided, subresource?: 'status'): Promise<void> => {
    const value = createMergePatch(before, after);
    const { name = '', namespace } = before.metadata;
    if (Object.keys(value).length > 0)
      await client.patch(ref, name, { type: 'merge', value }, { namespace, subresource });
  };
  const status = (ref: ResourceRef, object: Provided, next: Record<string, unknown>): Promise<void> =>
    write(ref, object, { ...object, status: { ...object.status, ...next } }, 'status');

  manager
    .controller({
      name: 'testcluster',
      reconcile: async ({ namespace, name }) => {
        const object = await read(TEST_CLUSTERS, namespace, name);
        const owner = object && coreOwner(object, ['Cluster']);
        if (object === undefined || owner === undefined || object.metadata.deletionTimestamp != null) return;
        const { hostname } = new URL(guest(namespace, owner.name).url);
        const controlPlaneEndpoint = { host: hostname, port: 6443 };
        await write(TEST_CLUSTERS, object, { ...object, spec: { ...object.spec, controlPlaneEndpoint } });
        await status(TEST_CLUSTERS, object, { initialization: { provisioned: true } });
      },
    })
    .for({ ...TEST_CLUSTERS, kind: 'TestCluster' });

  manager
    .controller({
      name: 'testcontrolplane',
      reconcile: async ({ namespace, name }) => {
        const object = await read(TEST_CONTROL_PLANES, namespace, name);
        const owner = object && coreOwner(object, ['Cluster']);
        if (object === undefined || owner === undefined || object.metadata.deletionTimestamp != null) return;
        const secret = guest(namespace, owner.name).kubeconfigSecret();
        await client.create(SECRETS, secret).catch((error: unknown) => {
          if ((error as { code?: number }).code !== 409) throw error;
        });
        const initialization = { controlPlaneInitialized: true };
        await status(TEST_CONTROL_PLANES, object, { initialization, externalManagedControlPlane: true });
      },
    })
    .for({ ...TEST_CONTROL_PLANES, kind: 'TestControlPlane' });

  manager
    .controller({
      name: 'testconfig',
      reconcile: async ({ namespace, name }) => {
        const object = await read(TEST_CONFIGS, namespace, name);
        const cluster = object?.metadata.labels?.['cluster.x-k8s.io/cluster-name'];
        if (object === undefined || cluster === undefined || coreOwner(object, ['Machine']) === undefined) return;
        const { apiVersion, kind, metadata } = object;
        const owner = { apiVersion, kind, name, uid: metadata.uid ?? '' };
        const value = Buffer.from(guest(namespace, cluster).userData()).toString('base64');
        const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace, ownerReferences: [owner] } };
        await client.create(SECRETS, { ...secret, data: { value } }).catch((error: unknown) => {
          if ((error as { code?: number }).code !== 409) throw error;
        });
        await status(TEST_CONFIGS, object, { dataSecretName: name, initialization: { dataSecretCreated: true } });
      },
    })
    .for({ ...TEST_CONFIGS, kind: 'TestConfig' });

  manager
    .controller({
      name: 'testmachine',
      maxConcurrent: 5,
      reconcile: async ({ namespace, name }) => {
        const object = await read(TEST_MACHINES, namespace, name);
        if (object === undefined) return;
        if (object.metadata.deletionTimestamp != null) return removeMachine(object);
        const owner = coreOwner(object, ['Machine']);
        if (owner === undefined) return;
        const machine = await client.get(
          { group: 'cluster.x-k8s.io', version: 'v1beta2', plural: 'machines', namespaced: true },
          owner.name,
          { namespace },
        );
        const { bootstrap } = machine['spec'] as { bootstrap?: { dataSecretName?: string } };
        if (bootstrap?.dataSecretName === undefined) return LOOK_AGAIN;
        return makeMachine(object, owner.name);
      },
    })
    .for({ ...TEST_MACHINES, kind: 'TestMachine' });

  async function makeMachine(object: Provided, machine: string): Promise<Result | undefined> {
    const { finalizers = [], uid = '', name = '' } = object.metadata;
    if (!finalizers.includes(FINALIZER)) {
      const metadata = { ...object.metadata, finalizers: [...finalizers, FINALIZER] };
      await write(TEST_MACHINES, object, { ...object, metadata });
      return LOOK_AGAIN;
    }
    const cluster = object.metadata.labels?.['cluster.x-k8s.io/cluster-name'] ?? '';
    const instance = await cloud.create({
      platform: 'aws',
      token: uid,
      name,
      type: 'm6i.large',
      image: 'ami-1',
      region: 'us-east-1',
      zone: 'us-east-1a',
      tags: { [OWNER_TAG]: uid, machine, cluster, namespace: object.metadata.namespace ?? '' },
      userData: '',
    });
    await write(TEST_MACHINES, object, { ...object, spec: { ...object.spec, providerID: instance.providerId } });
    const addresses = instance.addresses.map(({ type, address }) => ({ type, address }));
    await status(TEST_MACHINES, object, { initialization: { provisioned: true }, addresses });
    return undefined;
  }

  async function removeMachine(object: Provided): Promise<Result | undefined> {
    const { finalizers = [], uid = '' } = object.metadata;
    if (!finalizers.includes(FINALIZER)) return undefined;
    const found = (await cloud.list('aws', { [OWNER_TAG]: uid })).filter(({ state }) => state !== 'terminated');
    for (const { id } of found) await cloud.terminate(id);
    if (found.length > 0) return LOOK_AGAIN;
    const metadata = { ...object.metadata, finalizers: finalizers.filter((each) => each !== FINALIZER) };
    await write(TEST_MACHINES, object, { ...object, metadata });
    return undefined;
  }

  return manager;
}
