import type { KubeObject } from '@capstan/meta';
import type { InformerHandler } from '../delivery.js';

/** An object as small as can be. */
export function object(name: string, version: number | string, uid = name): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, uid, resourceVersion: String(version) } };
}

/** `name@version` */
export function stateOf({ metadata }: KubeObject): string {
  return `${metadata.name}@${metadata.resourceVersion}`;
}

/** Lets every callback of promises run. */
export function turn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

/** A handler whose every call lasts until the test ends it. It folds the events it receives. */
export class SlowHandler implements InformerHandler<KubeObject> {
  /** `+a@1!` added in the initial list, `a@1>2` updated, `-a@3?` deleted unseen. */
  readonly events: string[] = [];
  readonly known = new Map<string, KubeObject>();
  /** What cannot have happened after the events before. */
  readonly misfits: string[] = [];
  readonly #open = new Set<(error?: Error) => void>();

  add(added: KubeObject, isInInitialList: boolean): Promise<void> {
    const { name = '' } = added.metadata;
    const fits = !this.known.has(name);
    this.known.set(name, added);
    return this.#begin(`+${stateOf(added)}${isInInitialList ? '!' : ''}`, fits);
  }

  update(old: KubeObject, now: KubeObject): Promise<void> {
    const { name = '', resourceVersion, uid } = now.metadata;
    const known = this.known.get(name);
    const fits = known !== undefined && stateOf(known) === stateOf(old) && old.metadata.uid === uid;
    this.known.set(name, now);
    return this.#begin(`${stateOf(old)}>${resourceVersion}`, fits);
  }

  delete(last: KubeObject, isUnknown: boolean): Promise<void> {
    const { name = '', uid } = last.metadata;
    const fits = this.known.get(name)?.metadata.uid === uid;
    this.known.delete(name);
    return this.#begin(`-${stateOf(last)}${isUnknown ? '?' : ''}`, fits);
  }

  /** Ends the call under way, and lets the next begin. */
  async endCall(error?: Error): Promise<void> {
    for (const end of this.#open) end(error);
    await turn();
  }

  /** Ends every call there is and will be. */
  async endAll(): Promise<void> {
    while (this.#open.size > 0) await this.endCall();
  }

  #begin(text: string, fits: boolean): Promise<void> {
    this.events.push(text);
    if (!fits) this.misfits.push(`${text} does not fit`);
    if (this.#open.size > 0) this.misfits.push(`${text} while another call is under way`);
    return new Promise((resolve, reject) => {
      const end = (error?: Error): void => {
        this.#open.delete(end);
        if (error === undefined) resolve();
        else reject(error);
      };
      this.#open.add(end);
    });
  }
}
