import type { MachineDeployment } from '@capstan/api/cluster-api';
import type { NodePool } from '@capstan/api/hypershift';
import { hostingPlatforms } from '@capstan/cli/platforms';
import { Scheduler } from '@capstan/cluster';
import type { Node, Pod } from '@capstan/cluster';
import { MACHINE_DEPLOYMENTS, NODE_POOLS } from '@capstan/hosting';
import { silentLogger } from '@capstan/kube';
import type { HostingPlatform } from '@capstan/provider';
import { clusterObjects, HOME, hostedSnapshot, hostedSimulation, poolObject } from '@capstan/tools/hosting';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Subject } from './scenario.js';

type Simulation = Awaited<ReturnType<typeof hostedSimulation>>;

const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const IN_DEFAULT = { namespace: 'default' };
const IDLE_MS = 900_000;
const LABELS = { 'example.com/work': 'batch' };
const TAINT = { key: 'example.com/dedicated', value: 'batch', effect: 'NoSchedule' };
const OWN = { nodeSelector: LABELS, tolerations: [{ ...TAINT, operator: 'Equal' }] };

const platforms = await hostingPlatforms();
const [growing, standing] = [true, false].map((scalesFromZero) =>
  [...platforms].filter(
    ({ machineTemplate, nodePools }) => machineTemplate !== undefined && nodePools.scalesFromZero === scalesFromZero,
  ),
) as [HostingPlatform[], HostingPlatform[]];

function pod(name: string, spec: object): Pod {
  const containers = [{ name: 'main', image: 'work:1', resources: { requests: { cpu: '1', memory: '1Gi' } } }];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...IN_DEFAULT },
    spec: { containers, ...spec },
  };
}

/** A cluster with a pool that always has a node, with room to spare, and one that has none unless it is needed. */
class Cluster extends Subject {
  readonly #simulation: Simulation;
  readonly #ended = new AbortController();

  constructor(simulation: Simulation, platform: HostingPlatform) {
    super(simulation, platform, `zero-${platform.key}`);
    this.#simulation = simulation;
  }

  async apply(platform: HostingPlatform): Promise<void> {
    const [image = ''] = this.#simulation.images;
    const pool = (name: string, spec: object) =>
      poolObject(platform, { name: `${this.name}-${name}`, cluster: this.name, image }, spec);
    const { replicas: _, ...batch } = pool('batch', {})['spec'] as Record<string, unknown>;
    await this.#simulation.apply([
      ...clusterObjects(platform, this.name, image),
      pool('steady', { replicas: 1 }),
      {
        ...pool('batch', {}),
        spec: { ...batch, autoScaling: { min: 0, max: 2 }, nodeLabels: LABELS, taints: [TAINT] },
      },
    ]);
    await this.nodes(1);
    const { simulation } = this.#simulation;
    const clock = simulation.timeline.clock();
    const random = simulation.random.split(`scheduler of ${this.name}`);
    void new Scheduler({ client: this.guest, clock, random, logger: silentLogger() }).start(this.#ended.signal);
  }

  end(): void {
    this.#ended.abort();
  }

  batch(): Promise<MachineDeployment> {
    return this.#simulation.client.get<MachineDeployment>(MACHINE_DEPLOYMENTS, `${this.name}-batch`, {
      namespace: this.namespace,
    });
  }

  async nodeOf(name: string): Promise<Node> {
    let node = '';
    await this.#simulation.until(`${name} has a node`, async () => {
      const { spec, status } = await this.guest.get<Pod>(PODS, name, IN_DEFAULT);
      node = spec?.nodeName ?? '';
      return node === '' ? JSON.stringify(status?.conditions) : undefined;
    });
    return this.guest.get<Node>(NODES, node);
  }

  /** Deletes a pod at once: no kubelet runs on these nodes to confirm its end. */
  async take(name: string): Promise<void> {
    await this.guest.delete(PODS, name, { ...IN_DEFAULT, gracePeriodSeconds: 0 });
  }

  async idle(): Promise<void> {
    await this.#simulation.simulation.runUntil(this.#simulation.elapsed + IDLE_MS);
  }

  /** Of the pool that grows: its machines wanted, and those its NodePool counts. */
  async size(): Promise<readonly unknown[]> {
    const pool = await this.#simulation.client.get<NodePool>(NODE_POOLS, `${this.name}-batch`, { namespace: HOME });
    return [(await this.batch()).spec?.replicas, pool.status?.replicas];
  }
}

describe.each(growing)('a pool without a node on $type', { timeout: 120_000 }, (platform) => {
  let simulation: Simulation;
  let cluster: Cluster;
  beforeAll(async () => {
    simulation = await hostedSimulation(platforms, { snapshot: await hostedSnapshot([platform]) });
    cluster = new Cluster(simulation, platform);
    await cluster.apply(platform);
  }, 120_000);
  afterAll(() => {
    cluster.end();
    simulation.simulation.end();
  });

  it('announces the capacity of its nodes to the autoscaler, and has none while no pod needs one', async () => {
    // Room for it is on the other node, and none on any of this pool.
    await cluster.guest.create(PODS, pod('anywhere', {}));
    await cluster.guest.create(PODS, pod('nowhere', { ...OWN, nodeSelector: { 'example.com/work': 'other' } }));
    await cluster.guest.create(PODS, pod('kept-off', { nodeSelector: LABELS }));
    await cluster.nodeOf('anywhere');
    await cluster.idle();
    expect(await cluster.size()).toEqual([0, 0]);
    const { metadata } = await cluster.batch();
    expect(metadata.annotations).toMatchObject({
      'cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size': '0',
      'cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size': '2',
      'capacity.cluster-autoscaler.kubernetes.io/labels': 'example.com/work=batch,kubernetes.io/arch=amd64',
      'capacity.cluster-autoscaler.kubernetes.io/taints': 'example.com/dedicated=batch:NoSchedule',
      'machine.openshift.io/vCPU': expect.stringMatching(/^[1-9]\d*$/),
      'machine.openshift.io/memoryMb': expect.stringMatching(/^[1-9]\d*$/),
    });
    await cluster.nodes(1);
    for (const name of ['anywhere', 'nowhere', 'kept-off']) await cluster.take(name);
  });

  it('gets one for a pod that fits nowhere else, and has none again when that is gone: as often as it happens', async () => {
    for (const name of ['first', 'second']) {
      await cluster.guest.create(PODS, pod(name, OWN));
      const { metadata, spec } = await cluster.nodeOf(name);
      expect(metadata.labels).toMatchObject(LABELS);
      expect(spec?.taints).toContainEqual(TAINT);
      await cluster.nodes(2);
      // No second one comes, and this one stays as long as it is needed.
      await cluster.idle();
      expect(await cluster.size()).toEqual([1, 1]);
      expect((await cluster.nodeOf(name)).metadata.uid).toBe(metadata.uid);
      await cluster.take(name);
      await cluster.nodes(1);
      expect(await cluster.size()).toEqual([0, 0]);
    }
  });
});

describe('where a platform cannot begin at none', () => {
  let simulation: Simulation;
  beforeAll(async () => {
    simulation = await hostedSimulation(platforms, { snapshot: await hostedSnapshot(standing) });
  }, 120_000);
  afterAll(() => simulation.simulation.end());

  it.each(standing)('a pool of $type that asks for it is refused', async (platform) => {
    const [image = ''] = simulation.images;
    const asked = poolObject(platform, { name: `zero-${platform.key}`, cluster: 'any', image }, {});
    const { replicas: _, ...spec } = asked['spec'] as Record<string, unknown>;
    const create = (min: number) =>
      simulation.client.create(NODE_POOLS, { ...asked, spec: { ...spec, autoScaling: { min, max: 2 } } });
    await expect(create(0)).rejects.toThrow(
      `NodePool.hypershift.openshift.io "zero-${platform.key}" is invalid: spec: Invalid value: Scale-from-zero (autoScaling.min=0) is currently only supported for AWS and Azure platforms`,
    );
    await create(1);
  });
});
