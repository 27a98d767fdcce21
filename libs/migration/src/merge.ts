import { withoutCopyMarks } from './marks.js';
import type { KubeObject } from '@capstan/meta';
import { partsOf } from './record.js';
import type { CopiedOriginal, ObjectParts } from './record.js';

type Metadata = KubeObject['metadata'];

/** What an original is to have, part by part. */
export interface Merged {
  readonly labels: Metadata['labels'];
  readonly annotations: Metadata['annotations'];
  readonly finalizers: Metadata['finalizers'];
  /** Of which everything else is taken. */
  readonly body: KubeObject;
}

interface Versions {
  /** What the original was when it was copied; undefined where that is not known. */
  readonly base: CopiedOriginal | undefined;
  readonly original: KubeObject;
  /** The copy, under the names of the original. */
  readonly swapped: KubeObject;
}

/**
 * An original with what its copy has become. A part that another client has written on the original stays, unless the copy has
 * another one as well: then labels and annotations of both are kept, and otherwise the copy counts, whose controllers have run.
 */
export function merged({ base, original, swapped }: Versions, normalize: (object: KubeObject) => KubeObject): Merged {
  const was = base;
  const now = was === undefined ? undefined : partsOf(normalize(original));
  const there = was === undefined ? undefined : partsOf(normalize(withoutCopyMarks(swapped)));
  const side = (part: keyof ObjectParts): 'both' | 'copy' | 'original' => {
    if (was === undefined || now === undefined || now[part] === was[part]) return 'copy';
    return there?.[part] === was[part] ? 'original' : 'both';
  };
  const { metadata: ours } = swapped;
  const { metadata: theirs } = original;
  const map = (part: 'annotations' | 'labels'): Metadata['labels'] => {
    const of = side(part);
    if (of === 'both') return { ...ours[part], ...theirs[part] };
    return of === 'original' ? theirs[part] : ours[part];
  };
  return {
    labels: map('labels'),
    annotations: map('annotations'),
    finalizers: side('finalizers') === 'original' ? theirs.finalizers : ours.finalizers,
    body: side('body') === 'original' ? original : swapped,
  };
}
