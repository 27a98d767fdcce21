import { compareVersionPriority } from '@capstan/meta';

/** A group version as an APIService registers it. */
export interface Registration {
  readonly group: string;
  readonly version: string;
  /** `groupPriorityMinimum`: higher groups come first. */
  readonly groupPriority: number;
  /** Higher versions come first in their group. */
  readonly versionPriority: number;
}

/** A group as `/apis` lists it, the preferred version first. */
export interface RegisteredGroup {
  readonly group: string;
  readonly versions: readonly { readonly version: string }[];
}

/** The name that the APIService of a group version must have. */
export function apiServiceName({ group, version }: Pick<Registration, 'group' | 'version'>): string {
  return `${version}.${group}`;
}

function byGroupPriority(a: Registration, b: Registration): number {
  const [first, second] = [apiServiceName(a), apiServiceName(b)];
  return b.groupPriority - a.groupPriority || (first < second ? -1 : first > second ? 1 : 0);
}

function byVersionPriority(a: Registration, b: Registration): number {
  return b.versionPriority - a.versionPriority || compareVersionPriority(a.version, b.version);
}

/**
 * The groups in the order of kube-aggregator: a group stands where the first of its APIServices does. Equal priorities
 * go by the name of the APIService, which begins with the version.
 */
export function registeredGroups(registrations: readonly Registration[]): RegisteredGroup[] {
  const groups = new Map<string, Registration[]>();
  for (const each of registrations.toSorted(byGroupPriority)) {
    const known = groups.get(each.group);
    if (known === undefined) groups.set(each.group, [each]);
    else known.push(each);
  }
  return [...groups].map(([group, versions]) => ({ group, versions: versions.sort(byVersionPriority) }));
}
