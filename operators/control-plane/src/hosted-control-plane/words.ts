import type { ControlPlaneVersionStatus, HostedControlPlane, HostedControlPlaneStatus } from '@capstan/api/hypershift';
import { deepEqual } from '@capstan/meta';

/** Whether two statuses differ in nothing but what their conditions say of themselves: what is so is so for the same reason. */
export function differInWordsOnly(
  before: HostedControlPlaneStatus | undefined,
  after: HostedControlPlaneStatus,
): boolean {
  return before !== undefined && deepEqual(wordless(before), wordless(after));
}

function wordless({ conditions = [], ...status }: HostedControlPlaneStatus): object {
  return { ...status, conditions: conditions.map((condition) => ({ ...condition, message: '' })) };
}

/** Other words of the same status are told so long after the last at the earliest: whoever comes up counts down in them. */
const SAME_WORDS_MS = 5_000;

type Version = ControlPlaneVersionStatus | undefined;

/** When each control plane was told of last, by this program, and which versions it has had. */
export class Told {
  readonly #atMs = new Map<string, number>();
  readonly #versions = new Map<string, { readonly uid: string | undefined; readonly version: Version }>();

  /** To be told what its status is found or left to be. */
  remember(key: string, { metadata: { uid }, status }: HostedControlPlane): void {
    this.#versions.set(key, { uid, version: status?.controlPlaneVersion });
  }

  /** The versions as they were last told: history that is nowhere else, should somebody write something else over it. */
  versionOf(key: string, { metadata: { uid } }: HostedControlPlane): Version {
    const known = this.#versions.get(key);
    return known?.uid === uid ? known?.version : undefined;
  }

  /** After a write of which nobody knows whether it was done. */
  doubt(key: string): void {
    this.#versions.delete(key);
  }

  /** When other words may be told; undefined when that is now. */
  dueMs(key: string, nowMs: number): number | undefined {
    const dueMs = (this.#atMs.get(key) ?? -Infinity) + SAME_WORDS_MS;
    return dueMs > nowMs ? dueMs : undefined;
  }

  tell(key: string, nowMs: number): void {
    this.#atMs.set(key, nowMs);
  }

  forget(key: string): void {
    this.#versions.delete(key);
    this.#atMs.delete(key);
  }
}
