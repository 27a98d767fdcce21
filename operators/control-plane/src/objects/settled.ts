import type { KubeObject } from '@capstan/meta';

interface Verdict {
  readonly key: string;
  readonly objects: readonly (KubeObject | undefined)[];
  readonly untilMs: number;
}

/**
 * What was found to be as it should be. Objects of a cache are the same ones until they change, so that it can be told
 * without making everything anew to compare it. A program that starts knows nothing and compares once.
 */
export class Settled {
  readonly #verdicts = new Map<string, Map<string, Verdict>>();

  /** Until when nothing needs to be done, judged by what it was made from and the objects there are; undefined when unknown. */
  until(
    owner: string,
    part: string,
    found: { readonly key: string; readonly objects: readonly (KubeObject | undefined)[]; readonly nowMs: number },
  ): number | undefined {
    const verdict = this.#verdicts.get(owner)?.get(part);
    if (verdict === undefined || verdict.key !== found.key || verdict.untilMs <= found.nowMs) return undefined;
    const { objects } = verdict;
    const isSame =
      objects.length === found.objects.length && objects.every((object, at) => object === found.objects[at]);
    return isSame ? verdict.untilMs : undefined;
  }

  settle(
    owner: string,
    part: string,
    { key, objects, untilMs = Infinity }: Partial<Verdict> & Pick<Verdict, 'key' | 'objects'>,
  ): void {
    const parts = this.#verdicts.get(owner) ?? new Map<string, Verdict>();
    this.#verdicts.set(owner, parts.set(part, { key, objects, untilMs }));
  }

  forget(owner: string): void {
    this.#verdicts.delete(owner);
  }
}
