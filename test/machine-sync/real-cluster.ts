import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GarbageCollector } from '@capstan/cluster';
import { Client, kubeconfigJson, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { Manager, ResourceKind, ResourceRef } from '@capstan/kube';
import { waitToSee, waitUntil } from '@capstan/kube/testing';
import { CLUSTER_API_NAMESPACE, MAPI_MACHINE_SETS, MAPI_MACHINES } from '@capstan/machine-api';
import { machineApiManifests, PROGRAM_NAME } from '@capstan/machine-api/manifests';
import { formatTime } from '@capstan/meta';
import type { Condition, KubeObject, Transport } from '@capstan/meta';
import { MACHINE_API_NAMESPACE, runMachineNodes } from '@capstan/simulation';
import { clusterApiDefinitions, OriginalManager } from '@capstan/tools';
import type { ServerAccess } from '@capstan/tools';
import { createNamespaces, createSyncObjects, SET, syncDefinitions, unsettled } from '@capstan/tools/handover';
import type { Settled } from '@capstan/tools/handover';
import { installDefinitions } from '@capstan/tools/hosting';
import {
  clockCarry,
  Cloud,
  cloudClient,
  infrastructureProvider,
  isLiving,
  machineApiManager,
  noticesOf,
} from '@capstan/upstream';
import { parse } from 'yaml';
import { become, RESOURCES, tokenOf } from '../manifests/accounts.js';
import type { Account } from '../manifests/accounts.js';
import { runContainer } from '../manifests/capstan.js';
import { transportTo } from '../src/transport.js';

const NODES: ResourceRef = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
/** Longer than the health check of the test tolerates. */
const DEAD_MS = 60_000;
const CHANGES: ReadonlySet<string> = new Set(['create', 'start', 'stop', 'terminate']);
const QUICK = { boot: [300, 900], terminate: [200, 500], stop: [100, 200], consistency: [0, 50] } as const;
const POLLING = { clock: systemClock(), limitMs: 90_000, everyMs: 200 };
/** Who calls the cloud. */
export const CALLERS = { MachineAPI: 'machine-api', ClusterAPI: 'cluster-api' } as const;
/** Programs that the platform gives more than this test is about. */
const PRIVILEGED = [
  [MACHINE_API_NAMESPACE, 'machine-api-controllers'],
  [CLUSTER_API_NAMESPACE, 'capi-controller-manager'],
  [CLUSTER_API_NAMESPACE, 'capa-controller-manager'],
  ['kube-system', 'generic-garbage-collector'],
] as const;

/** A machine of either API, as far as the test reads it. */
export interface AnyMachine extends KubeObject {
  readonly spec?: { readonly providerID?: string };
  readonly status?: { readonly nodeRef?: { readonly name?: string }; readonly conditions?: readonly Condition[] };
}

/**
 * Both APIs on a real kube-apiserver: the original manager of Cluster API, the operator with the arguments and the
 * permissions it is installed with, and stand-ins for Machine API, the provider, nodes and their cloud.
 */
export class RealSyncCluster {
  readonly client: Client;
  readonly cloud = new Cloud({ clock: systemClock(), random: systemRandom(), timings: QUICK });
  readonly #access: ServerAccess & { readonly caPem: string; readonly token: string };
  readonly #manager = new OriginalManager();
  readonly #folder = mkdtempSync(join(tmpdir(), 'capstan-machine-sync-'));
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>[] = [];
  readonly #transports: { close(): Promise<void> }[] = [];
  #operator: { end(): Promise<void> } | undefined;

  constructor(access: ServerAccess & { readonly caPem: string; readonly token: string }) {
    this.#access = access;
    const transport = transportTo(access);
    this.#transports.push(transport);
    this.client = new Client(transport, { userAgent: 'kubectl' });
  }

  async begin(): Promise<void> {
    const { caPem, token, url } = this.#access;
    const published = (await clusterApiDefinitions()).map((text) => parse(text) as KubeObject);
    await installDefinitions(this.client, syncDefinitions(await this.#manager.definitions(published)));
    await createNamespaces(this.client);
    await this.#createAccounts();
    const manager = { namespace: CLUSTER_API_NAMESPACE, name: 'capi-controller-manager' };
    const own = { url, caPem, token: await tokenOf(this.client, manager) };
    await this.#manager.start(own, this.client, { admits: true });
    await createSyncObjects(this.client, kubeconfigJson({ server: url, caPem, token, name: 'cluster' }));
    await this.#runControllers();
    await this.#runOperator();
  }

  async #createAccounts(): Promise<void> {
    for (const [namespace, name] of PRIVILEGED)
      await this.client.create(RESOURCES.ServiceAccount, {
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { name, namespace },
      });
    await this.client.create(RESOURCES.ClusterRoleBinding, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'privileged' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: PRIVILEGED.map(([namespace, name]) => ({ kind: 'ServiceAccount', namespace, name })),
    } as KubeObject);
  }

  async #become(namespace: string, name: string): Promise<Account> {
    const { caPem: ca, token, url } = this.#access;
    const account = await become({ ca, token, url }, this.client, { folder: this.#folder, namespace, name });
    this.#transports.push(account.transport);
    return account;
  }

  async #runControllers(): Promise<void> {
    const [clock, random, logger] = [systemClock(), systemRandom(), silentLogger()];
    const { signal } = this.#stop;
    const carry = clockCarry(clock, random);
    const as = async (namespace: string, name: string): Promise<Transport> =>
      (await this.#become(namespace, name)).transport;
    const notices = noticesOf(this.cloud);
    const machineApi = machineApiManager({
      transport: await as(MACHINE_API_NAMESPACE, 'machine-api-controllers'),
      cloud: cloudClient(this.cloud, CALLERS.MachineAPI, carry),
      intervals: { listingLagMs: 1_000, lookAgainMs: 1_000 },
      hasControlPlane: false,
      notices,
    });
    const provider = infrastructureProvider({
      transport: await as(CLUSTER_API_NAMESPACE, 'capa-controller-manager'),
      cloud: cloudClient(this.cloud, CALLERS.ClusterAPI, carry),
      platform: 'aws',
      intervals: { soonMs: 500, bootingMs: 1_000 },
      notices,
    });
    const collector = new Client(await as('kube-system', 'generic-garbage-collector'), { userAgent: 'collector' });
    this.#running.push(
      ...[machineApi, provider].map((each: Manager) => each.run(signal)),
      new GarbageCollector({ client: collector, clock, random, logger }).start(signal),
      runMachineNodes(this.cloud, { client: this.client, clock, logger, random, signal }),
    );
  }

  /** As its Deployment runs it, which a server without nodes cannot. */
  async #runOperator(): Promise<void> {
    const namespace = CLUSTER_API_NAMESPACE;
    const { kubeconfig } = await this.#become(namespace, PROGRAM_NAME);
    const options = { namespace, image: 'capstan', featureGates: 'MachineAPIMigration=true' };
    const deployment = machineApiManifests(options).find(({ kind }) => kind === 'Deployment') as Workload | undefined;
    const args = deployment?.spec.template.spec.containers[0]?.args ?? [];
    const anywhere = { 'metrics-bind-address': '0', 'health-probe-bind-address': '0' };
    this.#operator = await runContainer(args, { ...anywhere, kubeconfig });
  }

  async machines(of: ResourceKind): Promise<readonly AnyMachine[]> {
    const namespace = of.group === MAPI_MACHINES.group ? MACHINE_API_NAMESPACE : CLUSTER_API_NAMESPACE;
    return (await this.client.list<AnyMachine>(of, { namespace })).items;
  }

  /** Asks for authority over the set and its machines to move. */
  async ask(authority: Settled['authority']): Promise<void> {
    const patch = { type: 'merge', value: { spec: { authoritativeAPI: authority } } } as const;
    const at = { namespace: MACHINE_API_NAMESPACE };
    await this.client.patch(MAPI_MACHINE_SETS, SET, patch, at);
    for (const { metadata } of await this.machines(MAPI_MACHINES))
      await this.client.patch(MAPI_MACHINES, metadata.name ?? '', patch, at);
  }

  async scale(of: ResourceKind, replicas: number): Promise<void> {
    const namespace = of.group === MAPI_MACHINES.group ? MACHINE_API_NAMESPACE : CLUSTER_API_NAMESPACE;
    const patch = { type: 'merge', value: { spec: { replicas } } } as const;
    await this.client.patch(of, SET, patch, { namespace, subresource: 'scale' });
  }

  /** Waits until so many machines run, all with one authority, and both copies of each agree. */
  async settled(wanted: Settled): Promise<void> {
    const look = (): Promise<string> => unsettled(this, wanted);
    await this.#explained(
      waitToSee(`${wanted.machines} machines with ${wanted.authority}`, look, (seen) => seen === '', POLLING),
    );
  }

  until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
    return this.#explained(waitUntil(what, look, POLLING));
  }

  /** What the original wrote last explains most when something is waited for in vain. */
  #explained<T>(waiting: Promise<T>): Promise<T> {
    return waiting.catch((error: unknown) => {
      throw new Error(`${String(error)}\n${this.#manager.logTail()}`, { cause: error });
    });
  }

  /** The instances that live, by id. */
  living(): readonly string[] {
    return this.cloud.instances
      .filter(isLiving)
      .map(({ id }) => id)
      .toSorted();
  }

  /** Changes of instances that were asked for since the log had so many entries, and by whom; a repeated call is one. */
  changesSince(entries: number): readonly string[] {
    const calls = this.cloud.log
      .slice(entries)
      .filter(({ caller, operation }) => caller !== '' && CHANGES.has(operation))
      .map(({ caller, id, operation }) => `${caller}: ${operation} ${id}`);
    return [...new Set(calls)].map((call) => call.split(' ').slice(0, 2).join(' '));
  }

  /** Who has asked the cloud for anything since then. */
  callersSince(entries: number): readonly string[] {
    const callers = this.cloud.log.slice(entries).map(({ caller }) => caller);
    return [...new Set(callers)].filter((caller) => caller !== '');
  }

  /** Reports what a problem detector does, since a while ago; the kubelet does not know that condition. */
  async reportDeadKernel({ status }: AnyMachine): Promise<void> {
    const lastTransitionTime = formatTime(systemClock().now() - DEAD_MS);
    const condition = { type: 'KernelDeadlock', status: 'True', reason: 'Reported', message: '', lastTransitionTime };
    const patch = { type: 'strategic', value: { status: { conditions: [condition] } } } as const;
    await this.client.patch(NODES, status?.nodeRef?.name ?? '', patch, { subresource: 'status' });
  }

  async end(): Promise<void> {
    await this.#operator?.end();
    this.#stop.abort();
    await Promise.allSettled(this.#running);
    await this.#manager.stop();
    for (const transport of this.#transports) await transport.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

interface Workload extends KubeObject {
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly args: readonly string[] }[] } };
  };
}
