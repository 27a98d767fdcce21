import { deepEqual, ignoreNotFound, isAlreadyExists, isNamespaceTerminating, matcherFromSet } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { NAMESPACE_INDEX } from '@capstan/kube';
import type { Informer, WorkResult } from '@capstan/kube';
import { Expectations } from '../workload/expectations.js';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { ENDPOINTS, ENDPOINT_SLICES, PODS, SERVICES } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';
import { controlledBy } from '../workload/shared-informers.js';
import { backendGroups, hasSelector } from './addresses.js';
import type { BackendGroup, Service } from './addresses.js';
import { endpointsLabels, endpointSubsets, MANAGED_BY, SERVICE_NAME, SLICE_MANAGER, sliceChanges } from './objects.js';
import type { EndpointSlice } from './objects.js';

/** Keeps the EndpointSlices and the Endpoints of every service with a selector at its pods. */
export class EndpointsController extends QueueController {
  readonly #services: Informer<Service>;
  readonly #pods: Informer<Pod>;
  readonly #slices: Informer<EndpointSlice>;
  readonly #endpoints: Informer<KubeObject>;
  /** Slices have generated names, so that one made twice would stay twice. */
  readonly #expectations: Expectations;

  constructor(options: WorkloadOptions) {
    super(options, 'endpoints-controller');
    this.#expectations = new Expectations(options.clock);
    this.#services = this.informers.of<Service>(SERVICES);
    this.#pods = this.informers.of<Pod>(PODS);
    this.#slices = this.informers.of<EndpointSlice>(ENDPOINT_SLICES);
    this.#endpoints = this.informers.of(ENDPOINTS);
    this.follow(this.#services);
    this.#pods.addHandler({
      add: (pod) => this.#podChanged(pod),
      update: (old, pod) => {
        this.#podChanged(old);
        this.#podChanged(pod);
      },
      delete: (pod) => this.#podChanged(pod),
    });
    this.#slices.addHandler({
      add: (slice) => this.#sliceChanged(slice, true),
      update: (_, slice) => this.#sliceChanged(slice, false),
      delete: (slice) => this.#sliceChanged(slice, false),
    });
    this.#endpoints.addHandler({ delete: (endpoints) => this.enqueue(endpoints) });
  }

  protected async sync(key: string): Promise<WorkResult> {
    const service = this.#services.store.get(key);
    if (service === undefined) {
      this.#expectations.forget(key);
      await this.#removeEndpoints(key);
      return 'done';
    }
    if (!hasSelector(service) || service.spec?.type === 'ExternalName') return 'done';
    const { namespace = '' } = service.metadata;
    const matcher = matcherFromSet(service.spec?.selector);
    const selected = this.#pods.store
      .byIndex(NAMESPACE_INDEX, namespace)
      .filter((pod) => matcher.matches(pod.metadata.labels ?? {}));
    const groups = backendGroups(service, selected);
    try {
      if (this.#expectations.satisfied(key)) await this.#writeSlices(key, service, groups);
      await this.#writeEndpoints(key, service, groups);
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
    return 'done';
  }

  async #writeSlices(key: string, service: Service, groups: readonly BackendGroup[]): Promise<void> {
    const existing = controlledBy(this.#slices, service).filter(
      (slice) => slice.metadata.labels?.[MANAGED_BY] === SLICE_MANAGER && slice.metadata.deletionTimestamp == null,
    );
    const changes = sliceChanges(service, groups, existing);
    const { namespace } = service.metadata;
    if (changes.create.length > 0) this.#expectations.expect(key, changes.create.length);
    for (const slice of changes.create)
      await this.client.create(ENDPOINT_SLICES, slice).catch((error: unknown) => {
        this.#expectations.forget(key);
        throw error;
      });
    for (const slice of changes.update) await this.client.update(ENDPOINT_SLICES, slice);
    for (const { metadata } of changes.remove)
      await this.client.delete(ENDPOINT_SLICES, metadata.name ?? '', { namespace }).catch(ignoreNotFound);
  }

  async #writeEndpoints(key: string, service: Service, groups: readonly BackendGroup[]): Promise<void> {
    const { name = '', namespace = '' } = service.metadata;
    const subsets = endpointSubsets(groups, service.spec?.ipFamilies?.[0] ?? 'IPv4');
    const labels = endpointsLabels(service);
    const current = this.#endpoints.store.get(key);
    if (current === undefined) {
      const created = { apiVersion: 'v1', kind: 'Endpoints', metadata: { name, namespace, labels }, subsets };
      await this.client.create(ENDPOINTS, created).catch((error: unknown) => {
        // The cache is behind and will catch up.
        if (!isAlreadyExists(error)) throw error;
        this.queue.addRateLimited(key);
      });
      return;
    }
    if (deepEqual(current['subsets'] ?? [], subsets) && deepEqual(current.metadata.labels ?? {}, labels)) return;
    await this.client.update(ENDPOINTS, { ...current, metadata: { ...current.metadata, labels }, subsets });
  }

  async #removeEndpoints(key: string): Promise<void> {
    const current = this.#endpoints.store.get(key);
    // Without the label they belong to another client, created without a service.
    if (current?.metadata.labels?.['endpoints.kubernetes.io/managed-by'] !== 'endpoint-controller') return;
    const { name = '', namespace, uid } = current.metadata;
    await this.client.delete(ENDPOINTS, name, { namespace, preconditions: { uid } }).catch(ignoreNotFound);
  }

  #podChanged(pod: Pod): void {
    for (const service of this.#services.store.byIndex(NAMESPACE_INDEX, pod.metadata.namespace ?? ''))
      if (hasSelector(service) && matcherFromSet(service.spec?.selector).matches(pod.metadata.labels ?? {}))
        this.enqueue(service);
  }

  #sliceChanged(slice: EndpointSlice, isNew: boolean): void {
    const { labels = {}, namespace = '' } = slice.metadata;
    const service = this.#services.store.get(`${namespace}/${labels[SERVICE_NAME] ?? ''}`);
    if (labels[MANAGED_BY] !== SLICE_MANAGER || service === undefined) return;
    if (isNew) this.#expectations.created(`${namespace}/${service.metadata.name ?? ''}`);
    this.enqueue(service);
  }
}
