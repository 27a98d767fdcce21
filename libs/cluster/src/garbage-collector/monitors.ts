import { formatApiVersion } from '@capstan/meta';
import type { Clock, KubeObject, Random } from '@capstan/meta';
import { Reflector } from '@capstan/kube';
import type { ApiResource, Client, DiscoverySnapshot, Logger } from '@capstan/kube';
import type { Observation } from './graph.js';
import type { Identity } from './identity.js';
import { Roster } from './roster.js';

export interface MonitorsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly observe: (observation: Observation) => void;
  readonly remove: (identity: Identity) => void;
  /** What is served may be changing. */
  readonly schemaChanged: () => void;
}

interface Monitor {
  readonly roster: Roster;
  readonly abort: AbortController;
  readonly stopped: Promise<void>;
}

const PAGE_SIZE = 500;
const NEEDED_VERBS = ['delete', 'list', 'watch'];
/** Events own nothing and are owned by nothing, and there are many. */
const IGNORED = new Set(['/events', 'events.k8s.io/events']);
const SCHEMA = new Set(['apiextensions.k8s.io/customresourcedefinitions', 'apiregistration.k8s.io/apiservices']);

/** Follows the metadata of every resource whose objects can be deleted. */
export class Monitors {
  readonly #options: MonitorsOptions;
  readonly #monitors = new Map<string, Monitor>();
  #synced: DiscoverySnapshot | undefined;

  constructor(options: MonitorsOptions) {
    this.#options = options;
  }

  /** Starts and stops watching so that the resources are those of the snapshot. */
  sync(snapshot: DiscoverySnapshot): void {
    if (snapshot === this.#synced) return;
    this.#synced = snapshot;
    const wanted = new Set<string>();
    for (const resource of snapshot.preferred) {
      if (!NEEDED_VERBS.every((verb) => resource.verbs.includes(verb)) || IGNORED.has(groupResource(resource)))
        continue;
      const key = monitorKey(resource);
      wanted.add(key);
      if (!this.#monitors.has(key)) this.#start(key, resource);
    }
    const failed = new Set(snapshot.failures.map(formatApiVersion));
    for (const [key, { abort }] of this.#monitors) {
      // A group that cannot be read now is not a group that went away.
      if (wanted.has(key) || failed.has(key.slice(0, key.lastIndexOf('/')))) continue;
      this.#monitors.delete(key);
      abort.abort();
    }
  }

  /** Resolves when the first state of every resource followed now is known. */
  async whenSynced(): Promise<void> {
    await Promise.all([...this.#monitors.values()].map(({ roster }) => roster.whenComplete()));
  }

  /** Stops everything. */
  async stop(): Promise<void> {
    const all = [...this.#monitors.values()];
    this.#monitors.clear();
    this.#synced = undefined;
    for (const { abort } of all) abort.abort();
    await Promise.all(all.map(({ stopped }) => stopped));
  }

  #start(key: string, resource: ApiResource): void {
    const { client, clock, logger, observe, random, remove, schemaChanged } = this.#options;
    const roster = new Roster({
      apiVersion: formatApiVersion(resource),
      kind: resource.kind,
      observe,
      remove,
      changed: SCHEMA.has(groupResource(resource)) ? schemaChanged : undefined,
    });
    const reflector = new Reflector<KubeObject, Observation>(
      {
        client,
        clock,
        logger,
        resource,
        random: random.split(key),
        metadataOnly: true,
        // There may be very many, and nobody waits for them.
        pageSize: PAGE_SIZE,
      },
      roster,
    );
    const abort = new AbortController();
    this.#monitors.set(key, { roster, abort, stopped: reflector.run(abort.signal) });
  }
}

function monitorKey(resource: ApiResource): string {
  return `${formatApiVersion(resource)}/${resource.plural}`;
}

function groupResource(resource: ApiResource): string {
  return `${resource.group}/${resource.plural}`;
}
