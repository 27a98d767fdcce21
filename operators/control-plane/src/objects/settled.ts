import { changedOutsideStatus } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';

type Found = KubeObject | undefined;

interface Verdict {
  readonly key: string;
  readonly objects: readonly Found[];
  readonly untilMs: number;
}

/** What is compared with an earlier verdict. */
export interface Question {
  /** Everything the verdict was made from besides the objects, in one text. */
  readonly key: string;
  readonly objects: readonly Found[];
  readonly nowMs: number;
  /** Whether the verdict is about what the objects say of themselves: their status counts as well. */
  readonly isOfStatus?: boolean;
}

/**
 * What was found as desired, recognised by the versions of objects without generating everything again to compare it. A
 * process that starts knows nothing and compares once.
 */
export class Settled {
  readonly #verdicts = new Map<string, Map<string, Verdict>>();

  /** Until when nothing needs to be done, by its inputs and the objects there are; undefined when unknown. */
  until(owner: string, part: string, { isOfStatus = false, key, nowMs, objects }: Question): number | undefined {
    const parts = this.#verdicts.get(owner);
    const verdict = parts?.get(part);
    if (verdict === undefined || verdict.key !== key || verdict.untilMs <= nowMs) return undefined;
    const before = verdict.objects;
    if (before.length !== objects.length) return undefined;
    const isSame = isOfStatus ? isSameVersion : isSameWish;
    for (let at = 0; at < objects.length; at += 1) if (!isSame(before[at], objects[at])) return undefined;
    // Those of the cache from now on, which are kept anyway.
    parts?.set(part, { key, objects, untilMs: verdict.untilMs });
    return verdict.untilMs;
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

/** The answer to a write and what the cache shows of it later are two objects of one version. */
function isSameVersion(a: Found, b: Found): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  const { resourceVersion = '', uid = '' } = a.metadata;
  return (
    resourceVersion !== '' && uid !== '' && resourceVersion === b.metadata.resourceVersion && uid === b.metadata.uid
  );
}

/** An object whose generation is unchanged has the same spec, though its status differs. */
function isSameWish(a: Found, b: Found): boolean {
  if (isSameVersion(a, b)) return true;
  if (a?.metadata.generation === undefined || b === undefined) return false;
  return !changedOutsideStatus({ type: 'update', old: a, object: b });
}
