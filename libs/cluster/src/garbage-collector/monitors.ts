import { formatApiVersion } from '@capstan/meta';
import type { Clock, KubeObject, Random } from '@capstan/meta';
import { Informer } from '@capstan/kube';
import type { ApiResource, Client, DiscoverySnapshot, Logger } from '@capstan/kube';
import { FOREGROUND, ORPHAN } from './collector.js';
import type { Observation } from './graph.js';
import type { Identity } from './identity.js';

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
  readonly informer: Informer<KubeObject>;
  readonly abort: AbortController;
  readonly stopped: Promise<void>;
}

const NEEDED_VERBS = ['delete', 'list', 'watch'];
/** Events own nothing and are owned by nothing, and there are many. */
const IGNORED = new Set(['/events', 'events.k8s.io/events']);
const SCHEMA = new Set(['apiextensions.k8s.io/customresourcedefinitions', 'apiregistration.k8s.io/apiservices']);

/** One metadata informer for every resource whose objects can be deleted. */
export class Monitors {
  readonly #options: MonitorsOptions;
  readonly #monitors = new Map<string, Monitor>();
  #synced: DiscoverySnapshot | undefined;

  constructor(options: MonitorsOptions) {
    this.#options = options;
  }

  /** Starts and stops informers so that they are those of the snapshot. */
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

  /** Resolves when every informer running now has its first state. */
  async whenSynced(): Promise<void> {
    await Promise.all([...this.#monitors.values()].map(({ informer }) => informer.whenSynced()));
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
    const informer = new Informer<KubeObject>({
      client,
      clock,
      logger,
      resource,
      random: random.split(key),
      metadataOnly: true,
      transform: strip,
    });
    const apiVersion = formatApiVersion(resource);
    const seen = (object: KubeObject): void => observe(observation(object, apiVersion, resource.kind));
    const isSchema = SCHEMA.has(groupResource(resource));
    informer.addHandler({
      add: (object, isInInitialList) => {
        seen(object);
        if (isSchema && !isInInitialList) schemaChanged();
      },
      update: (_old, object) => {
        seen(object);
        if (isSchema) schemaChanged();
      },
      delete: (object) => {
        remove(identityOf(object, apiVersion, resource.kind));
        if (isSchema) schemaChanged();
      },
    });
    const abort = new AbortController();
    this.#monitors.set(key, { informer, abort, stopped: informer.run(abort.signal) });
  }
}

function monitorKey(resource: ApiResource): string {
  return `${formatApiVersion(resource)}/${resource.plural}`;
}

function groupResource(resource: ApiResource): string {
  return `${resource.group}/${resource.plural}`;
}

/** Everything else of an object would only take memory. */
function strip({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, ownerReferences, finalizers, deletionTimestamp } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(ownerReferences === undefined ? {} : { ownerReferences }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(deletionTimestamp == null ? {} : { deletionTimestamp }),
    },
  };
}

function identityOf({ metadata }: KubeObject, apiVersion: string, kind: string): Identity {
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name ?? '', uid: metadata.uid ?? '' };
}

function observation(object: KubeObject, apiVersion: string, kind: string): Observation {
  const { deletionTimestamp, finalizers, ownerReferences } = object.metadata;
  return {
    identity: identityOf(object, apiVersion, kind),
    owners: ownerReferences ?? [],
    beingDeleted: deletionTimestamp != null,
    foreground: finalizers?.includes(FOREGROUND) === true,
    orphan: finalizers?.includes(ORPHAN) === true,
  };
}
