import { Client, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import type { Manager } from '@capstan/kube';
import { isAlreadyExists, isNotFound } from '@capstan/meta';
import type { Transport } from '@capstan/meta';
import { MACHINE_API_NAMESPACE, machineCrds, runMachineNodes, USER_DATA } from '@capstan/simulation';
import {
  autoscalerSettings,
  clockCarry,
  Cloud,
  cloudClient,
  clusterAutoscaler,
  machineApiManager,
} from '@capstan/upstream';
import type { Fixture } from './machine-scenario.js';

const CRDS = { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false };
const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
const ACCOUNTS = { ...SECRETS, plural: 'serviceaccounts' };
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
/** All but the control plane's set: rules of it need a server of 1.31 or newer. */
const MACHINE_CRDS = machineCrds(true).filter(({ metadata }) => metadata.name?.startsWith('controlplane') === false);
const TIMEOUT_MS = 45_000;
/** A cloud for people without time. */
const TIMINGS = { boot: [50, 150], stop: [10, 20], terminate: [20, 80], consistency: [0, 20] } as const;

async function unlessThere(making: Promise<unknown>): Promise<void> {
  await making.catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

/** Machine API and an autoscaler at work on a server, in its own time. */
export class MachineFixture implements Fixture {
  readonly client: Client;
  readonly cloud: Cloud;
  readonly #transport: Transport;
  readonly #clock = systemClock();
  readonly #random = systemRandom();
  readonly #stop = new AbortController();
  readonly #running: Promise<void>[] = [];

  constructor(transport: Transport) {
    this.#transport = transport;
    this.client = new Client(transport);
    this.cloud = new Cloud({ clock: this.#clock, random: this.#random, timings: TIMINGS });
  }

  async start(): Promise<void> {
    const { client } = this;
    for (const crd of MACHINE_CRDS) await unlessThere(client.create(CRDS, crd));
    const metadata = { name: MACHINE_API_NAMESPACE };
    await unlessThere(client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata }));
    await unlessThere(client.create(SECRETS, USER_DATA));
    const account = { name: 'default', namespace: MACHINE_API_NAMESPACE };
    await unlessThere(client.create(ACCOUNTS, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account }));
    await this.until('machines are served', async () =>
      client.list({ group: 'machine.openshift.io', version: 'v1beta1', plural: 'machines', namespaced: true }).then(
        () => true,
        (error: unknown) => {
          if (isNotFound(error)) return false;
          throw error;
        },
      ),
    );
    this.#spawn();
  }

  #spawn(): void {
    const transport = this.#transport;
    const [clock, random] = [this.#clock, this.#random];
    const carry = clockCarry(clock, random.split('cloud'));
    const cloud = cloudClient(this.cloud, 'machine-api', carry);
    const intervals = { lookAgainMs: 200, listingLagMs: 500 };
    this.#run(machineApiManager({ transport, cloud, intervals, resyncMs: 500, hasControlPlane: false }));
    const settings = autoscalerSettings({
      namespace: MACHINE_API_NAMESPACE,
      'node-group-auto-discovery': [`clusterapi:namespace=${MACHINE_API_NAMESPACE}`],
      'scan-interval': 200,
      'scale-down-delay-after-add': 0,
      'scale-down-unneeded-time': 1000,
    });
    const env = { CAPI_GROUP: 'machine.openshift.io', CAPI_VERSION: 'v1beta1' };
    const leaderElection = { namespace: MACHINE_API_NAMESPACE, name: 'cluster-autoscaler', identity: 'scenario' };
    this.#run(clusterAutoscaler({ transport, settings, env, leaderElection }));
    const nodes = { client: this.client, clock, random: random.split('nodes'), logger: silentLogger() };
    this.#running.push(runMachineNodes(this.cloud, { ...nodes, signal: this.#stop.signal }));
  }

  #run(manager: Manager): void {
    this.#running.push(manager.run(this.#stop.signal));
  }

  until = async (what: string, look: () => Promise<boolean>): Promise<void> => {
    await waitUntil(what, look, { clock: this.#clock, limitMs: TIMEOUT_MS, everyMs: 100 });
  };

  /** Stops everything, and removes what belongs to all of the server. */
  async end(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#running);
    for (const { hostname } of this.cloud.instances) await this.client.delete(NODES, hostname).catch(() => undefined);
    for (const crd of MACHINE_CRDS) await this.client.delete(CRDS, crd.metadata.name ?? '').catch(() => undefined);
    await this.client.delete(NAMESPACES, MACHINE_API_NAMESPACE).catch(() => undefined);
    // No controller empties namespaces here, and one that is never deleted would be in the way of the next scenario.
    const gone = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: MACHINE_API_NAMESPACE }, spec: {} };
    await this.client.update(NAMESPACES, gone, { subresource: 'finalize' }).catch(() => undefined);
  }
}
