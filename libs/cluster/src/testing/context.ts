import { apiErrorOf, ignoreNotFound } from '@capstan/meta';
import type { Clock, KubeObject, OwnerReference, Random } from '@capstan/meta';
import { sleep } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import type { Client, ResourceRef } from '@capstan/kube';

/** A scenario that must hold on any server with our controllers (or the real ones). */
export interface Scenario {
  readonly name: string;
  run(context: ScenarioContext): Promise<void>;
}

export interface ScenarioOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  /** How long a scenario waits for one condition. Default 15 s. */
  readonly timeoutMs?: number | undefined;
}

export const CONFIG_MAPS: ResourceRef = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };
export const SECRETS: ResourceRef = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
export const NAMESPACES: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
export const EVENTS: ResourceRef = { group: '', version: 'v1', plural: 'events', namespaced: true };
export const CLUSTER_ROLES: ResourceRef = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'clusterroles',
  namespaced: false,
};
export const CRDS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** A finalizer nobody but the scenario takes off. */
export const HOLD = 'capstan.test/hold';

/** The tools of a scenario, and a namespace of its own. */
export class ScenarioContext {
  readonly client: Client;
  readonly namespace: string;
  /** Unique text for names of cluster-scoped objects. */
  readonly suffix: string;
  readonly #options: ScenarioOptions;
  readonly #cleanups: (() => Promise<unknown>)[] = [];

  constructor(options: ScenarioOptions) {
    this.#options = options;
    this.client = options.client;
    this.suffix = Buffer.from(options.random.bytes(5)).toString('hex');
    this.namespace = `capstan-${this.suffix}`;
  }

  async createNamespace(name: string): Promise<KubeObject> {
    this.onCleanup(() => this.client.delete(NAMESPACES, name));
    return this.client.create(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }

  async configMap(name: string, metadata: KubeObject['metadata'] = {}): Promise<KubeObject> {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: this.namespace, ...metadata } };
    return this.client.create(CONFIG_MAPS, object);
  }

  get(name: string, resource: ResourceRef = CONFIG_MAPS): Promise<KubeObject | undefined> {
    return this.client.get(resource, name, { namespace: this.namespace }).catch(ignoreNotFound);
  }

  delete(
    name: string,
    propagationPolicy: 'Background' | 'Foreground' | 'Orphan',
    resource: ResourceRef = CONFIG_MAPS,
  ): Promise<unknown> {
    return this.client.delete(resource, name, { namespace: this.namespace, propagationPolicy });
  }

  /** Takes every finalizer off. */
  release(name: string, resource: ResourceRef = CONFIG_MAPS): Promise<unknown> {
    return this.client.patch(
      resource,
      name,
      { type: 'merge', value: { metadata: { finalizers: null } } },
      { namespace: this.namespace },
    );
  }

  onCleanup(action: () => Promise<unknown>): void {
    this.#cleanups.push(action);
  }

  /** Waits until the function gives something true. */
  eventually<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T> {
    const { clock, timeoutMs = 15_000 } = this.#options;
    return waitUntil(what, look, { clock, limitMs: timeoutMs, everyMs: 20 });
  }

  gone(name: string, resource: ResourceRef = CONFIG_MAPS): Promise<true> {
    return this.eventually(
      `${resource.plural} ${name} is gone`,
      async () => (await this.get(name, resource)) === undefined,
    );
  }

  /** Gives the controllers time to do a wrong thing. */
  async settle(delayMs = 400): Promise<void> {
    await sleep(this.#options.clock, delayMs);
  }

  async mustLive(name: string, resource: ResourceRef = CONFIG_MAPS): Promise<KubeObject> {
    const object = await this.get(name, resource);
    if (object === undefined) throw new Error(`${resource.plural} ${name} should still be there`);
    return object;
  }

  async cleanUp(): Promise<void> {
    for (const action of this.#cleanups.reverse()) {
      await action().catch((error: unknown) => {
        if (apiErrorOf(error) === undefined) throw error;
      });
    }
  }
}

/** An owner reference to an object. */
export function ownedBy(owner: KubeObject, extra: Partial<OwnerReference> = {}): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name ?? '',
    uid: owner.metadata.uid ?? '',
    ...extra,
  };
}

/** Compares JSON-like values by their text. */
export function mustEqual(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: expected ${b}, found ${a}`);
}

/** Runs one scenario in a fresh namespace and cleans up after it. */
export async function runScenario(scenario: Scenario, options: ScenarioOptions): Promise<void> {
  const context = new ScenarioContext(options);
  try {
    await context.createNamespace(context.namespace);
    await scenario.run(context);
  } finally {
    await context.cleanUp();
  }
}
