import { pushAll } from '@capstan/meta';
import type { KubeObject, Random } from '@capstan/meta';
import type { Informer } from '@capstan/kube';
import type { Service, ServicePort } from '../endpoints/addresses.js';
import { ENDPOINT_SLICES, SERVICES } from '../workload/resources.js';
import type { SharedInformers } from '../workload/shared-informers.js';

/** A place behind a service. */
export interface ServiceBackend {
  readonly ip: string;
  readonly port: number;
}

/** Of a service that nothing is behind, both lists are null. */
interface Slice extends KubeObject {
  endpoints?: { addresses?: string[]; hostname?: string; conditions?: { ready?: boolean } }[] | null;
  ports?: { name?: string; port?: number; protocol?: string }[] | null;
}

const SERVICE_LABEL = 'kubernetes.io/service-name';

/** Finds what is behind services, by what informers know of them. */
export class ServiceDirectory {
  readonly #services: Informer<Service>;
  /** Slices by `namespace/service`. */
  readonly #slices = new Map<string, Map<string, Slice>>();
  readonly #byIp = new Map<string, string>();
  readonly #random: Random;

  /** Must be made before the informers are started. */
  constructor(informers: SharedInformers, random: Random) {
    this.#random = random;
    this.#services = informers.of<Service>(SERVICES);
    this.#services.addHandler({
      add: (service) => this.#setAddress(service),
      update: (old, service) => {
        this.#dropAddress(old);
        this.#setAddress(service);
      },
      delete: (service) => this.#dropAddress(service),
    });
    informers.of<Slice>(ENDPOINT_SLICES).addHandler({
      add: (slice) => this.#setSlice(slice),
      update: (old, slice) => {
        if (serviceKey(old) !== serviceKey(slice)) this.#dropSlice(old);
        this.#setSlice(slice);
      },
      delete: (slice) => this.#dropSlice(slice),
    });
  }

  service(namespace: string, name: string): Service | undefined {
    return this.#services.store.get(`${namespace}/${name}`);
  }

  /** The services of a namespace. */
  inNamespace(namespace: string): Service[] {
    return this.#services.store.byIndex('namespace', namespace);
  }

  /** The service with this cluster address. */
  atAddress(ip: string): Service | undefined {
    const key = this.#byIp.get(ip);
    return key === undefined ? undefined : this.#services.store.get(key);
  }

  /** A ready place behind a port of a service, by chance one of them; undefined when there is none. */
  backend(service: Service, port: number): ServiceBackend | undefined {
    const wanted = service.spec?.ports?.find((candidate) => candidate.port === port);
    if (wanted === undefined) return undefined;
    const found = this.#backends(service, wanted);
    return found.length === 0 ? undefined : found[this.#random.below(found.length)];
  }

  /** The address of a ready pod of a service, of the one with this name in it when one is given. */
  address(service: Service, hostname?: string): string | undefined {
    const found: string[] = [];
    for (const { endpoints } of this.#slicesOf(service))
      for (const endpoint of endpoints ?? [])
        if (endpoint.conditions?.ready !== false && (hostname === undefined || endpoint.hostname === hostname))
          pushAll(found, endpoint.addresses ?? []);
    return found.length === 0 ? undefined : found[this.#random.below(found.length)];
  }

  #slicesOf({ metadata }: Service): Iterable<Slice> {
    return this.#slices.get(`${metadata.namespace ?? ''}/${metadata.name ?? ''}`)?.values() ?? [];
  }

  #backends(service: Service, wanted: ServicePort): ServiceBackend[] {
    const found: ServiceBackend[] = [];
    for (const { endpoints, ports } of this.#slicesOf(service)) {
      const port = ports?.find((candidate) => (candidate.name ?? '') === (wanted.name ?? ''))?.port;
      if (port === undefined) continue;
      for (const { addresses = [], conditions } of endpoints ?? [])
        if (conditions?.ready !== false) for (const ip of addresses) found.push({ ip, port });
    }
    return found;
  }

  #setAddress(service: Service): void {
    const ip = service.spec?.clusterIP ?? '';
    if (ip !== '' && ip !== 'None')
      this.#byIp.set(ip, `${service.metadata.namespace ?? ''}/${service.metadata.name ?? ''}`);
  }

  #dropAddress(service: Service): void {
    this.#byIp.delete(service.spec?.clusterIP ?? '');
  }

  #setSlice(slice: Slice): void {
    const key = serviceKey(slice);
    const slices = this.#slices.get(key) ?? new Map<string, Slice>();
    this.#slices.set(key, slices);
    slices.set(slice.metadata.name ?? '', slice);
  }

  #dropSlice(slice: Slice): void {
    const key = serviceKey(slice);
    const slices = this.#slices.get(key);
    slices?.delete(slice.metadata.name ?? '');
    if (slices?.size === 0) this.#slices.delete(key);
  }
}

function serviceKey({ metadata }: Slice): string {
  return `${metadata.namespace ?? ''}/${metadata.labels?.[SERVICE_LABEL] ?? ''}`;
}
