import { X509Certificate } from 'node:crypto';
import { ignoreNotFound, isNotFound } from '@capstan/meta';
import type { KubeObject, Random } from '@capstan/meta';
import { objectKey } from '@capstan/kube';
import type { CertificateAuthority, Informer, ResourceRef, WorkResult } from '@capstan/kube';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { withoutManagers } from '../workload/shared-informers.js';
import type { Cut } from '../workload/shared-informers.js';
import {
  API_SERVICES,
  CONFIG_MAPS,
  CUSTOM_RESOURCE_DEFINITIONS,
  MUTATING_WEBHOOKS,
  SECRETS,
  SERVICES,
  VALIDATING_WEBHOOKS,
} from '../workload/resources.js';
import { inject, INJECT } from './inject.js';
import {
  isForService,
  isGood,
  makeSecret,
  originOf,
  refusal,
  SIGNED_BY,
  SIGNING_ERROR,
  wantedSecret,
} from './serving.js';
import type { Secret, Service } from './serving.js';
import { CA_NAMESPACE, CA_SECRET, ensureCa, isLasting } from './signing-key.js';

const INJECTED = [CONFIG_MAPS, CUSTOM_RESOURCE_DEFINITIONS, VALIDATING_WEBHOOKS, MUTATING_WEBHOOKS, API_SERVICES];
const SERVICE = 'service ';

/** There may be a great many others, and large ones: nothing is kept of those but that they are there. */
const THOSE_WHO_ASK: Cut = {
  name: 'that ask for a bundle',
  metadataOnly: true,
  reduce: (object) => (isAsking(object) ? withoutManagers(object) : nameOf(object)),
};
const SERVING_SECRETS: Cut = {
  name: 'that serve',
  reduce: (secret) => (isOurs(secret) ? withoutManagers(secret) : nameOf(secret)),
};

/**
 * Gives services that ask for one a certificate, and those who must trust it the CA's: what OpenShift's service
 * CA does, by the same annotations. The CA lives in a secret, so that it outlives this process.
 */
export class ServiceCaController extends QueueController {
  readonly #services: Informer<Service>;
  readonly #secrets: Informer<Secret>;
  readonly #injected = new Map<string, { resource: ResourceRef; informer: Informer<KubeObject> }>();
  readonly #random: Random;
  #ca: Promise<CertificateAuthority> | undefined;

  constructor(options: WorkloadOptions) {
    super(options, 'service-ca');
    this.#random = options.random.split('service-ca');
    this.#services = this.informers.of<Service>(SERVICES);
    this.#secrets = this.informers.of<Secret>(SECRETS, '', SERVING_SECRETS);
    const changed = (service: Service): void => this.#enqueueService(service);
    this.#services.addHandler({ add: changed, update: (_, service) => changed(service) });
    this.#secrets.addHandler({
      update: (old, secret) => this.#secretChanged(old, secret),
      delete: (secret) => this.#secretChanged(secret, undefined),
    });
    for (const resource of INJECTED) {
      const informer = this.informers.of(resource, '', THOSE_WHO_ASK);
      this.#injected.set(resource.plural, { resource, informer });
      const asked = (object: KubeObject): void => this.#enqueueInjected(resource.plural, object);
      informer.addHandler({ add: asked, update: (_, object) => asked(object) });
    }
  }

  protected async sync(key: string): Promise<WorkResult> {
    const ca = await this.#ensureCa();
    if (key.startsWith(SERVICE)) return this.#serve(key.slice(SERVICE.length), ca);
    const [plural = '', name = ''] = key.split(' ');
    const injected = this.#injected.get(plural);
    const known = injected?.informer.store.get(name);
    if (injected !== undefined && known !== undefined) await this.#inject(injected.resource, known, ca);
    return 'done';
  }

  async #inject(resource: ResourceRef, known: KubeObject, ca: CertificateAuthority): Promise<void> {
    const { name = '', namespace } = known.metadata;
    try {
      const object = await this.client.get(resource, name, { namespace });
      const next = isAsking(object) ? inject(resource.plural, object, ca.certPem) : undefined;
      if (next !== undefined) await this.client.update(resource, next);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Once at a time, and again after a failure. */
  async #ensureCa(): Promise<CertificateAuthority> {
    this.#ca ??= ensureCa({ client: this.client, clock: this.clock, random: this.#random });
    try {
      const ca = await this.#ca;
      if (isLasting(ca, this.clock.now())) return ca;
      this.#caChanged();
      return await this.#ensureCa();
    } catch (error) {
      this.#ca = undefined;
      throw error;
    }
  }

  async #serve(key: string, ca: CertificateAuthority): Promise<WorkResult> {
    const service = this.#services.store.get(key);
    const name = service && wantedSecret(service);
    if (service === undefined || name === undefined || service.metadata.deletionTimestamp != null) return 'done';
    const existing = this.#secrets.store.get(`${service.metadata.namespace ?? ''}/${name}`);
    const why = existing && refusal(existing, service);
    if (why !== undefined) {
      await this.#annotate(service, { [SIGNING_ERROR]: why });
      return 'done';
    }
    const nowMs = this.clock.now();
    if (existing === undefined || !isGood(existing, service, ca, nowMs)) {
      const secret = makeSecret(service, existing, { ca, nowMs, random: this.#random });
      if (existing === undefined) await this.client.create(SECRETS, secret);
      else await this.client.update(SECRETS, secret);
    }
    await this.#annotate(service, { [SIGNED_BY]: signerName(ca), [SIGNING_ERROR]: null });
    return { afterMs: RECHECK_MS };
  }

  async #annotate(service: Service, annotations: Record<string, string | null>): Promise<void> {
    const { annotations: current = {}, name = '', namespace } = service.metadata;
    if (Object.entries(annotations).every(([key, value]) => (current[key] ?? null) === value)) return;
    const value = { metadata: { annotations } };
    await this.client.patch(SERVICES, name, { type: 'merge', value }, { namespace }).catch(ignoreNotFound);
  }

  #enqueueService(service: Service): void {
    if (wantedSecret(service) !== undefined && this.manages(service)) this.queue.add(SERVICE + objectKey(service));
  }

  #enqueueInjected(plural: string, object: KubeObject): void {
    if (isAsking(object) && this.manages(object)) this.queue.add(`${plural} ${objectKey(object)}`);
  }

  #secretChanged(old: Secret, secret: Secret | undefined): void {
    const { name, namespace = '' } = old.metadata;
    if (name === CA_SECRET && namespace === CA_NAMESPACE) {
      if (secret?.data?.['tls.crt'] !== old.data?.['tls.crt']) this.#caChanged();
      return;
    }
    const origin = originOf(secret ?? old);
    const service = origin === undefined ? undefined : this.#services.store.get(`${namespace}/${origin}`);
    if (service !== undefined) this.#enqueueService(service);
  }

  /** Everything is to be signed and published again. */
  #caChanged(): void {
    this.#ca = undefined;
    for (const service of this.#services.store.list()) this.#enqueueService(service);
    for (const [plural, { informer }] of this.#injected)
      for (const object of informer.store.list()) this.#enqueueInjected(plural, object);
  }
}

/** How often a certificate is looked at while nothing happens: often enough to see it near its end. */
const RECHECK_MS = 600_000;

function isAsking({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[INJECT] === 'true';
}

/** The CA's own, and those that were made for a service. */
function isOurs(secret: Secret): boolean {
  const { name, namespace } = secret.metadata;
  return isForService(secret) || (name === CA_SECRET && namespace === CA_NAMESPACE);
}

function nameOf({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name = '', namespace = '', resourceVersion = '', uid = '' } = metadata;
  return Object.freeze({ apiVersion, kind, metadata: Object.freeze({ name, namespace, resourceVersion, uid }) });
}

function signerName({ certPem }: CertificateAuthority): string {
  return /^CN=(.*)$/m.exec(new X509Certificate(certPem).subject)?.[1] ?? '';
}
