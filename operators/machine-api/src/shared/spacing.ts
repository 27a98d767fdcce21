/** Keeps a dispute about an object slow: what was written a moment ago, and is to be written again, waits. */
import { canonicalJson, createMergePatch, hashText } from '@capstan/meta';
import type { Clock, JsonObject, KubeObject } from '@capstan/meta';
import type { Change } from '@capstan/kube';

/** At most six writes a minute, and a discrepancy is reverted within this time. */
export const SPACING_MS = 10_000;
const MAX_KEPT = 10_000;

/** Moves with every write of the other client, and is not of what is written here. */
const MOVING = /"(?:lastTransitionTime|observedGeneration)":(?:"[^"]*"|\d+),?/g;

/** What the write changes, and nothing else of the object: others may change that in between. */
function contentOf(change: Change): string {
  if (change.verb !== 'patch') return hashText(canonicalJson([change.verb, change.object['spec'] ?? null]));
  const own = ({ metadata, spec, status }: KubeObject): JsonObject => {
    if (change.subresource === 'status') return { status: status ?? null };
    const { annotations, finalizers, labels, ownerReferences } = metadata;
    return { annotations, finalizers, labels, ownerReferences, spec } as JsonObject;
  };
  return hashText(canonicalJson(createMergePatch(own(change.before), own(change.after))).replaceAll(MOVING, ''));
}

function keyOf(change: Change): string {
  const { metadata } = change.verb === 'patch' ? change.after : change.object;
  const part = change.verb === 'patch' ? (change.subresource ?? '') : '';
  return `${change.kind.plural}.${change.kind.group}/${metadata.namespace ?? ''}/${metadata.name ?? ''}/${part}`;
}

/** Remembers what was last written of each object. */
export class WriteSpacing {
  readonly #clock: Clock;
  readonly #last = new Map<string, { readonly content: string; readonly at: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long the change has to wait; zero when it may be written, which is then remembered. */
  waitMs(change: Change): number {
    const [key, content, now] = [keyOf(change), contentOf(change), this.#clock.monotonic()];
    const last = this.#last.get(key);
    if (last?.content === content && now - last.at < SPACING_MS) return Math.ceil(last.at + SPACING_MS - now);
    this.#last.delete(key);
    this.#last.set(key, { content, at: now });
    if (this.#last.size > MAX_KEPT) for (const first of this.#last.keys()) return this.#last.delete(first) ? 0 : 0;
    return 0;
  }

  /** The write failed: the next try need not wait. */
  forget(change: Change): void {
    this.#last.delete(keyOf(change));
  }
}
