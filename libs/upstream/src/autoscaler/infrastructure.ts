import { Discovery } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { isForbidden, isNotFound, looseGvk } from '@capstan/meta';
import type { Clock } from '@capstan/meta';
import type { Scalable } from './node-groups.js';
import type { InfrastructureTemplate } from './template.js';

/** How long the capacity read from a template is cached. */
const BELIEVED_MS = 60_000;

interface Reference {
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
}

/** Reads the templates of the machines of groups: some declare their capacity. */
export class Infrastructure {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #discovery: Discovery;
  readonly #known = new Map<string, { readonly template: InfrastructureTemplate | undefined; readonly atMs: number }>();

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
    this.#discovery = new Discovery(client, { clock });
  }

  /** What is known of a group's template, without asking. */
  of({ metadata }: Scalable): InfrastructureTemplate | undefined {
    return this.#known.get(metadata.uid ?? '')?.template;
  }

  /** Asks about every group that names a template and has not been asked about lately. */
  async refresh(groups: readonly Scalable[], signal: AbortSignal): Promise<void> {
    const nowMs = this.#clock.monotonic();
    for (const group of groups) {
      const uid = group.metadata.uid ?? '';
      const known = this.#known.get(uid);
      if (known !== undefined && nowMs - known.atMs < BELIEVED_MS) continue;
      const reference = group.spec?.template?.spec?.['infrastructureRef'] as Reference | undefined;
      if (reference !== undefined)
        this.#known.set(uid, { template: await this.#read(group, reference, signal), atMs: nowMs });
    }
  }

  async #read(
    { metadata }: Scalable,
    reference: Reference,
    signal: AbortSignal,
  ): Promise<InfrastructureTemplate | undefined> {
    const { kind = '', name = '' } = reference;
    const named = looseGvk(reference.apiVersion ?? '', kind);
    const query = {
      group: reference.apiGroup ?? named.group,
      kind,
      ...(named.version === '' ? {} : { version: named.version }),
    };
    const resource = await this.#discovery.resourceFor(query, signal);
    if (resource === undefined || name === '') return undefined;
    try {
      return await this.#client.get<InfrastructureTemplate>(resource, name, { namespace: metadata.namespace, signal });
    } catch (error) {
      if (isNotFound(error) || isForbidden(error)) return undefined;
      throw error;
    }
  }
}
