import { isAlreadyExists, isNamespaceTerminating, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Informer, WorkResult } from '@capstan/kube';
import { QueueController } from './workload/queue-controller.js';
import type { WorkloadOptions } from './workload/queue-controller.js';
import { CONFIG_MAPS, NAMESPACES, SERVICE_ACCOUNTS } from './workload/resources.js';

export interface ServiceAccountControllerOptions extends WorkloadOptions {
  /** The certificates by which pods know the API server. Without any, none are published. */
  readonly rootCaPem?: string | undefined;
}

const ACCOUNT = 'default';
const ROOT_CA = 'kube-root-ca.crt';
const DESCRIPTION = 'kubernetes.io/description';
const DESCRIPTION_TEXT = "The CA that signed the certificate of this cluster's API server, for use inside the cluster.";

/** Gives every namespace the account pods run under and the certificates they trust, and gives them back when lost. */
export class ServiceAccountController extends QueueController {
  readonly #namespaces: Informer<KubeObject>;
  readonly #accounts: Informer<KubeObject>;
  readonly #maps: Informer<KubeObject>;
  readonly #rootCaPem: string | undefined;

  constructor(options: ServiceAccountControllerOptions) {
    super(options, 'service-account-controller');
    this.#rootCaPem = options.rootCaPem;
    this.#namespaces = this.informers.of(NAMESPACES);
    this.#accounts = this.informers.of(SERVICE_ACCOUNTS);
    // Of all there are, and there may be many, one in each namespace matters.
    this.#maps = this.informers.of(CONFIG_MAPS, `metadata.name=${ROOT_CA}`);
    this.follow(this.#namespaces);
    this.#accounts.addHandler({ delete: (account) => this.#lost(account, ACCOUNT) });
    this.#maps.addHandler({
      update: (_, map) => this.#lost(map, ROOT_CA),
      delete: (map) => this.#lost(map, ROOT_CA),
    });
  }

  protected async sync(namespace: string): Promise<WorkResult> {
    const object = this.#namespaces.store.get(namespace);
    if (object === undefined || object.metadata.deletionTimestamp != null) return 'done';
    try {
      await this.#ensureAccount(namespace);
      if (this.#rootCaPem !== undefined) await this.#ensureRootCa(namespace, this.#rootCaPem);
    } catch (error) {
      // The namespace, or the object in it, is being deleted: the informers will bring the events.
      if (!isNamespaceTerminating(error) && !isNotFound(error)) throw error;
    }
    return 'done';
  }

  #lost(object: KubeObject, name: string): void {
    if (object.metadata.name === name && this.manages(object)) this.queue.add(object.metadata.namespace ?? '');
  }

  async #ensureAccount(namespace: string): Promise<void> {
    if (this.#accounts.store.get(`${namespace}/${ACCOUNT}`) !== undefined) return;
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: ACCOUNT, namespace } };
    await this.client.create(SERVICE_ACCOUNTS, account).catch(ignoreExisting);
  }

  async #ensureRootCa(namespace: string, pem: string): Promise<void> {
    const current = this.#maps.store.get(`${namespace}/${ROOT_CA}`);
    const data = { 'ca.crt': pem };
    const annotations = { [DESCRIPTION]: DESCRIPTION_TEXT };
    if (current === undefined) {
      const metadata = { name: ROOT_CA, namespace, annotations };
      await this.client
        .create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data })
        .catch(ignoreExisting);
      return;
    }
    const found = current['data'] as Record<string, string> | undefined;
    const isIntact = Object.keys(found ?? {}).length === 1 && found?.['ca.crt'] === pem;
    if (isIntact && (current.metadata.annotations?.[DESCRIPTION] ?? '') !== '') return;
    const metadata = { ...current.metadata, annotations: { ...current.metadata.annotations, ...annotations } };
    await this.client.update(CONFIG_MAPS, { ...current, metadata, data });
  }
}

function ignoreExisting(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
