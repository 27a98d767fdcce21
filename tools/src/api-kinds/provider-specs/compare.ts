import * as ours from '@capstan/api/machine/provider-specs';

import { readProviderLists } from './draft.js';
import { providerSources } from './sources.js';

/** A field list of ours and the struct that upstream publishes. */
export interface ProviderListPair {
  readonly name: string;
  /** Fields that only the struct has, with their types. */
  readonly lacking: readonly string[];
  /** Fields that only ours has. */
  readonly gone: readonly string[];
  /** Why there is nothing to compare with: the module cannot be had here. */
  readonly missing?: string;
}

/** The names of all lists, which need no download. */
export function providerListNames(): string[] {
  return providerSources.flatMap(({ structs }) => structs.map((each) => each.constant));
}

/** Compares every list with its Go struct: in the version it was made from, or in what Go finds under `query`. */
export async function compareProviderSpecs(query?: string): Promise<ProviderListPair[]> {
  const sources = providerSources.map((source) =>
    query === undefined ? source : { ...source, module: source.module.replace(/@.*$/, `@${query}`) },
  );
  const own: Readonly<Record<string, readonly string[]>> = { ...ours };
  return (await readProviderLists(sources)).flatMap(({ source, lists, missing }) =>
    source.structs.map(({ constant }) =>
      missing === undefined
        ? compareLists(constant, own[constant] ?? [], lists.get(constant) ?? [])
        : { name: constant, lacking: [], gone: [], missing },
    ),
  );
}

/** What two lists do not share; a field of another type is in both. */
export function compareLists(name: string, own: readonly string[], theirs: readonly string[]): ProviderListPair {
  return {
    name,
    lacking: theirs.filter((each) => !own.includes(each)),
    gone: own.filter((each) => !theirs.includes(each)),
  };
}
