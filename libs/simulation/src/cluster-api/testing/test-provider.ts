import { generationChanged, Manager } from '@capstan/kube';
import type { ManagerOptions, Reconcile, Request, ResourceRef, Result } from '@capstan/kube';
import { cloneJson, createMergePatch, isAlreadyExists, isNotFound } from '@capstan/meta';
import type { KubeObject, OwnerReference } from '@capstan/meta';
import { instanceIdOf, OWNER_TAG } from '@capstan/upstream';
import type { CloudApi, Instance } from '@capstan/upstream';
import { coreOwner, coreResource, labels, SECRETS } from '@capstan/upstream/cluster-api';
import type { Machine } from '@capstan/upstream/cluster-api';
import type { GuestCluster } from '../../guests/guest-cluster.js';
import { TEST_CLUSTERS, TEST_CONFIGS, TEST_CONTROL_PLANES, TEST_MACHINES } from './definitions.js';

export interface TestProviderOptions extends ManagerOptions {
  readonly cloud: CloudApi;
  readonly guest: (namespace: string, name: string) => GuestCluster;
  /** The version in which Machines are read. Default v1beta2. */
  readonly coreVersion?: string | undefined;
  /** The group in which the server really has what is in this one elsewhere. Default: the same. */
  readonly groupOf?: ((group: string) => string) | undefined;
}

interface Provided extends KubeObject {
  spec?: { providerID?: string; controlPlaneEndpoint?: object; [field: string]: unknown };
  status?: Record<string, unknown>;
}

const FINALIZER = 'test.infrastructure.cluster.x-k8s.io';
const LOOK_AGAIN: Result = { requeueAfterMs: 2_000 };

/** A provider of infrastructure, bootstrap data and control planes, as small as the contract allows. */
export function testProvider(options: TestProviderOptions): Manager {
  const { cloud, guest, coreVersion = 'v1beta2', groupOf = (group) => group, ...managerOptions } = options;
  const manager = new Manager(managerOptions);
  const provider = new TestProvider(manager, { cloud, guest, coreVersion, groupOf });
  const kinds: readonly (readonly [string, ResourceRef, (object: Provided) => Promise<Result | void>])[] = [
    ['TestCluster', provider.kinds.clusters, provider.cluster],
    ['TestControlPlane', provider.kinds.controlPlanes, provider.controlPlane],
    ['TestConfig', provider.kinds.configs, provider.config],
    ['TestMachine', provider.kinds.machines, provider.machine],
  ];
  for (const [kind, ref, reconcile] of kinds) {
    const controller = manager
      .controller({ name: kind.toLowerCase(), maxConcurrent: 5, reconcile: provider.reading(ref, reconcile) })
      .for({ ...ref, kind });
    // Nothing of the infrastructure itself changes when the data of its machine come.
    if (ref === provider.kinds.machines)
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

type Parts = Pick<TestProviderOptions, 'cloud' | 'guest'> & {
  readonly coreVersion: string;
  readonly groupOf: (group: string) => string;
};

type ProviderKind = 'clusters' | 'configs' | 'controlPlanes' | 'machines';

class TestProvider {
  readonly kinds: Readonly<Record<ProviderKind, ResourceRef>>;
  readonly machines: ResourceRef;
  readonly #manager: Manager;
  readonly #cloud: CloudApi;
  readonly #guest: TestProviderOptions['guest'];

  constructor(manager: Manager, { cloud, coreVersion, groupOf, guest }: Parts) {
    const really = (ref: ResourceRef): ResourceRef => ({ ...ref, group: groupOf(ref.group) });
    this.#manager = manager;
    this.#cloud = cloud;
    this.#guest = guest;
    this.machines = really(coreResource('Machine', coreVersion));
    this.kinds = {
      clusters: really(TEST_CLUSTERS),
      configs: really(TEST_CONFIGS),
      controlPlanes: really(TEST_CONTROL_PLANES),
      machines: really(TEST_MACHINES),
    };
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
    const owner = this.#owner(object, 'Cluster');
    const { namespace = '', deletionTimestamp } = object.metadata;
    if (owner === undefined || deletionTimestamp != null) return;
    const controlPlaneEndpoint = { host: new URL(this.#guest(namespace, owner.name).url).hostname, port: 6443 };
    await this.#write(this.kinds.clusters, object, { ...object, spec: { ...object.spec, controlPlaneEndpoint } });
    await this.#status(this.kinds.clusters, object, { initialization: { provisioned: true } });
  };

  readonly controlPlane = async (object: Provided): Promise<void> => {
    const owner = this.#owner(object, 'Cluster');
    const { namespace = '', deletionTimestamp } = object.metadata;
    if (owner === undefined || deletionTimestamp != null) return;
    await this.#secret(this.#guest(namespace, owner.name).kubeconfigSecret());
    const initialization = { controlPlaneInitialized: true };
    await this.#status(this.kinds.controlPlanes, object, { initialization, externalManagedControlPlane: true });
  };

  readonly config = async (object: Provided): Promise<void> => {
    const { apiVersion, kind, metadata } = object;
    const { name = '', namespace = '', uid = '' } = metadata;
    const cluster = metadata.labels?.[labels.clusterName];
    if (cluster === undefined || this.#owner(object, 'Machine') === undefined) return;
    if (object.status?.['dataSecretName'] === name) return;
    const value = Buffer.from(this.#guest(namespace, cluster).userData()).toString('base64');
    const ownerReferences = [{ apiVersion, kind, name, uid }];
    await this.#secret({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace, ownerReferences },
      data: { value },
    });
    await this.#status(this.kinds.configs, object, {
      dataSecretName: name,
      initialization: { dataSecretCreated: true },
    });
  };

  readonly machine = async (object: Provided): Promise<Result | void> => {
    const { namespace, deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp != null) return this.#remove(object);
    const owner = this.#owner(object, 'Machine');
    if (owner === undefined) return;
    const machine = await this.#manager.cache.get<Machine>(this.machines, owner.name, { namespace });
    if (machine.spec.bootstrap?.dataSecretName === undefined) return;
    if (finalizers.includes(FINALIZER)) return this.#make(object);
    const metadata = { ...object.metadata, finalizers: [...finalizers, FINALIZER] };
    await this.#write(this.kinds.machines, object, { ...object, metadata });
  };

  #owner(object: Provided, kind: 'Cluster' | 'Machine'): OwnerReference | undefined {
    return coreOwner(object, [kind], this.machines.group);
  }

  async #make(object: Provided): Promise<void> {
    const { uid = '', name = '' } = object.metadata;
    const recorded = await this.#recorded(object);
    const instance =
      recorded ??
      (await this.#cloud.create({
        platform: 'aws',
        token: uid,
        name,
        type: 'm6i.large',
        image: 'ami-1',
        region: 'us-east-1',
        zone: 'us-east-1a',
        tags: { [OWNER_TAG]: uid },
        userData: '',
      }));
    await this.#write(this.kinds.machines, object, {
      ...object,
      spec: { ...object.spec, providerID: instance.providerId },
    });
    const addresses = instance.addresses.map(({ type, address }) => ({ type, address }));
    await this.#status(this.kinds.machines, object, { initialization: { provisioned: true }, addresses });
  }

  async #remove(object: Provided): Promise<Result | void> {
    const { finalizers = [], uid = '' } = object.metadata;
    if (!finalizers.includes(FINALIZER)) return;
    const owned = await this.#cloud.list('aws', { [OWNER_TAG]: uid });
    // An object that was restored or moved has another UID than the one that asked for the instance.
    const recorded = await this.#recorded(object);
    const found = [
      ...owned.filter(({ id }) => id !== recorded?.id),
      ...(recorded === undefined ? [] : [recorded]),
    ].filter(({ state }) => state !== 'terminated');
    for (const { id } of found) await this.#cloud.terminate(id);
    if (found.length > 0) return LOOK_AGAIN;
    const metadata = { ...object.metadata, finalizers: finalizers.filter((each) => each !== FINALIZER) };
    await this.#write(this.kinds.machines, object, { ...object, metadata });
  }

  #recorded({ spec }: Provided): Promise<Instance | undefined> {
    const { providerID } = spec ?? {};
    return providerID === undefined ? Promise.resolve(undefined) : this.#cloud.get(instanceIdOf(providerID));
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
