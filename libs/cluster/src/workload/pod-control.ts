import { apiErrorOf, isNamespaceTerminating, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { errorText } from '@capstan/kube';
import type { Client, EventText } from '@capstan/kube';
import { PODS } from './resources.js';
import type { Pod } from './resources.js';

/** Tells of what was done about an object. */
export type Tell = (subject: KubeObject, type: EventText['type'], reason: string, message: string) => void;

/** What went wrong, in the server's words where it has some. */
export function messageOf(error: unknown): string {
  return apiErrorOf(error)?.message ?? errorText(error);
}

/** Makes and deletes the pods of whoever asks for them, and tells of it in events. */
export class PodControl {
  protected readonly client: Client;
  readonly #tell: Tell;

  constructor(client: Client, tell: Tell) {
    this.client = client;
    this.#tell = tell;
  }

  async create(owner: KubeObject, wanted: KubeObject): Promise<void> {
    try {
      const pod = await this.client.create(PODS, wanted);
      this.#tell(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
    } catch (error) {
      // Nothing more will be wanted in a namespace that goes, and nobody needs to hear of it.
      if (!isNamespaceTerminating(error))
        this.#tell(owner, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
      throw error;
    }
  }

  /** Deletes a pod; one that is gone already will do. Tells whether it is the one who did. */
  async remove(owner: KubeObject, pod: Pod): Promise<'removed' | 'gone'> {
    const { name = '', namespace, uid } = pod.metadata;
    try {
      await this.client.delete(PODS, name, { namespace, preconditions: { uid } });
    } catch (error) {
      if (isNotFound(error)) return 'gone';
      this.#tell(owner, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw error;
    }
    this.#tell(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
    return 'removed';
  }
}
