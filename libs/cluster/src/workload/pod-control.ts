import { apiErrorOf, isNamespaceTerminating, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { errorText } from '@capstan/kube';
import type { Client, EventText } from '@capstan/kube';
import { PODS } from './resources.js';
import type { Pod } from './resources.js';

/** Emits an event about an object. */
export type EmitEvent = (subject: KubeObject, type: EventText['type'], reason: string, message: string) => void;

/** What went wrong, in the server's words where it has some. */
export function messageOf(error: unknown): string {
  return apiErrorOf(error)?.message ?? errorText(error);
}

/** Creates and deletes the pods of an owner, and emits events for it. */
export class PodControl {
  protected readonly client: Client;
  readonly #emit: EmitEvent;

  constructor(client: Client, emit: EmitEvent) {
    this.client = client;
    this.#emit = emit;
  }

  async create(owner: KubeObject, wanted: KubeObject): Promise<void> {
    try {
      const pod = await this.client.create(PODS, wanted);
      this.#emit(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
    } catch (error) {
      // Nothing more is created in a namespace that is being deleted, and no event is due for it.
      if (!isNamespaceTerminating(error))
        this.#emit(owner, 'Warning', 'FailedCreate', `Error creating: ${messageOf(error)}`);
      throw error;
    }
  }

  /** Deletes a pod, which may be deleted already. Returns whether this call deleted it. */
  async remove(owner: KubeObject, pod: Pod): Promise<'removed' | 'gone'> {
    const { name = '', namespace, uid } = pod.metadata;
    try {
      await this.client.delete(PODS, name, { namespace, preconditions: { uid } });
    } catch (error) {
      if (isNotFound(error)) return 'gone';
      this.#emit(owner, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      throw error;
    }
    this.#emit(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
    return 'removed';
  }
}
