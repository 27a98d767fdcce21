import { crd, gatesOf } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';
import { stringify } from 'yaml';

import { kebab } from '../draft/names.js';

/** A CustomResourceDefinition to be written, and where. */
export interface CrdFile {
  /** In `api/crds`. */
  readonly path: string;
  /** The gates of the variant. */
  readonly gates: readonly string[];
  readonly text: string;
}

const HEAD = '# Written by `npm run api:generate` from the definitions in api/src; not edited by hand.\n';

/** The files of a kind: one without gates, and one more for each gate that changes it. */
export function crdFiles(kind: Kind): CrdFile[] {
  const variants = [[], ...gatesOf(kind).map((gate) => [gate])];
  return variants.map((gates) => ({
    path: `${kind.group}/${[kind.plural, ...gates.map(kebab)].join('-')}.yaml`,
    gates,
    text:
      HEAD + stringify(crd(kind, { gates }), { sortMapEntries: true, lineWidth: 120, aliasDuplicateObjects: false }),
  }));
}
