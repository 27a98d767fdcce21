import { deepEqual } from '@capstan/meta';
import type { Role } from '../vocabulary.js';
import { readTransport } from './read.js';
import type { BadTransport, CarriedDefinition, ConfigMap, Transport } from './read.js';

/** A CRD of a release, and the versions of it that the release's programs work with. */
export interface ReleasedDefinition extends CarriedDefinition {
  /** Besides the storage version, which its own controllers use. */
  readonly additionalVersions: readonly string[];
}

/** What the transport ConfigMaps of one role come to. */
export interface Release {
  /** As its maps say; undefined when there is none. */
  readonly version: string | undefined;
  readonly components: readonly string[];
  /** By name, in the order of names. */
  readonly definitions: ReadonlyMap<string, ReleasedDefinition>;
}

export interface Releases {
  readonly active: Release;
  readonly future: Release;
  /** Maps that cannot be used; while there is one, nothing is concluded from what the maps do not hold. */
  readonly bad: readonly BadTransport[];
}

/** Reads every transport ConfigMap; what is wrong with one does not hide the others. */
export function readReleases(maps: readonly ConfigMap[]): Releases {
  const read = [...maps].sort(byName).map(readTransport);
  const good = read.flatMap((each) => ('problem' in each ? [] : [each]));
  const active = releaseOf(good, 'active');
  const future = releaseOf(good, 'future');
  const bad = [...read.flatMap((each) => ('problem' in each ? [each] : [])), ...active.bad, ...future.bad];
  return { active: active.release, future: future.release, bad };
}

function byName({ metadata: a }: ConfigMap, { metadata: b }: ConfigMap): number {
  return (a.name ?? '') < (b.name ?? '') ? -1 : 1;
}

function releaseOf(
  read: readonly Transport[],
  role: Role,
): { readonly release: Release; readonly bad: readonly BadTransport[] } {
  const transports = read.filter((each) => each.role === role);
  const bad: BadTransport[] = [];
  const found = new Map<string, CarriedDefinition>();
  const version = transports[0]?.release;
  for (const { definitions, map, release } of transports) {
    if (release !== version)
      bad.push({ map, problem: `it is of release ${release}, but another ${role} one is of ${version ?? ''}` });
    for (const carried of definitions) {
      const other = found.get(carried.name);
      if (other !== undefined && !deepEqual(other.definition, carried.definition))
        bad.push({ map, problem: `it has another ${carried.name} than that of ${other.component}` });
      else found.set(carried.name, carried);
    }
  }
  const asked = new Map<string, Set<string>>();
  for (const { dependencies, map } of transports)
    for (const { by, definition, version: wanted } of dependencies) {
      const problem = whyNotProvided(found.get(definition), { by, definition, wanted });
      if (problem === undefined) asked.set(definition, (asked.get(definition) ?? new Set<string>()).add(wanted));
      else bad.push({ map, problem });
    }
  const definitions = new Map(
    [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, carried]) => [name, withVersions(carried, asked)]),
  );
  return { release: { version, components: componentsOf(transports), definitions }, bad };
}

function componentsOf(transports: readonly Transport[]): string[] {
  return [...new Set(transports.map(({ component }) => component))].sort();
}

/** A CRD that is in no map has another owner, so this operator requires no versions of it. */
function whyNotProvided(
  carried: CarriedDefinition | undefined,
  { by, definition, wanted }: { readonly by: string; readonly definition: string; readonly wanted: string },
): string | undefined {
  if (carried === undefined) return `${by} depends on ${definition}, which no transport config map of its release has`;
  const { versions } = carried.definition.spec;
  if (versions.some(({ name }) => name === wanted)) return undefined;
  return `${by} depends on version ${wanted} of ${definition}, which has ${versions.map(({ name }) => name).join(', ')}`;
}

function withVersions(carried: CarriedDefinition, asked: ReadonlyMap<string, ReadonlySet<string>>): ReleasedDefinition {
  const storage = carried.definition.spec.versions.find((each) => each.storage)?.name;
  const wanted = [...(asked.get(carried.name) ?? [])].filter((version) => version !== storage);
  return { ...carried, additionalVersions: wanted.sort() };
}
