import { apply, Client, Discovery } from '@capstan/kube';
import { isConflict, parseApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CliError } from '../errors.js';

/** Whose fields these are. */
export const FIELD_OWNER = 'capstan-up';

/** Applies objects in the order given. What a user has made of a field meanwhile stays the user's. */
export class Installer {
  readonly #client: Client;
  readonly #discovery: Discovery;

  constructor(client: Client) {
    this.#client = client;
    this.#discovery = new Discovery(client, { missIntervalMs: 0 });
  }

  async applyAll(objects: readonly KubeObject[], signal: AbortSignal): Promise<void> {
    for (const object of objects) await this.apply(object, signal);
  }

  async apply(object: KubeObject, signal: AbortSignal, subresource?: 'status'): Promise<void> {
    const { group, version } = parseApiVersion(object.apiVersion);
    const resource = await this.#discovery.resourceFor({ group, version, kind: object.kind }, signal);
    if (resource === undefined)
      throw new CliError(
        `the server does not know ${object.kind} of ${object.apiVersion}`,
        'remove the data directory, or give another with --data: it was written by another version',
      );
    try {
      await apply(this.#client, resource, object, { fieldOwner: FIELD_OWNER, signal, subresource });
    } catch (error) {
      // A data directory in use before: the user has changed what is there, and may.
      if (!isConflict(error)) throw error;
    }
  }
}
