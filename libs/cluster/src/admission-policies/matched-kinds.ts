import type { GroupVersionKind } from '@capstan/meta';

/** The match constraints of a policy. */
export interface PolicyRules {
  readonly matchConstraints?: {
    readonly resourceRules?: readonly {
      readonly apiGroups?: readonly string[];
      readonly apiVersions?: readonly string[];
      readonly resources?: readonly string[];
    }[];
  };
}

/** A resource the server has. */
export interface KnownResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
}

/** More kinds than this of one rule are not looked at. */
const MAX_KINDS = 10;

/** The kinds that a policy names, in order. What it names by wildcards, and subresources, cannot be checked. */
export function matchedKinds({ matchConstraints }: PolicyRules, served: readonly KnownResource[]): GroupVersionKind[] {
  const found = new Map<string, GroupVersionKind>();
  for (const { apiGroups = [], apiVersions = [], resources = [] } of matchConstraints?.resourceRules ?? []) {
    if ([...apiGroups, ...apiVersions].some((name) => name.includes('*'))) continue;
    const plain = resources.filter((resource) => !/[*/]/.test(resource));
    const matched = served
      .filter(
        ({ group, version, plural }) =>
          apiGroups.includes(group) && apiVersions.includes(version) && plain.includes(plural),
      )
      .sort(byName);
    for (const { group, version, kind } of matched.slice(0, MAX_KINDS))
      found.set(`${group}/${version}/${kind}`, { group, version, kind });
  }
  return [...found.values()].sort(
    (a, b) => compare(a.group, b.group) || compare(a.version, b.version) || compare(a.kind, b.kind),
  );
}

function byName(a: KnownResource, b: KnownResource): number {
  return compare(a.group, b.group) || compare(a.version, b.version) || compare(a.plural, b.plural);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
