import {
  CLUSTERS,
  controlPlaneNamespace,
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  MACHINE_DEPLOYMENTS,
  MACHINE_SETS,
  MACHINES,
  NODE_POOLS,
} from '@capstan/hosting';
import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { HostingPlatform, PolicyRule } from '@capstan/provider';
import { expect } from 'vitest';
import { HOME, poolObject } from '@capstan/tools/hosting';
import type { Hosted } from '@capstan/tools/hosting';
import { isLiving } from '@capstan/upstream';
import { missingPermissions } from './permissions.js';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface ConditionedObject extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly version?: unknown;
    readonly replicas?: number;
    readonly nodeInfo?: { readonly kubeletVersion: string };
  };
}

const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const REQUESTS = {
  group: 'certificates.k8s.io',
  version: 'v1',
  plural: 'certificatesigningrequests',
  namespaced: false,
};
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const ROLES = { group: 'rbac.authorization.k8s.io', version: 'v1', plural: 'roles', namespaced: true };
const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
const AT_HOME = { namespace: HOME };

/** Undefined when a condition is True; else the condition as text. */
function unmet({ status }: ConditionedObject, type: string): string | undefined {
  const found = status?.conditions?.find((each) => each.type === type);
  if (found?.status === 'True') return undefined;
  return `${type} is ${found?.status ?? 'not set'}: ${found?.reason ?? ''} ${found?.message ?? ''}`;
}

interface Role extends KubeObject {
  readonly rules?: readonly PolicyRule[];
}

/** A hosted cluster as its user sees it. */
export class Subject {
  readonly #hosted: Hosted;
  readonly name: string;
  readonly namespace: string;
  readonly guest: Client;
  readonly #platform: HostingPlatform;

  constructor(hosted: Hosted, platform: HostingPlatform, name: string) {
    this.#hosted = hosted;
    this.#platform = platform;
    this.name = name;
    this.namespace = controlPlaneNamespace(HOME, name);
    this.guest = hosted.guestClient(this.namespace);
  }

  get hasMachines(): boolean {
    return this.#platform.machineTemplate !== undefined;
  }

  /** The operator that creates roles holds all permissions that it grants: with RBAC enforced, it could not create them otherwise. */
  async grantsHold(): Promise<void> {
    const { items } = await this.#hosted.client.list<Role>(ROLES, { namespace: this.namespace });
    const held = items.find(({ metadata }) => metadata.name === 'control-plane-operator')?.rules ?? [];
    const granted = items.filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ kind }) => kind === 'HostedControlPlane'),
    );
    expect(granted.map(({ metadata }) => metadata.name)).toContain('hosted-cluster-config-operator');
    expect(granted.some(({ metadata }) => metadata.name === 'cluster-autoscaler')).toBe(this.hasMachines);
    for (const { metadata, rules = [] } of granted)
      expect([metadata.name, missingPermissions(held, rules)]).toEqual([metadata.name, []]);
  }

  async available(): Promise<void> {
    const { client, until } = this.#hosted;
    await until(`${this.name} is available`, async () =>
      unmet(await client.get<ConditionedObject>(HOSTED_CLUSTERS, this.name, AT_HOME), 'Available'),
    );
  }

  async machines(): Promise<readonly ConditionedObject[]> {
    return (await this.#hosted.client.list<ConditionedObject>(MACHINES, { namespace: this.namespace })).items;
  }

  /** Waits for so many ready nodes, all with that kubelet, and for as many machines and instances. */
  async nodes(count: number, kubelet?: string): Promise<void> {
    await this.#hosted.until(`${this.name} has ${count} nodes`, async () => {
      const { items } = await this.guest.list<ConditionedObject>(NODES);
      const ready = items.filter((node) => unmet(node, 'Ready') === undefined);
      const wrong =
        kubelet === undefined ? 0 : ready.filter(({ status }) => status?.nodeInfo?.kubeletVersion !== kubelet).length;
      const machines = this.hasMachines ? (await this.machines()).length : count;
      return ready.length === count && items.length === count && wrong === 0 && machines === count
        ? undefined
        : `${items.length} nodes, ${ready.length} ready, ${wrong} of another kubelet, ${machines} machines`;
    });
    if (this.hasMachines) await this.cloudAgrees();
  }

  /** Machines of the user's own, which Cluster API knows nothing of: started with the user data of the pools. */
  async joinOwn(count: number): Promise<void> {
    const { client, cloud, until } = this.#hosted;
    let data: readonly (KubeObject & { data?: Record<string, string> })[] = [];
    await until('there is user data', async () => {
      const { items } = await client.list<KubeObject & { data?: Record<string, string> }>(SECRETS, {
        namespace: this.namespace,
      });
      data = items.filter(({ metadata }) => metadata.name?.startsWith('user-data-') === true);
      return data.length < count ? `of ${data.length} pools` : undefined;
    });
    for (const [at, { data: values = {} }] of data.entries()) {
      const userData = Buffer.from(values['value'] ?? '', 'base64').toString('utf8');
      const name = `${this.name}-own-${at}`;
      cloud.create('the user', {
        platform: 'metal3',
        name,
        token: name,
        type: 'bare-metal',
        image: 'rhcos',
        zone: 'rack',
        region: 'site',
        tags: {},
        userData,
      });
    }
    await until('their requests are approved by hand', async () => {
      const { items } = await this.guest.list<ConditionedObject & { status?: { conditions?: readonly Condition[] } }>(
        REQUESTS,
      );
      for (const request of items) if ((request.status?.conditions ?? []).length === 0) await this.#approve(request);
      const { items: nodes } = await this.guest.list(NODES);
      return nodes.length === count ? undefined : `${nodes.length} nodes`;
    });
  }

  async #approve(request: KubeObject): Promise<void> {
    const approved = { type: 'Approved', status: 'True', reason: 'ByHand', message: 'kubectl certificate approve' };
    const status = { conditions: [approved] };
    await this.guest.update(REQUESTS, { ...request, status } as KubeObject, { subresource: 'approval' });
  }

  /** The instances of the cloud are those that the machines name. */
  async cloudAgrees(): Promise<void> {
    const named = (await this.machines()).map(({ spec }) => String(spec?.['providerID']));
    const living = this.#hosted.cloud.instances
      .filter((instance) => isLiving(instance))
      .map(({ providerId }) => providerId)
      .filter((id) => named.includes(id));
    expect(living.toSorted()).toEqual(named.toSorted());
  }

  async pool(name: string): Promise<ConditionedObject> {
    return this.#hosted.client.get<ConditionedObject>(NODE_POOLS, name, AT_HOME);
  }

  /** Waits until a pool is ready and its payload valid. */
  async poolIsWell(pool: string): Promise<void> {
    await this.#hosted.until(`${pool} is well`, async () => {
      const found = await this.pool(pool);
      return unmet(found, 'Ready') ?? unmet(found, 'ValidGeneratedPayload');
    });
  }

  async change(pool: string, spec: object): Promise<void> {
    await this.#hosted.client.patch(NODE_POOLS, pool, { type: 'merge', value: { spec } }, AT_HOME);
  }

  /** Brings the control plane to a release, and waits until it runs it. */
  async upgrade(image: string, version: string): Promise<void> {
    const { client, until } = this.#hosted;
    await client.patch(HOSTED_CLUSTERS, this.name, { type: 'merge', value: { spec: { release: { image } } } }, AT_HOME);
    await until(`${this.name} runs ${version}`, async () => {
      const plane = await client.get<ConditionedObject>(HOSTED_CONTROL_PLANES, this.name, {
        namespace: this.namespace,
      });
      const cluster = await client.get<ConditionedObject>(HOSTED_CLUSTERS, this.name, AT_HOME);
      const history =
        (cluster.status?.version as { history?: readonly { version: string; state: string }[] } | undefined)?.history ??
        [];
      const [newest] = history;
      return newest?.version === version && newest.state === 'Completed'
        ? undefined
        : `${JSON.stringify(newest)} ${JSON.stringify(plane.spec?.['releaseImage'])}`;
    });
  }

  async poolRuns(pool: string, version: string): Promise<void> {
    await this.#hosted.until(`${pool} runs ${version}`, async () => {
      const { status } = await this.pool(pool);
      return status?.version === version ? undefined : `it runs ${String(status?.version)}`;
    });
  }

  /** Pods that no node has room for. */
  async crowd(count: number): Promise<void> {
    for (let at = 0; at < count; at += 1) {
      const pod: unknown = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `crowd-${at}`, namespace: 'default' },
        spec: { containers: [{ name: 'c', image: 'pause', resources: { requests: { cpu: '3' } } }] },
      };
      await this.guest.create(PODS, pod as KubeObject);
      const unschedulable = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' };
      await this.guest.patch(
        PODS,
        `crowd-${at}`,
        { type: 'merge', value: { status: { conditions: [unschedulable] } } },
        { namespace: 'default', subresource: 'status' },
      );
    }
  }

  async addPool(name: string, image: string, spec: object): Promise<void> {
    await this.#hosted.apply([poolObject(this.#platform, { name, cluster: this.name, image }, spec)]);
  }

  /** Asks for the end of the cluster and waits until nothing is left of it. */
  async destroy(): Promise<void> {
    const { client, cloud, until } = this.#hosted;
    const named = (await this.machines()).map(({ spec }) => String(spec?.['providerID']));
    await client.delete(HOSTED_CLUSTERS, this.name, AT_HOME);
    await until(`${this.name} is gone`, async () => {
      const { items } = await client.list(HOSTED_CLUSTERS, AT_HOME);
      return items.some(({ metadata }) => metadata.name === this.name) ? 'it is still there' : undefined;
    });
    const names = async (ref: Parameters<Client['list']>[0], options = {}): Promise<string[]> =>
      (await client.list(ref, options)).items.map(({ metadata }) => metadata.name ?? '');
    expect(await names(NAMESPACES)).not.toContain(this.namespace);
    // These are its own, and collected once it is gone.
    await until(`the Secrets of ${this.name} are collected`, async () => {
      const secrets = (await names(SECRETS, AT_HOME)).filter((each) => each.startsWith(`${this.name}-`));
      return secrets.find((each) => each.includes('kubeconfig'));
    });
    for (const kind of [CLUSTERS, MACHINES, MACHINE_SETS, MACHINE_DEPLOYMENTS])
      expect(await names(kind, { namespace: this.namespace })).toEqual([]);
    expect((await names(NODE_POOLS, AT_HOME)).filter((each) => each.startsWith(`${this.name}-`))).toEqual([]);
    const left = cloud.instances.filter((each) => isLiving(each) && named.includes(each.providerId));
    expect(left).toEqual([]);
  }
}
