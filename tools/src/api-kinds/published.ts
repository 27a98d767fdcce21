import { crd } from '@capstan/api/model';
import type { CrdVersion, Kind } from '@capstan/api/model';

import { moduleDirectories } from '../builtin-types/modules.js';
import { differences } from './compare.js';
import type { PublishedCrd, PublishedVersion } from './draft/crd-file.js';
import { readPublished } from './draft/draft.js';
import type { DraftGroup, DraftKind } from './draft/sources.js';
import { draftGroups } from './draft/sources.js';
import { apiGroups } from './groups.js';

/** A CRD of ours and the one that upstream publishes. */
export interface PublishedPair {
  /** `Kind`, or `Kind with Gate`. */
  readonly title: string;
  /** What ours lacks, adds, or has otherwise; empty when they agree. */
  readonly differences: readonly string[];
  /** Why there is nothing to compare with: the module cannot be had here. */
  readonly missing?: string;
}

/** The titles of all pairs, which need no download. */
export function publishedTitles(): string[] {
  return draftGroups.flatMap(titlesOf);
}

function titlesOf(group: DraftGroup): string[] {
  return group.kinds.flatMap((source) => [
    title(source),
    ...Object.keys(source.gates ?? {}).map((gate) => title(source, gate)),
  ]);
}

function title({ file, derived }: DraftKind, gate?: string): string {
  const name = derived?.kind ?? file.replace(/^.*\//, '').replace(/(?:\.crd)?\.yaml$/, '');
  return gate === undefined ? name : `${name} with ${gate}`;
}

/** Compares every definition with what its authors publish, which Go downloads. */
export async function comparePublished(): Promise<PublishedPair[]> {
  const pairs: PublishedPair[] = [];
  for (const module of new Set(draftGroups.map((each) => each.module))) {
    const groups = draftGroups.filter((each) => each.module === module);
    pairs.push(...(await compareModule(module, groups)));
  }
  return pairs;
}

async function compareModule(module: string, groups: readonly DraftGroup[]): Promise<PublishedPair[]> {
  let directory: string;
  try {
    directory = [...(await moduleDirectories([module])).values()][0] ?? '';
  } catch (error) {
    // Not every proxy has every module; what it has is compared all the same.
    const missing = error instanceof Error ? error.message : String(error);
    return groups.flatMap(titlesOf).map((each) => ({ title: each, differences: [], missing }));
  }
  const pairs: PublishedPair[] = [];
  for (const group of groups) {
    const ours = apiGroups.find((each) => each.folder === group.folder)?.kinds ?? [];
    for (const source of group.kinds) {
      const { file, gates = {}, allowed = {} } = source;
      const plain = compareKind(ours, await readPublished(directory, file, source), []);
      pairs.push({ title: title(source), differences: unexpected(plain, allowed) });
      for (const [gate, gatedFile] of Object.entries(gates)) {
        const found = compareKind(ours, await readPublished(directory, gatedFile, source, gate), [gate]);
        pairs.push({ title: title(source, gate), differences: unexpected(found, allowed) });
      }
    }
  }
  return pairs;
}

/** Leaves out what is meant; a difference that is meant but not there is one as well. */
export function unexpected(found: readonly string[], allowed: Readonly<Record<string, string>>): string[] {
  const gone = Object.keys(allowed).filter((each) => !found.includes(each));
  return [
    ...found.filter((each) => !(each in allowed)),
    ...gone.map((each) => `no longer so, though allowed: ${each}`),
  ];
}

/** In sentences: what our CRD lacks, adds, or has otherwise. */
export function compareKind(kinds: readonly Kind[], published: PublishedCrd, gates: readonly string[]): string[] {
  const { group, names, versions, scope } = published.spec;
  const kind = kinds.find((each) => each.kind === names.kind && each.group === group);
  if (kind === undefined) return ['ours has no such kind'];
  const ours = crd(kind, { gates });
  const found = compareValues('', { scope, names }, { scope: ours.spec.scope, names: ours.spec.names });
  for (const version of versions) {
    const own = ours.spec.versions.find((each) => each.name === version.name);
    if (own === undefined) found.push(`${version.name}: ours lacks it`);
    else found.push(...compareVersion(own, version));
  }
  const extra = ours.spec.versions.filter((own) => !versions.some((each) => each.name === own.name));
  return [...found, ...extra.map((own) => `${own.name}: only ours has it`)];
}

function compareVersion(own: CrdVersion, version: PublishedVersion): string[] {
  const { schema: mine, ...ours } = own;
  const { schema, ...theirs } = version;
  const fields = differences(mine.openAPIV3Schema, schema.openAPIV3Schema);
  return [
    ...compareValues(version.name, plainVersion(theirs), plainVersion(ours)),
    ...fields.map((each) => `${version.name}${each}`),
  ];
}

/** Without descriptions, and without keywords that have no effect. */
function plainVersion(version: object): Record<string, unknown> {
  const { additionalPrinterColumns: columns, subresources, ...rest } = version as Omit<PublishedVersion, 'schema'>;
  return {
    ...rest,
    ...(columns === undefined ? {} : { columns: columns.map((each) => ({ ...each, description: undefined })) }),
    ...(Object.keys(subresources ?? {}).length === 0 ? {} : { subresources }),
  };
}

function compareValues(where: string, theirs: Record<string, unknown>, ours: Record<string, unknown>): string[] {
  const keys = new Set([...Object.keys(theirs), ...Object.keys(ours)]);
  return [...keys]
    .filter((key) => JSON.stringify(sorted(theirs[key])) !== JSON.stringify(sorted(ours[key])))
    .map(
      (key) =>
        `${where === '' ? '' : `${where}: `}${key} is ${JSON.stringify(ours[key])}, upstream has ${JSON.stringify(theirs[key])}`,
    );
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
