import { join } from 'node:path';

import { withAdditions, withColumns, withRules } from './additions.js';
import type { PublishedCrd } from './crd-file.js';
import { readCrd } from './crd-file.js';
import { deriveCrd } from './derive.js';
import type { DraftedKind } from './emit-kind.js';
import { draftFiles } from './files.js';
import { schemaOf } from './from-json-schema.js';
import type { DraftVersion } from './shapes.js';
import type { DraftGroup, DraftKind } from './sources.js';
import { mergeVariant } from './variants.js';

/** Drafts the files of one group from the directories its module was put into. */
export async function draftGroup(
  group: DraftGroup,
  directories: ReadonlyMap<string, string>,
): Promise<Map<string, string>> {
  const directory = directories.get(group.module.replace(/@[^@]*$/, ''));
  if (directory === undefined) throw new Error(`go mod download did not answer for ${group.module}`);
  return draftFiles(group, await Promise.all(group.kinds.map((each) => readKind(directory, each))));
}

/** Reads what is published of a kind, with our own fields: those of every variant, and those of the gate. */
export async function readPublished(
  directory: string,
  file: string,
  source: DraftKind,
  gate?: string,
): Promise<PublishedCrd> {
  const published = await readCrd(join(directory, file));
  const crd = source.derived === undefined ? published : deriveCrd(published, source.derived);
  const isHere = (each: { readonly gate?: string }): boolean => each.gate === undefined || each.gate === gate;
  const added = withAdditions(crd, (source.additions ?? []).filter(isHere), source.rules);
  return withColumns(withRules(added, (source.moreRules ?? []).filter(isHere)), source.columns);
}

async function readKind(directory: string, source: DraftKind): Promise<DraftedKind> {
  const crd = await readPublished(directory, source.file, source);
  let versions = versionsOf(crd);
  for (const [gate, file] of Object.entries(source.gates ?? {})) {
    const others = versionsOf(await readPublished(directory, file, source, gate));
    versions = versions.map((base) => {
      const other = others.find((each) => each.version === base.version);
      if (other === undefined) throw new Error(`${base.kind}: ${gate} has no version ${base.version}`);
      return { ...base, schema: mergeVariant(base.schema, gate, other.schema, base.kind) };
    });
  }
  const labels = { ...crd.metadata.labels, ...source.labels };
  const labelled = { ...crd, metadata: { ...crd.metadata, labels } };
  return { crd: labelled, versions, ...(source.unconverted === true ? { unconverted: true } : {}) };
}

function versionsOf(crd: PublishedCrd): DraftVersion[] {
  return crd.spec.versions.map(({ name, storage, schema }) => ({
    kind: crd.spec.names.kind,
    version: name,
    storage,
    schema: schemaOf(schema.openAPIV3Schema),
  }));
}
