import { generationChanged, Manager } from '@capstan/kube';
import type { ManagerOptions, Reconcile, Request, ResourceRef, Result } from '@capstan/kube';
import { cloneJson, createMergePatch, isAlreadyExists, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { CloudApi } from '../../../cloud/client.js';
import { OWNER_TAG } from '../../../cloud/oracles.js';
import type { GuestCluster } from '../../../guests/guest-cluster.js';
import { coreResource, SECRETS } from '../kinds.js';
import { labels } from '../names.js';
import { coreOwner } from '../owners.js';
import type { Machine } from '../types.js';
import { TEST_CLUSTERS, TEST_CONFIGS, TEST_CONTROL_PLANES, TEST_MACHINES } from './definitions.js';

export interface TestProviderOptions extends ManagerOptions {
  readonly cloud: CloudApi;
  readonly guest: (namespace: string, name: string) => GuestCluster;
  /** The version in which Machines are read. Default v1beta2. */
  readonly coreVersion?: string | undefined;
}

interface Provided extends KubeObject {
  spec?: { providerID?: string; controlPlaneEndpoint?: object; [field: string]: unknown };
  status?: Record<string, unknown>;
}

const FINALIZER = 'test.infrastructure.cluster.x-k8s.io';
const LOOK_AGAIN: Result = { requeueAfterMs: 2_000 };

/** A provider of infrastructure, bootstrap data and control planes, as small as the contract allows. */
export function testProvider(options: TestProviderOptions): Manager {
  const { cloud, guest, coreVersion = 'v1beta2', ...managerOptions } = options;
  const manager = new Manager(managerOptions);
  const provider = new TestProvider(manager, { cloud, guest, coreVersion });
  const kinds: readonly (readonly [string, ResourceRef, (object: Provided) => Promise<Result | void>])[] = [
    ['TestCluster', TEST_CLUSTERS, provider.cluster],
    ['TestControlPlane', TEST_CONTROL_PLANES, provider.controlPlane],
    ['TestConfig', TEST_CONFIGS, provider.config],
    ['TestMachine', TEST_MACHINES, provider.machine],
  ];
  for (const [kind, ref, reconcile] of kinds) {
    const controller = manager
      .controller({ name: kind.toLowerCase(), maxConcurrent: 5, reconcile: provider.reading(ref, reconcile) })
      .for({ ...ref, kind });
    // Nothing of the infrastructure itself changes when the data of its machine come.
    if (ref === TEST_MACHINES)
      controller.watches<Machine>(provider.machines, infrastructureOf, { predicates: [generationChanged] });
  }
  return manager;
}

/** What is to be made for a machine once there is data to begin with; until then nothing can be. */
function infrastructureOf({ metadata, spec }: Machine): Request[] {
  const { infrastructureRef: { kind, name = '' } = {}, bootstrap } = spec;
  if (kind !== 'TestMachine' || bootstrap?.dataSecretName === undefined) return [];
  return [{ namespace: metadata.namespace ?? '', name }];
}

class TestProvider {
  readonly machines: ResourceRef;
  readonly #manager: Manager;
  readonly #cloud: CloudApi;
  readonly #guest: TestProviderOptions['guest'];

  constructor(manager: Manager, parts: Required<Pick<TestProviderOptions, 'cloud' | 'guest' | 'coreVersion'>>) {
    this.#manager = manager;
    this.#cloud = parts.cloud;
    this.#guest = parts.guest;
    this.machines = coreResource('Machine', parts.coreVersion ?? '');
  }

  /** Reads the object first; one that is gone needs nothing. */
  reading(ref: ResourceRef, reconcile: (object: Provided) => Promise<Result | void>): Reconcile {
    return async ({ namespace, name }) => {
      try {
        return await reconcile(cloneJson(await this.#manager.cache.get<Provided>(ref, name, { namespace })));
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    };
  }

  readonly cluster = async (object: Provided): Promise<void> => {
    const owner = coreOwner(object, ['Cluster']);
    const { namespace = '', deletionTimestamp } = object.metadata;
    if (owner === undefined || deletionTimestamp != null) return;
    const controlPlaneEndpoint = { host: new URL(this.#guest(namespace, owner.name).url).hostname, port: 6443 };
    await this.#write(TEST_CLUSTERS, object, { ...object, spec: { ...object.spec, controlPlaneEndpoint } });
    await this.#status(TEST_CLUSTERS, object, { initialization: { provisioned: true } });
  };

  readonly controlPlane = async (object: Provided): Promise<void> => {
    const owner = coreOwner(object, ['Cluster']);
    const { namespace = '', deletionTimestamp } = object.metadata;
    if (owner === undefined || deletionTimestamp != null) return;
    await this.#secret(this.#guest(namespace, owner.name).kubeconfigSecret());
    const initialization = { controlPlaneInitialized: true };
    await this.#status(TEST_CONTROL_PLANES, object, { initialization, externalManagedControlPlane: true });
  };

  readonly config = async (object: Provided): Promise<void> => {
    const { apiVersion, kind, metadata } = object;
    const { name = '', namespace = '', uid = '' } = metadata;
    const cluster = metadata.labels?.[labels.clusterName];
    if (cluster === undefined || coreOwner(object, ['Machine']) === undefined) return;
    if (object.status?.['dataSecretName'] === name) return;
    const value = Buffer.from(this.#guest(namespace, cluster).userData()).toString('base64');
    const ownerReferences = [{ apiVersion, kind, name, uid }];
    await this.#secret({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace, ownerReferences },
      data: { value },
    });
    await this.#status(TEST_CONFIGS, object, { dataSecretName: name, initialization: { dataSecretCreated: true } });
  };

  readonly machine = async (object: Provided): Promise<Result | void> => {
    const { namespace, deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp != null) return this.#remove(object);
    const owner = coreOwner(object, ['Machine']);
    if (owner === undefined) return;
    const machine = await this.#manager.cache.get<Machine>(this.machines, owner.name, { namespace });
    if (machine.spec.bootstrap?.dataSecretName === undefined) return;
    if (finalizers.includes(FINALIZER)) return this.#make(object);
    const metadata = { ...object.metadata, finalizers: [...finalizers, FINALIZER] };
    await this.#write(TEST_MACHINES, object, { ...object, metadata });
  };

  async #make(object: Provided): Promise<void> {
    const { uid = '', name = '' } = object.metadata;
    const instance = await this.#cloud.create({
      platform: 'aws',
      token: uid,
      name,
      type: 'm6i.large',
      image: 'ami-1',
      region: 'us-east-1',
      zone: 'us-east-1a',
      tags: { [OWNER_TAG]: uid },
      userData: '',
    });
    await this.#write(TEST_MACHINES, object, { ...object, spec: { ...object.spec, providerID: instance.providerId } });
    const addresses = instance.addresses.map(({ type, address }) => ({ type, address }));
    await this.#status(TEST_MACHINES, object, { initialization: { provisioned: true }, addresses });
  }

  async #remove(object: Provided): Promise<Result | void> {
    const { finalizers = [], uid = '' } = object.metadata;
    if (!finalizers.includes(FINALIZER)) return;
    const found = (await this.#cloud.list('aws', { [OWNER_TAG]: uid })).filter(({ state }) => state !== 'terminated');
    for (const { id } of found) await this.#cloud.terminate(id);
    if (found.length > 0) return LOOK_AGAIN;
    const metadata = { ...object.metadata, finalizers: finalizers.filter((each) => each !== FINALIZER) };
    await this.#write(TEST_MACHINES, object, { ...object, metadata });
  }

  async #secret(secret: KubeObject): Promise<void> {
    await this.#manager.client.create(SECRETS, secret).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  }

  async #write(ref: ResourceRef, before: Provided, after: Provided, subresource?: 'status'): Promise<void> {
    const value = createMergePatch(before, after);
    const { name = '', namespace } = before.metadata;
    if (Object.keys(value).length === 0) return;
    await this.#manager.client.patch(ref, name, { type: 'merge', value }, { namespace, subresource });
  }

  #status(ref: ResourceRef, object: Provided, next: Record<string, unknown>): Promise<void> {
    return this.#write(ref, object, { ...object, status: { ...object.status, ...next } }, 'status');
  }
}
