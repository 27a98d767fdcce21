import { createHash } from 'node:crypto';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { found, type Founding } from '../bootstrap/bootstrap-object.js';
import { DEFINITIONS, specOf } from '../builtin/apiextensions/crd.js';
import { AGGREGATOR_GROUP, apiServiceName, defaultRegistration, type Registration } from '../discovery/index.js';
import { BrokenInvariant } from '../errors.js';
import type { Core } from '../registry/core.js';
import { deleteObject } from '../registry/delete.js';
import { driveEffect } from '../registry/drive.js';
import { runFlow, type Flow } from '../registry/effects.js';
import { trackFields } from '../registry/field-tracking.js';
import { uuidFrom } from '../registry/identity.js';
import type { ResourceIndex } from '../registry/resource-index.js';
import type { ServedResource } from '../registry/served-resource.js';
import { updateObject } from '../registry/update.js';
import { parseDeleteOptions } from '../request/delete-options.js';
import { isAvailable, isLocal, localStatus, registrationOf, sameSpec, specFor } from './api-service.js';

const AUTOMANAGED_LABEL = 'kube-aggregator.kubernetes.io/automanaged';
/** Built-in versions are registered once per start, versions of CRDs for as long as a CRD serves them. */
type SyncType = 'onstart' | 'true';

interface Wanted {
  readonly registration: Registration;
  readonly sync: SyncType;
}

/**
 * The auto-registration of kube-aggregator: an APIService without a service for every group version that this server
 * serves. One that a client created first, without the label, is left alone; those with the label are kept as they
 * should be. Follows the store commit by commit, so that nothing polls.
 */
export class AutoRegistration {
  readonly #core: Core;
  readonly #served: ServedResource;
  readonly #builtin: readonly Registration[];
  readonly #wanted = new Map<string, Wanted>();
  /** The versions that each CRD serves. */
  readonly #versions = new Map<string, ReadonlyMap<string, Registration>>();
  readonly #synced = new Set<string>();
  #atStart: ReadonlySet<string> = new Set();
  #changes = 0;

  constructor(core: Core, resources: ResourceIndex) {
    this.#core = core;
    const served = resources.find(AGGREGATOR_GROUP, 'v1', 'apiservices');
    if (served === undefined) throw new BrokenInvariant('API services are not served');
    this.#served = served;
    const builtin = new Map<string, Registration>();
    for (const { definition, custom } of resources.all()) {
      const { group, version } = definition;
      if (custom !== undefined || group === AGGREGATOR_GROUP) continue;
      const registration = defaultRegistration(group, version);
      builtin.set(apiServiceName(registration), registration);
    }
    this.#builtin = [...builtin.values()];
  }

  /** Grows with every change of an APIService. */
  get changes(): number {
    return this.#changes;
  }

  /** The registered group versions that this server serves itself. */
  local(): Registration[] {
    const services = this.#core.store.list(this.#served.storage).items.map((stored) => stored.object());
    return services.filter(isLocal).map(registrationOf);
  }

  /** Registers everything, and goes on with what changes later. */
  start(): void {
    const { store } = this.#core;
    for (const registration of this.#builtin)
      this.#wanted.set(apiServiceName(registration), { registration, sync: 'onstart' });
    for (const { name, object } of store
      .list(DEFINITIONS)
      .items.map((each) => ({ name: each.name, object: each.object() })))
      this.#register(name, object);
    this.#atStart = new Set(store.list(this.#served.storage).items.map(({ name }) => name));
    store.subscribe(({ name }) => this.#observe(name), { resource: this.#served.storage });
    store.subscribe(
      ({ name }) => {
        // Another write may have followed already: it is the newest state that counts.
        const changed = this.#register(name, store.get(DEFINITIONS, '', name)?.object());
        for (const each of changed) this.#sync(each);
      },
      { resource: DEFINITIONS },
    );
    for (const name of new Set([...this.#wanted.keys(), ...this.#atStart])) this.#observe(name);
  }

  /** Takes up the versions that a CRD serves now; returns the names of the APIServices that this changes. */
  #register(name: string, definition: KubeObject | undefined): string[] {
    const before = this.#versions.get(name) ?? new Map<string, Registration>();
    const after = definition === undefined ? new Map<string, Registration>() : servedVersions(definition);
    if (after.size === 0) this.#versions.delete(name);
    else this.#versions.set(name, after);
    const changed = [
      ...[...after.keys()].filter((each) => !before.has(each)),
      ...[...before.keys()].filter((each) => !after.has(each)),
    ];
    for (const each of changed) {
      const registration = after.get(each) ?? this.#servedByOthers(each);
      if (registration === undefined) this.#wanted.delete(each);
      else this.#wanted.set(each, { registration, sync: 'true' });
    }
    return changed;
  }

  #servedByOthers(name: string): Registration | undefined {
    for (const versions of this.#versions.values()) {
      const registration = versions.get(name);
      if (registration !== undefined) return registration;
    }
    return undefined;
  }

  #observe(name: string): void {
    this.#changes += 1;
    this.#sync(name);
    const service = this.#find(name);
    if (service !== undefined && isLocal(service) && !isAvailable(service)) this.#setAvailable(name);
  }

  #find(name: string): KubeObject | undefined {
    return this.#core.store.get(this.#served.storage, '', name)?.object();
  }

  /** One step towards what is wanted, by the table of kube-aggregator's autoregister controller. */
  #sync(name: string): void {
    const wanted = this.#wanted.get(name);
    const current = this.#find(name);
    const hasSynced = this.#synced.has(name);
    this.#synced.add(name);
    if (current === undefined) {
      if (wanted !== undefined && !(wanted.sync === 'onstart' && hasSynced)) this.#create(name, wanted);
      return;
    }
    if ((wanted?.sync === 'onstart' && hasSynced) || !this.#isManaged(name, current, hasSynced)) return;
    if (wanted === undefined) this.#delete(name, current);
    else if (!sameSpec(current, wanted.registration)) this.#restore(name, wanted.registration);
  }

  #isManaged(name: string, { metadata }: KubeObject, hasSynced: boolean): boolean {
    const label = metadata.labels?.[AUTOMANAGED_LABEL];
    return label === 'true' || (label === 'onstart' && this.#atStart.has(name) && !hasSynced);
  }

  #create(name: string, { registration, sync }: Wanted): void {
    const { store } = this.#core;
    const time = this.#core.timestamp();
    // Not drawn from the server's randomness: what a seed stands for must not depend on how much is registered.
    const uid = uuidFrom(createHash('sha256').update(`${name} ${store.revision} ${time}`).digest().subarray(0, 16));
    const service = found(foundingOf(name, registration, sync), { uid, time });
    service['status'] = localStatus(time);
    store.create(this.#served.storage, '', name, service);
  }

  #restore(name: string, registration: Registration): void {
    this.#update(name, '', (service) => (service['spec'] = specFor(registration)));
  }

  #setAvailable(name: string): void {
    this.#update(name, 'status', (service) => (service['status'] = localStatus(this.#core.timestamp(), service)));
  }

  #update(name: string, subresource: string, change: (service: KubeObject) => void): void {
    const [core, served] = [this.#core, this.#served];
    const scope = { core, served, namespace: '', dryRun: false, subresource, warnings: [] };
    const by = { manager: 'kube-apiserver', time: core.timestamp() };
    // eslint-disable-next-line require-yield
    const transform = function* (existing: KubeObject | undefined): Flow<KubeObject> {
      const next = { ...existing, metadata: { ...existing?.metadata } } as KubeObject;
      change(next);
      trackFields(served, subresource, { live: existing, next }, by);
      return next;
    };
    const request = { name, transform, mayCreate: false, isUidPrecondition: false };
    void runFlow(updateObject(scope, request), (effect) => driveEffect(core, effect));
  }

  #delete(name: string, { metadata }: KubeObject): void {
    const [core, served] = [this.#core, this.#served];
    if (metadata.deletionTimestamp != null) return;
    const scope = { core, served, namespace: '', dryRun: false, subresource: '', warnings: [] };
    const options = parseDeleteOptions(undefined, new URLSearchParams());
    void runFlow(deleteObject(scope, name, options), (effect) => driveEffect(core, effect));
  }
}

function servedVersions(definition: KubeObject): Map<string, Registration> {
  const { group, versions } = specOf(definition);
  const served = versions.filter((each) => each.served).map(({ name }) => defaultRegistration(group, name));
  return new Map(served.map((each) => [apiServiceName(each), each]));
}

function foundingOf(name: string, registration: Registration, sync: SyncType): Founding {
  const spec: JsonObject = specFor(registration);
  const fields = Object.keys(spec).sort();
  return {
    group: AGGREGATOR_GROUP,
    plural: 'apiservices',
    kind: 'APIService',
    name,
    labels: { [AUTOMANAGED_LABEL]: sync },
    body: { spec },
    fields: { 'f:spec': Object.fromEntries(fields.map((field) => [`f:${field}`, {}])) },
  };
}
