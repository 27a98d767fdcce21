import { join } from 'node:path';
import { crd } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';

import { moduleDirectories } from '../builtin-types/modules.js';
import { differences } from './compare.js';
import type { PublishedCrd } from './draft/crd-file.js';
import { readCrd } from './draft/crd-file.js';
import { draftGroups } from './draft/sources.js';
import { apiGroups } from './groups.js';

/** A definition of ours beside the one its authors publish. */
export interface PublishedPair {
  /** `Kind`, or `Kind with Gate`. */
  readonly title: string;
  /** What ours lacks, has beyond, or says otherwise; empty when they agree. */
  readonly differences: readonly string[];
}

/** The titles of all pairs, which can be told without a download. */
export function publishedTitles(): string[] {
  return draftGroups.flatMap((group) =>
    group.kinds.flatMap(({ file, gates }) => [
      title(file),
      ...Object.keys(gates ?? {}).map((gate) => title(file, gate)),
    ]),
  );
}

function title(file: string, gate?: string): string {
  const name = file.replace(/^.*\//, '').replace(/(?:\.crd)?\.yaml$/, '');
  return gate === undefined ? name : `${name} with ${gate}`;
}

/** Compares every definition with what its authors publish, which Go downloads. */
export async function comparePublished(): Promise<PublishedPair[]> {
  const directories = await moduleDirectories([...new Set(draftGroups.map((each) => each.module))]);
  const pairs: PublishedPair[] = [];
  for (const group of draftGroups) {
    const directory = directories.get(group.module.replace(/@[^@]*$/, '')) ?? '';
    const ours = apiGroups.find((each) => each.folder === group.folder)?.kinds ?? [];
    for (const { file, gates } of group.kinds) {
      pairs.push({ title: title(file), differences: compare(ours, await readCrd(join(directory, file)), []) });
      for (const [gate, gatedFile] of Object.entries(gates ?? {})) {
        const published = await readCrd(join(directory, gatedFile));
        pairs.push({ title: title(file, gate), differences: compare(ours, published, [gate]) });
      }
    }
  }
  return pairs;
}

function compare(kinds: readonly Kind[], published: PublishedCrd, gates: readonly string[]): string[] {
  const { group, names, versions, scope } = published.spec;
  const kind = kinds.find((each) => each.kind === names.kind && each.group === group);
  if (kind === undefined) return ['ours has no such kind'];
  const ours = crd(kind, { gates });
  const found: string[] = [];
  if (ours.spec.scope !== scope) found.push(`scope is ${ours.spec.scope}, its authors say ${scope}`);
  for (const version of versions) {
    const own = ours.spec.versions.find((each) => each.name === version.name);
    if (own === undefined) found.push(`${version.name}: ours lacks it`);
    else if (own.served !== version.served || own.storage !== version.storage) {
      found.push(`${version.name}: is served or stored otherwise`);
    } else {
      const fields = differences(own.schema.openAPIV3Schema, version.schema.openAPIV3Schema);
      found.push(...fields.map((each) => `${version.name}${each}`));
    }
  }
  return found;
}
