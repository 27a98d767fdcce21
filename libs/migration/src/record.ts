import { canonicalHash } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';

/** The parts of an object that clients write by themselves, each as a short hash. */
export interface ObjectParts {
  readonly labels: string;
  readonly annotations: string;
  readonly finalizers: string;
  /** Everything but metadata and status, and whether it is being deleted. */
  readonly body: string;
}

/** What an original was when it was copied. */
export interface CopiedOriginal extends ObjectParts {
  /** Its UID. */
  readonly from: string;
}

/**
 * What was copied, by the UID of the copy. Annotations of copies cannot record it: Cluster API propagates those of a
 * MachineDeployment to its MachineSets, and generations count neither labels nor annotations nor finalizers.
 */
export type CopyRecord = ReadonlyMap<string, CopiedOriginal>;

/** Enough for two versions of one object to differ, and little enough for thousands of them in a ConfigMap. */
const HASH_LENGTH = 10;

function hash(value: unknown): string {
  return canonicalHash(value).slice(0, HASH_LENGTH);
}

/** The parts of an object as it is. */
export function partsOf(object: KubeObject): ObjectParts {
  const { apiVersion: _, kind: __, metadata, status: ___, ...body } = object;
  const { annotations = {}, deletionTimestamp, finalizers = [], labels = {} } = metadata;
  return {
    labels: hash(labels),
    annotations: hash(annotations),
    finalizers: hash(finalizers),
    body: hash({ ...body, isDeleted: deletionTimestamp != null }),
  };
}

/** Whether nothing of an object has changed. */
export function isSameParts(a: ObjectParts, b: ObjectParts): boolean {
  return a.labels === b.labels && a.annotations === b.annotations && a.finalizers === b.finalizers && a.body === b.body;
}

/** The record of what was copied: the originals as they were read, and their copies by the UID of the original. */
export function recordOf(
  originals: readonly KubeObject[],
  copies: ReadonlyMap<string, KubeObject>,
  normalize: (original: KubeObject) => KubeObject = (original) => original,
): CopyRecord {
  const record = new Map<string, CopiedOriginal>();
  for (const original of originals) {
    const from = original.metadata.uid ?? '';
    const copy = copies.get(from);
    if (copy !== undefined) record.set(copy.metadata.uid ?? '', { from, ...partsOf(normalize(original)) });
  }
  return record;
}

/** One line for each copy. */
export function encodeRecord(record: CopyRecord): string {
  return [...record]
    .map(([copy, { annotations, body, finalizers, from, labels }]) =>
      [copy, from, labels, annotations, finalizers, body].join(' '),
    )
    .join('\n');
}

export function decodeRecord(text: string): CopyRecord {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [copy = '', from = '', labels = '', annotations = '', finalizers = '', body = ''] = line.split(' ');
      return [copy, { from, labels, annotations, finalizers, body }] as const;
    }),
  );
}
