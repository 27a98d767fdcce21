import type { ConversionPlatforms } from '@capstan/provider';
import { clusterApiConversions } from '@capstan/convert/cluster-api';
import { MACHINE_API_MEMBER } from '@capstan/convert/machine-api';
import { errorText } from '@capstan/kube';
import { deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { refusedEntry, skippedEntry } from './entry.js';
import type { Entry } from './entry.js';
import { isManager } from './manager-flags.js';
import { groupOf, isObject, kindOf, nameOf, textAt } from './model.js';
import type { Api, Read, Source } from './model.js';

export const MACHINE_API_GROUP = 'machine.openshift.io';
export const CLUSTER_API_GROUP = 'cluster.x-k8s.io';
const CONFIG_GROUP = 'config.openshift.io';

/** Kinds that both APIs have. */
const SHARED: ReadonlySet<string> = new Set(['Machine', 'MachineSet', 'MachineHealthCheck']);
/** Its template decides which of the APIs its machines belong to; the set itself is Machine API's in both. */
const CONTROL_PLANE = 'ControlPlaneMachineSet';

/** What to do with kinds that only Cluster API has; others are to be left out. */
const INSTEAD: Readonly<Record<string, string>> = {
  MachineDeployment: 'convert the MachineSet that it keeps now',
  MachinePool: 'create MachineSets from it first',
};

const TWICE = { path: 'metadata.name', message: 'is given twice, with different content', change: 'give it once' };
const SAME = 'is given twice, with the same content';
/** Kinds of infrastructure providers that stand for machines. */
const MACHINES = /Machine(?:Template|Pool|PoolTemplate)?$/;
const IDENTIFY = 'write the object as the server gives it: apiVersion, kind, and a name in its metadata';

/** An object to be converted. */
export interface Convertible extends Source {
  readonly api: Api;
}

/** An object that only one of the APIs has. */
export interface Lonely extends Convertible {
  readonly message: string;
  readonly change: string;
}

/** What was read, by what it is for. */
export interface Sorted {
  readonly convertible: readonly Convertible[];
  readonly lonely: readonly Lonely[];
  /** Infrastructure machines and templates, by {@link partKey}. */
  readonly parts: ReadonlyMap<string, Source>;
  /** Infrastructure clusters, and the Infrastructure of config.openshift.io. */
  readonly clusters: readonly Source[];
  readonly infrastructures: readonly Source[];
  /** Deployments of the manager of Cluster API, whose flags decide what reaches nodes. */
  readonly managers: readonly Source[];
  /** What no conversion is for: refused, or left out with a reason. */
  readonly others: readonly Entry[];
  /** How many objects of neither API there are, by their kind. */
  readonly foreign: ReadonlyMap<string, number>;
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
  readonly #lonely: Lonely[] = [];
  readonly #parts = new Map<string, Source>();
  readonly #clusters: Source[] = [];
  readonly #infrastructures: Source[] = [];
  readonly #managers: Source[] = [];
  readonly #others: Entry[] = [];
  readonly #foreign = new Map<string, number>();
  readonly #seen = new Map<string, JsonObject>();

  constructor(platforms: ConversionPlatforms) {
    this.#platforms = platforms;
  }

  get sorted(): Sorted {
    return {
      convertible: this.#convertible,
      lonely: this.#lonely,
      parts: this.#parts,
      clusters: this.#clusters,
      infrastructures: this.#infrastructures,
      managers: this.#managers,
      others: this.#others,
      foreign: this.#foreign,
    };
  }

  add({ isFound, place, value }: Read): void {
    if (isFound === true && !isAboutMachines(value)) {
      this.#addForeign(isObject(value) ? kindOf(value) : '');
      return;
    }
    if (!isObject(value)) {
      const wrong = { path: '', message: `is ${shape(value)}, and no object`, change: 'give objects alone' };
      this.#others.push(refusedEntry({ object: {}, place }, wrong));
      return;
    }
    const source: Source = { object: value, place };
    const problem = identityProblem(value);
    if (problem !== undefined) this.#others.push(refusedEntry(source, { ...problem, change: IDENTIFY }));
    else this.#addObject(source);
  }

  #addForeign(kind: string): void {
    const title = kind === '' ? 'without a kind' : kind;
    this.#foreign.set(title, (this.#foreign.get(title) ?? 0) + 1);
  }

  /** Whether the very same object was there before: a must-gather has some of them in several files. */
  #isRepeated({ object }: Source): boolean {
    const key = [groupOf(object), kindOf(object), textAt(object, 'metadata', 'namespace'), nameOf(object)].join('/');
    const before = this.#seen.get(key);
    this.#seen.set(key, before ?? object);
    return before !== undefined && deepEqual(content(before), content(object));
  }

  #addObject(source: Source): void {
    const api = apiOf(source.object);
    if (api !== undefined && this.#isRepeated(source)) this.#others.push(skippedEntry(source, SAME));
    else if (api !== undefined) {
      const current = newest(source, api);
      if ('result' in current) this.#others.push(current);
      else this.#convertible.push({ ...current, api });
    } else if (!this.#addInfrastructure(source)) {
      this.#addOther(source);
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
    if (isManager(source.object)) {
      this.#managers.push(source);
      return true;
    }
    const platform = this.#platforms.ofInfrastructure(group, kind);
    if (platform === undefined) return false;
    if (platform.cluster.kind.kind === kind) this.#clusters.push(source);
    else this.#addPart(source, partKey(group, kind, nameOf(source.object)));
    return true;
  }

  /** Whether objects of one of the APIs are reported depends on the direction. */
  #addOther(source: Source): void {
    const group = groupOf(source.object);
    const kind = kindOf(source.object);
    if (group === MACHINE_API_GROUP) {
      const message = `there is no conversion of a ${kind}`;
      this.#lonely.push({ ...source, api: 'machine-api', message, change: 'leave it out' });
    } else if (group === CLUSTER_API_GROUP && kind !== 'Cluster') {
      const message = `Machine API has nothing like a ${kind}`;
      this.#lonely.push({ ...source, api: 'cluster-api', message, change: INSTEAD[kind] ?? 'leave it out' });
    } else if (group.startsWith('infrastructure.') && MACHINES.test(kind)) {
      const message = `is ${kind}.${group}, which belongs to no platform known here`;
      this.#lonely.push({ ...source, api: 'cluster-api', message, change: 'leave it out' });
    } else {
      this.#addForeign(kind);
    }
  }

  #addPart(source: Source, key: string): void {
    const before = this.#parts.get(key);
    if (before === undefined) this.#parts.set(key, source);
    else if (deepEqual(content(before.object), content(source.object))) this.#others.push(skippedEntry(source, SAME));
    else this.#others.push(refusedEntry(source, TWICE));
  }
}

/** What of an object is converted. */
function content({ apiVersion, metadata, spec }: JsonObject): unknown {
  const { annotations, labels, ownerReferences } = isObject(metadata) ? metadata : {};
  return { apiVersion, annotations, labels, ownerReferences, spec };
}

/** Whether something in a file about anything is meant to be converted, however wrong it is. */
function isAboutMachines(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (isManager(value)) return true;
  const group = groupOf(value);
  if (group === MACHINE_API_GROUP || group === CLUSTER_API_GROUP) return true;
  if (group.endsWith(`.${CLUSTER_API_GROUP}`)) return true;
  if (group === CONFIG_GROUP) return kindOf(value) === 'Infrastructure';
  return group === '' && (SHARED.has(kindOf(value)) || kindOf(value) === CONTROL_PLANE);
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
    if (first !== undefined)
      return refusedEntry(source, {
        path: first.path,
        message: first.message,
        change: `correct it, as ${older.versions.left} has it`,
      });
    return { ...source, object: { ...value, apiVersion: `${older.group}/${older.versions.right}`, kind: older.kind } };
  } catch (error) {
    const message = `cannot be read as ${older.versions.left}: ${errorText(error)}`;
    return refusedEntry(source, { path: '', message, change: `give it in ${older.versions.right}` });
  }
}
