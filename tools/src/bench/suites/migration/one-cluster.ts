import { ApiServer } from '@capstan/apiserver';
import {
  copyOfCluster,
  createTestCluster,
  installCrds,
  MAPPING,
  migrationScenario,
  readLive,
  testCrds,
} from '@capstan/cli/rehearsal/testing';
import type { ClusterCopy } from '@capstan/cli/rehearsal/testing';
import { Client, systemClock, systemRandom } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { eachBounded } from '@capstan/migration';
import { rehearse } from '@capstan/simulation';
import type { RehearsalOracle, RehearsalScenario } from '@capstan/simulation';

const CORE = 'cluster.x-k8s.io';
const CONCURRENCY = 8;
/** The process of the controller. */
const MIGRATION = 'hypershift-migration';
const CALM = { seed: 0, isFaulty: false };

/** What a hosted cluster has of the kinds of Cluster API. */
export interface ClusterShape {
  readonly name: string;
  readonly machines: number;
  /** MachineDeployments without machines, each with so many MachineSets. Default: none. */
  readonly deployments?: { readonly count: number; readonly setsEach: number } | undefined;
}

/** Hosted clusters as a rehearsal copies them from a management cluster. */
export async function copiesOf(shapes: readonly ClusterShape[]): Promise<readonly ClusterCopy[]> {
  const server = new ApiServer({ clock: systemClock(), random: systemRandom('bench of migrations') });
  const client = new Client(server, { userAgent: 'bench' });
  await installCrds(client, await testCrds());
  for (const shape of shapes) {
    await createTestCluster(client, shape);
    await createDeployments(client, shape);
  }
  const { signal } = new AbortController();
  const fleet = await readLive({ client, mapping: MAPPING, filter: () => true, signal });
  return fleet.clusters.map((source) =>
    copyOfCluster(fleet, source, { mapping: MAPPING, mirrors: false, nowMs: Date.now() }),
  );
}

function kindOf(kind: string): ResourceKind {
  return { group: CORE, version: 'v1beta2', plural: `${kind.toLowerCase()}s`, namespaced: true, kind };
}

async function createDeployments(client: Client, { deployments, name: cluster }: ClusterShape): Promise<void> {
  const { count = 0, setsEach = 0 } = deployments ?? {};
  const create = (kind: string, name: string, owner?: KubeObject): Promise<KubeObject> => {
    const selector = { matchLabels: { pool: name } };
    const infrastructureRef = { apiGroup: `infrastructure.${CORE}`, kind: 'AWSMachineTemplate', name: 'workers' };
    const machine = { clusterName: cluster, bootstrap: { dataSecretName: 'user-data' }, infrastructureRef };
    const template = { metadata: { labels: { pool: name } }, spec: machine };
    const { uid = '' } = owner?.metadata ?? {};
    const reference = { apiVersion: `${CORE}/v1beta2`, kind: owner?.kind ?? '', name: owner?.metadata.name ?? '', uid };
    return client.create(kindOf(kind), {
      apiVersion: `${CORE}/v1beta2`,
      kind,
      metadata: {
        name,
        namespace: `clusters-${cluster}`,
        ownerReferences: owner === undefined ? [] : [{ ...reference, controller: true }],
      },
      spec: { clusterName: cluster, replicas: 0, selector, template },
    } as unknown as KubeObject);
  };
  const all = Array.from({ length: count }, (_, at) => at);
  await eachBounded(all, CONCURRENCY, async (at) => {
    const deployment = await create('MachineDeployment', `pool-${at}`);
    for (let set = 0; set < setsEach; set += 1) await create('MachineSet', `pool-${at}-${set}`, deployment);
  });
}

/** What one migration took. */
export interface MigrationCost {
  /** Milliseconds of a processor, server and stand-ins included. */
  readonly processorMs: number;
  /** Virtual time, with every wait of the controller as it is by default. */
  readonly seconds: number;
  /** Of the controller to the server. */
  readonly requests: number;
}

/**
 * The migration of one cluster by the controller itself, in virtual time on an embedded server: nothing else acts but what
 * makes Deployments available and acknowledges the lock. Nothing is compared.
 */
export class MigratedAlone {
  readonly #scenario: RehearsalScenario;
  #requests = 0;

  private constructor(scenario: RehearsalScenario) {
    const counted: RehearsalOracle = {
      name: 'requests',
      onEvent: (event) => {
        if (event.type === 'send' && event.process === MIGRATION) this.#requests += 1;
        return undefined;
      },
    };
    this.#scenario = {
      copy: scenario.copy,
      begin: (context) => {
        const script = scenario.begin(context);
        const actions = script.actions.slice(0, 1).map((action) => ({ ...action, differences: () => [] }));
        return { ...script, actions, oracles: [counted] };
      },
    };
  }

  static async of(copy: ClusterCopy): Promise<MigratedAlone> {
    const still = { ...copy, controllers: { core: undefined, platforms: [], carried: [] } };
    const scenario = migrationScenario(still, MAPPING);
    if (typeof scenario.copy === 'function') await scenario.copy();
    return new MigratedAlone(scenario);
  }

  async run(): Promise<MigrationCost> {
    this.#requests = 0;
    const before = process.cpuUsage();
    const { durationMs, message, result } = await rehearse(this.#scenario, CALM);
    if (result !== 'done') throw new Error(`the migration ended as ${result}: ${message ?? ''}`);
    const { system, user } = process.cpuUsage(before);
    return { processorMs: (system + user) / 1_000, seconds: durationMs / 1_000, requests: this.#requests };
  }

  async processorMs(): Promise<number> {
    return (await this.run()).processorMs;
  }
}
