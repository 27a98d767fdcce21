import type { HostedCluster } from '@capstan/api/hypershift';
import { controlPlaneNamespace, HOSTED_CLUSTERS } from '@capstan/hosting';
import { Cache, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { Client, Informer, ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { CORE, HOSTED_CORE } from './groups.js';
import { migrationView } from './migration/view.js';
import type { MigrationView } from './migration/view.js';
import type { View } from './progress.js';
import type { Wanted } from './raise.js';
import { availableOf, isReady, isUsable, viewOf } from './status.js';
import type { Observation, Observed } from './status.js';

const DEPLOYMENTS = { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true };
const CLUSTERS = { group: HOSTED_CORE, version: 'v1beta2', plural: 'clusters', namespaced: true };
const MACHINES = { group: HOSTED_CORE, version: 'v1beta2', plural: 'machines', namespaced: true };
const STANDARD_MACHINES = { ...MACHINES, group: CORE };
const PLATFORM_MACHINES = { group: 'machine.openshift.io', version: 'v1beta1', plural: 'machines', namespaced: true };
const ALL_MACHINES = [MACHINES, STANDARD_MACHINES, PLATFORM_MACHINES];
/** The objects that decide how many machines are expected. */
const POOLS = [
  { ...MACHINES, plural: 'machinesets' },
  { ...STANDARD_MACHINES, plural: 'machinesets' },
  { ...PLATFORM_MACHINES, plural: 'machinesets' },
];

/** Watches the management cluster come to life. */
export class Observer {
  readonly #wanted: Wanted;
  /** Where the clusters of Cluster API are; those of hosted clusters report by their HostedCluster. */
  readonly #fleet: ReadonlySet<string>;
  /** Control plane namespaces of hosted clusters, which report their own progress. */
  readonly #controlPlanes: ReadonlySet<string>;
  readonly #elapsed: () => number;
  readonly #steps: Record<'server' | 'kinds' | 'fleet', string | undefined> = {
    server: undefined,
    kinds: undefined,
    fleet: undefined,
  };
  readonly #informers = new Map<ResourceRef, Informer<KubeObject>>();
  readonly #waiting: (() => void)[] = [];
  #expectedPrograms = 0;
  /** Since when the fleet is being moved to private types. */
  #migratingSince: number | undefined;
  #cache: Cache | undefined;
  #signal: AbortSignal | undefined;

  constructor(wanted: Wanted, elapsed: () => number) {
    this.#wanted = wanted;
    this.#fleet = new Set(wanted.clusters.map(({ namespace }) => namespace));
    this.#controlPlanes = new Set(wanted.hosted.map(({ name, namespace }) => controlPlaneNamespace(namespace, name)));
    this.#elapsed = elapsed;
  }

  /** A part of the start is over. */
  done(step: 'server' | 'kinds' | 'fleet', detail: string): void {
    this.#steps[step] = detail;
    if (step === 'kinds')
      for (const resource of [CLUSTERS, HOSTED_CLUSTERS, ...ALL_MACHINES, ...POOLS]) this.#follow(resource);
    this.#changed();
  }

  /** So many more are to run. */
  expectPrograms(count: number): void {
    this.#expectedPrograms += count;
  }

  /** Looks at what a server has from now on. */
  watch(client: Client, signal: AbortSignal): void {
    const [clock, random] = [systemClock(), systemRandom()];
    this.#cache = new Cache({ client, clock, random, logger: silentLogger() });
    this.#signal = signal;
    this.#follow(DEPLOYMENTS);
    void this.#cache.run(signal);
  }

  view(): View {
    const { clusters, hosted, platformCapi } = this.#wanted;
    const ofCluster = clusters.length + hosted.length;
    const observation: Observation = {
      steps: this.#steps,
      programs: this.#all(DEPLOYMENTS).filter(({ metadata }) => !this.#controlPlanes.has(metadata.namespace ?? '')),
      clusters: this.#all(CLUSTERS).filter(({ metadata }) => this.#fleet.has(metadata.namespace ?? '')),
      hosted: this.#all(HOSTED_CLUSTERS),
      machines: ALL_MACHINES.flatMap((resource) => this.#all(resource)),
      pools: POOLS.flatMap((resource) => this.#all(resource)),
      expected: {
        programs: this.#expectedPrograms,
        clusters: ofCluster,
        // Of the platform, one in each of its APIs.
        pools: ofCluster + (platformCapi ? 2 : 1),
      },
      elapsedMs: this.#elapsed(),
    };
    return { ...viewOf(observation), migration: this.migration()?.stages };
  }

  /** From now on the move to private types is part of what there is to see. */
  migrates(): void {
    this.#migratingSince ??= this.#elapsed();
    this.#changed();
  }

  /** How far the move to private types is, while there is one. */
  migration(): MigrationView | undefined {
    if (this.#migratingSince === undefined) return undefined;
    const clusters = this.#all(HOSTED_CLUSTERS) as readonly KubeObject[] as readonly HostedCluster[];
    return migrationView(clusters, this.#elapsed() - this.#migratingSince);
  }

  /** Resolves once no cluster is left to be moved. */
  async whenMigrated(): Promise<MigrationView> {
    for (;;) {
      const view = this.migration();
      if (view?.isOver === true) return view;
      await this.#next();
    }
  }

  /** The hosted clusters that are available. */
  available(): string[] {
    return availableOf(this.#all(HOSTED_CLUSTERS));
  }

  /** Resolves once a user can begin. */
  whenUsable(): Promise<void> {
    return this.#when(isUsable);
  }

  /** Resolves once there is nothing more to wait for. */
  whenReady(): Promise<void> {
    return this.#when(isReady);
  }

  async #when(isSo: (view: View) => boolean): Promise<void> {
    while (!isSo(this.view())) await this.#next();
  }

  #next(): Promise<void> {
    return new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #follow(resource: ResourceRef): void {
    const informer = this.#cache?.informer<KubeObject>(resource);
    if (informer === undefined || this.#signal?.aborted === true) return;
    const changed = (): void => this.#changed();
    informer.addHandler({ add: changed, update: changed, delete: changed });
    this.#informers.set(resource, informer);
  }

  #all(resource: ResourceRef): Observed[] {
    return [...(this.#informers.get(resource)?.store.list() ?? [])] as Observed[];
  }

  #changed(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
