import type { Checked, Finding } from '@capstan/crd-compat';
import { CRD_KIND, headOf } from './head.js';
import type { SourceObject } from './read.js';
import type { NamedRequirement } from './requirements.js';

/** A requirement and the CRD it is about. */
export interface Pair {
  readonly requirement: NamedRequirement;
  readonly definition: SourceObject;
}

/** Which CRDs are to be checked by which requirement. */
export interface Pairing {
  readonly found: readonly Pair[];
  /** Requirements whose CRD is not there. */
  readonly missing: readonly NamedRequirement[];
}

/** Every requirement with every CRD of its name: a folder may hold several, and each of them may be applied. */
export function pairUp(requirements: readonly NamedRequirement[], objects: readonly SourceObject[]): Pairing {
  const byName = new Map<string, SourceObject[]>();
  for (const object of objects) {
    const { kind, name } = headOf(object.object);
    if (kind === CRD_KIND) byName.set(name, [...(byName.get(name) ?? []), object]);
  }
  const found: Pair[] = [];
  const missing: NamedRequirement[] = [];
  for (const requirement of requirements) {
    const definitions = byName.get(requirement.crdName) ?? [];
    if (definitions.length === 0) missing.push(requirement);
    for (const definition of definitions) found.push({ requirement, definition });
  }
  return { found, missing };
}

/** The verdict on a required CRD that is nowhere in `source`. */
export function removedCrd({ crdName, name, definition, versions }: NamedRequirement, source: string): Checked {
  const { group, names } = definition['spec'] as { group: string; names: { plural: string } };
  const [version = ''] = versions;
  const finding: Finding = {
    rule: 'crd-removed',
    severity: 'error',
    path: 'metadata.name',
    message: `there is no CRD ${crdName} in ${source}`,
    required: crdName,
    proof: {
      version,
      request: { verb: 'list', path: `/apis/${group}/${version}/${names.plural}` },
      outcome: { kind: 'rejected', code: 404, message: 'the server could not find the requested resource' },
    },
  };
  return { requirement: name, definition: crdName, source, report: { verdict: 'Incompatible', findings: [finding] } };
}

/** The file alone, and the line in it. */
export function placeIn({ line, source, where }: SourceObject): { readonly source: string; readonly line?: number } {
  return { source: source ?? where, ...(line === undefined ? {} : { line }) };
}
