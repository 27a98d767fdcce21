import type { ConversionPlatforms } from '@capstan/provider';
import { clusterApiConversions } from '@capstan/convert/cluster-api';
import { MACHINE_API_MEMBER } from '@capstan/convert/machine-api';
import { errorText } from '@capstan/kube';
import type { JsonObject } from '@capstan/meta';
import { refusedEntry, skippedEntry } from './entry.js';
import type { Entry } from './entry.js';
import { groupOf, isObject, kindOf, nameOf, textAt } from './model.js';
import type { Api, Read, Source } from './model.js';

export const MACHINE_API_GROUP = 'machine.openshift.io';
export const CLUSTER_API_GROUP = 'cluster.x-k8s.io';
const CONFIG_GROUP = 'config.openshift.io';

/** Kinds that both APIs have. */
const SHARED: ReadonlySet<string> = new Set(['Machine', 'MachineSet', 'MachineHealthCheck']);
/** Its template tells which of the APIs its machines are of; the set itself is Machine API's in both. */
const CONTROL_PLANE = 'ControlPlaneMachineSet';

/** What is known of kinds that only one of the APIs has. */
const WITHOUT_COUNTERPART: Readonly<Record<string, string>> = {
  MachineDeployment: 'Machine API has no MachineDeployments: convert the MachineSet that it keeps now',
  MachinePool: 'Machine API has no MachinePools: make MachineSets of it first',
  MachineDrainRule: 'Machine API has no rules for draining: leave it out',
  ClusterClass: 'Machine API has no classes of clusters: leave it out',
};

/** An object to be converted. */
export interface Convertible extends Source {
  readonly api: Api;
}

/** What was read, by what it is for. */
export interface Sorted {
  readonly convertible: readonly Convertible[];
  /** Infrastructure machines and templates, by {@link partKey}. */
  readonly parts: ReadonlyMap<string, Source>;
  /** Infrastructure clusters, and the Infrastructure of config.openshift.io. */
  readonly clusters: readonly Source[];
  readonly infrastructures: readonly Source[];
  /** What no conversion is for: refused, or left out with a reason. */
  readonly others: readonly Entry[];
}

/** By what a reference finds infrastructure: it names no version. */
export function partKey(group: string, kind: string, name: string): string {
  return `${kind}.${group}/${name}`;
}

/** Which API an object to be converted is of; undefined where it is none of either. */
export function apiOf(object: JsonObject): Api | undefined {
  const group = groupOf(object);
  const kind = kindOf(object);
  if (group === CLUSTER_API_GROUP) return SHARED.has(kind) ? 'cluster-api' : undefined;
  if (group !== MACHINE_API_GROUP) return undefined;
  if (SHARED.has(kind)) return 'machine-api';
  if (kind !== CONTROL_PLANE) return undefined;
  const machineType = textAt(object, 'spec', 'template', 'machineType');
  return machineType === '' || machineType === MACHINE_API_MEMBER ? 'machine-api' : 'cluster-api';
}

/** Sorts what was read. */
export class Sorter {
  readonly #platforms: ConversionPlatforms;
  readonly #convertible: Convertible[] = [];
  readonly #parts = new Map<string, Source>();
  readonly #clusters: Source[] = [];
  readonly #infrastructures: Source[] = [];
  readonly #others: Entry[] = [];

  constructor(platforms: ConversionPlatforms) {
    this.#platforms = platforms;
  }

  get sorted(): Sorted {
    return {
      convertible: this.#convertible,
      parts: this.#parts,
      clusters: this.#clusters,
      infrastructures: this.#infrastructures,
      others: this.#others,
    };
  }

  add({ place, value }: Read): void {
    if (!isObject(value)) {
      this.#others.push(refusedEntry({ object: {}, place }, '', `is ${shape(value)}, and no object`));
      return;
    }
    const source: Source = { object: value, place };
    const problem = identityProblem(value);
    if (problem !== undefined) this.#others.push(refusedEntry(source, problem.path, problem.message));
    else this.#addObject(source);
  }

  #addObject(source: Source): void {
    const api = apiOf(source.object);
    if (api !== undefined) {
      const current = newest(source, api);
      if ('result' in current) this.#others.push(current);
      else this.#convertible.push({ ...current, api });
    } else if (!this.#addInfrastructure(source)) {
      this.#others.push(other(source));
    }
  }

  /** Whether it is about what machines run on. */
  #addInfrastructure(source: Source): boolean {
    const group = groupOf(source.object);
    const kind = kindOf(source.object);
    if (group === CONFIG_GROUP && kind === 'Infrastructure') {
      this.#infrastructures.push(source);
      return true;
    }
    const platform = this.#platforms.ofInfrastructure(group, kind);
    if (platform === undefined) return false;
    if (platform.cluster.kind.kind === kind) this.#clusters.push(source);
    else this.#addPart(source, partKey(group, kind, nameOf(source.object)));
    return true;
  }

  #addPart(source: Source, key: string): void {
    if (this.#parts.has(key)) this.#others.push(refusedEntry(source, 'metadata.name', 'is there twice: give it once'));
    else this.#parts.set(key, source);
  }
}

function shape(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`;
}

/** What is wrong with an object that does not say what it is. */
function identityProblem(object: JsonObject): { readonly path: string; readonly message: string } | undefined {
  for (const path of ['apiVersion', 'kind'])
    if (textAt(object, path) === '') return { path, message: 'must say what the object is' };
  if (!isObject(object['metadata'])) return { path: 'metadata', message: 'must be an object with a name' };
  if (nameOf(object) === '') return { path: 'metadata.name', message: 'must be a name' };
  return undefined;
}

/** An object in the version of its API that is converted: an older one of Cluster API is brought there. */
function newest(source: Source, api: Api): Source | Entry {
  const { object } = source;
  if (api === 'machine-api' || groupOf(object) !== CLUSTER_API_GROUP) return source;
  const older = clusterApiConversions.find(
    ({ group, kind, versions }) => kind === kindOf(object) && object['apiVersion'] === `${group}/${versions.left}`,
  );
  if (older === undefined) return source;
  try {
    const { errors, value } = older.map.forward(object, { apiVersionOf: () => undefined });
    const [first] = errors;
    if (first !== undefined) return refusedEntry(source, first.path, first.message);
    return { ...source, object: { ...value, apiVersion: `${older.group}/${older.versions.right}`, kind: older.kind } };
  } catch (error) {
    return refusedEntry(source, '', `cannot be read as ${older.versions.left}: ${errorText(error)}`);
  }
}

function other(source: Source): Entry {
  const group = groupOf(source.object);
  const kind = kindOf(source.object);
  if (group === CLUSTER_API_GROUP && kind !== 'Cluster') {
    const reason = WITHOUT_COUNTERPART[kind] ?? `Machine API has nothing like a ${kind}: leave it out`;
    return refusedEntry(source, 'kind', reason);
  }
  if (group === MACHINE_API_GROUP)
    return refusedEntry(source, 'kind', `there is no conversion of a ${kind}: leave it out`);
  if (group.startsWith('infrastructure.'))
    return refusedEntry(source, 'kind', `is ${kind}.${group}, which belongs to no platform known here`);
  return skippedEntry(source, 'is of neither API');
}
