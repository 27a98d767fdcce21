import { resource } from '@capstan/api/model';
import { infrastructure } from '@capstan/api/config';
import { controlPlaneMachineSet, machine, machineHealthCheck, machineSet } from '@capstan/api/machine';
import {
  machine as clusterApiMachine,
  machineHealthCheck as clusterApiHealthCheck,
  machineSet as clusterApiMachineSet,
} from '@capstan/api/cluster-api';
import type { MachineContext, MachinePlatform, PlatformKind } from '@capstan/convert/machine-api';
import { providerSpecIn } from '@capstan/convert/machine-api';
import type { Client, ResourceKind } from '@capstan/kube';
import { ignoreNotFound, isNotFound, lookUp, pushAll } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { ConversionPlatforms } from '@capstan/provider';
import { CliError, UsageError } from '../errors.js';
import { referenceOf } from './convert-all.js';
import { isObject, textAt } from './model.js';
import type { Api, Read } from './model.js';

/** The kinds that are converted, as each API serves them. */
const KINDS: Readonly<Record<Api, readonly ResourceKind[]>> = {
  'machine-api': [
    resource(machine, 'v1beta1'),
    resource(machineSet, 'v1beta1'),
    resource(controlPlaneMachineSet, 'v1'),
    resource(machineHealthCheck, 'v1beta1'),
  ],
  'cluster-api': [
    resource(clusterApiMachine, 'v1beta2'),
    resource(clusterApiMachineSet, 'v1beta2'),
    resource(controlPlaneMachineSet, 'v1'),
    resource(clusterApiHealthCheck, 'v1beta2'),
  ],
};
const SHORT: Readonly<Record<string, string>> = {
  mhc: 'machinehealthchecks',
  mhcs: 'machinehealthchecks',
  cpms: 'controlplanemachinesets',
};
const HINT = 'name live objects as machines, machineset/NAME or machines.cluster.x-k8s.io/NAME';

/** What of the cluster is wanted: a kind, or one object of it. */
export interface Wanted {
  readonly plural: string;
  /** The field or option it comes from. */
  readonly group?: string | undefined;
  readonly name?: string | undefined;
}

/** Reads `machines`, `machineset/NAME` or `machines.cluster.x-k8s.io/NAME`. */
export function wantedOf(text: string): Wanted {
  const [, word = '', group, name] = /^([a-z]+)(?:\.([a-z0-9.-]+))?(?:\/(.+))?$/.exec(text.trim()) ?? [];
  const plural = lookUp(SHORT, word) ?? (word.endsWith('s') ? word : `${word}s`);
  const kinds = [...KINDS['machine-api'], ...KINDS['cluster-api']];
  const known = kinds.filter((kind) => kind.plural === plural && (group === undefined || kind.group === group));
  if (known.length === 0) throw new UsageError(`${JSON.stringify(text)} is no kind that can be converted`, HINT);
  return { plural, group, name };
}

/** The API to read live objects of: from the option, from the given names, or Machine API. */
export function liveApi(wanted: readonly Wanted[], to: Api | undefined): Api {
  if (to !== undefined) return to === 'cluster-api' ? 'machine-api' : 'cluster-api';
  return wanted.some(({ group }) => group === 'cluster.x-k8s.io') ? 'cluster-api' : 'machine-api';
}

/** What is read of a cluster. */
export interface LiveQuestion {
  readonly api: Api;
  /** Everything where nothing is named. */
  readonly wanted: readonly Wanted[];
  readonly namespaces: MachineContext['namespaces'];
  readonly platforms: ConversionPlatforms;
  /** Whether the infrastructure cluster and the Infrastructure are to be read as well. */
  readonly withInfrastructure: boolean;
}

/** Where live objects are from. */
export const FROM_CLUSTER = { file: 'the cluster' } as const;

/** Reads a cluster as if it stood in a file. */
export class LiveReader {
  readonly #client: Client;
  readonly #signal: AbortSignal;
  readonly #question: LiveQuestion;

  constructor(client: Client, question: LiveQuestion, signal: AbortSignal) {
    this.#client = client;
    this.#question = question;
    this.#signal = signal;
  }

  async read(): Promise<Read[]> {
    const objects = await this.#objects();
    const platforms = this.#platformsOf(objects);
    const parts = this.#question.api === 'cluster-api' ? await this.#partsOf(objects) : [];
    const infrastructures = this.#question.withInfrastructure ? await this.#infrastructure(platforms) : [];
    return [...objects, ...parts, ...infrastructures].map((value) => ({ value, place: FROM_CLUSTER }));
  }

  get #namespace(): string {
    const { api, namespaces } = this.#question;
    return api === 'machine-api' ? namespaces.machineApi : namespaces.clusterApi;
  }

  async #objects(): Promise<JsonObject[]> {
    const { api, wanted } = this.#question;
    const kinds = KINDS[api];
    if (wanted.length === 0) return this.#everything(kinds);
    const found: JsonObject[][] = [];
    for (const { group, name, plural } of wanted) {
      const kind = kinds.find((each) => each.plural === plural);
      if (kind === undefined || (group !== undefined && group !== kind.group))
        throw new UsageError(`${plural}.${group ?? ''} is not of the API that is converted`, 'choose it with --to');
      if (name === undefined) found.push(await this.#list(kind, this.#namespaceOf(kind)));
      else found.push([await this.#get(kind, name, this.#namespaceOf(kind))]);
    }
    return found.flat().filter((object) => this.#isOfApi(object));
  }

  async #everything(kinds: readonly ResourceKind[]): Promise<JsonObject[]> {
    const [machines, ...others] = kinds as [ResourceKind, ...ResourceKind[]];
    const found = [await this.#list(machines, this.#namespaceOf(machines))];
    for (const kind of others)
      found.push(await this.#list(kind, this.#namespaceOf(kind)).catch((error: unknown) => unlessUnknown(error)));
    return found.flat().filter((object) => this.#isOfApi(object));
  }

  /** Sets of control plane machines are in the namespace of Machine API, whatever their machines are. */
  #namespaceOf({ group }: ResourceKind): string {
    return group === machine.group ? this.#question.namespaces.machineApi : this.#namespace;
  }

  /** Of sets of control plane machines those whose machines are of the API. */
  #isOfApi(object: JsonObject): boolean {
    return object['kind'] !== 'ControlPlaneMachineSet' || isControlPlaneOf(object, this.#question.api);
  }

  async #list(kind: ResourceKind, namespace: string): Promise<JsonObject[]> {
    try {
      const { items } = await this.#client.list(kind, { namespace, signal: this.#signal });
      // Servers omit apiVersion and kind from the items of a list.
      return items.map((item) => ({ ...item, ...typeOf(kind) }));
    } catch (error) {
      throw isNotFound(error) ? new UnservedKind(kind, error) : error;
    }
  }

  async #get(kind: ResourceKind, name: string, namespace: string): Promise<KubeObject> {
    try {
      const found = await this.#client.get(kind, name, { namespace, signal: this.#signal });
      return { ...found, ...typeOf(kind) };
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw new CliError(
        `there is no ${kind.plural}.${kind.group} ${name} in namespace ${namespace}`,
        'name another namespace with --from-namespace, or another cluster with --context',
        { cause: error },
      );
    }
  }

  #platformsOf(objects: readonly JsonObject[]): MachinePlatform[] {
    const { platforms } = this.#question;
    const found = new Set<MachinePlatform>();
    for (const object of objects) {
      const reference = referenceOf(object);
      const platform =
        reference === undefined
          ? platforms.ofProviderSpec(textAt(providerSpecIn(object)?.value, 'kind'))
          : platforms.ofInfrastructure(textAt(reference, 'apiGroup'), textAt(reference, 'kind'));
      if (platform !== undefined && !('refused' in platform)) found.add(platform);
    }
    return [...found];
  }

  /** The infrastructure machines and templates that the objects name. */
  async #partsOf(objects: readonly JsonObject[]): Promise<JsonObject[]> {
    const named = new Map<string, Set<string>>();
    const kinds = new Map<string, PlatformKind>();
    for (const object of objects) {
      const reference = referenceOf(object);
      const [group, kind] = [textAt(reference, 'apiGroup'), textAt(reference, 'kind')];
      const platform = this.#question.platforms.ofInfrastructure(group, kind);
      if (platform === undefined) continue;
      const own = platform.machine.kind.kind === kind ? platform.machine : platform.template;
      kinds.set(kind, own);
      named.set(kind, (named.get(kind) ?? new Set()).add(textAt(reference, 'name')));
    }
    const found: JsonObject[][] = [];
    for (const [name, { kind, version }] of kinds) {
      const all = await this.#list(resource(kind, version), this.#namespace);
      found.push(all.filter((each) => named.get(name)?.has(textAt(each, 'metadata', 'name')) === true));
    }
    return found.flat();
  }

  /** A missing object is treated as unknown; the conversion reports what it could not compare. */
  async #infrastructure(platforms: readonly MachinePlatform[]): Promise<JsonObject[]> {
    const kind = resource(infrastructure, 'v1');
    const found: JsonObject[] = [];
    const about = await this.#client.get(kind, 'cluster', { signal: this.#signal }).catch(ignoreNotFound);
    if (about !== undefined) found.push({ ...about, ...typeOf(kind) });
    for (const { cluster } of platforms) {
      const clusters = resource(cluster.kind, cluster.version);
      const { clusterApi } = this.#question.namespaces;
      pushAll(found, await this.#list(clusters, clusterApi).catch((error: unknown) => unlessUnknown(error)));
    }
    return found;
  }
}

function isControlPlaneOf(object: JsonObject, api: Api): boolean {
  const template = isObject(object['spec']) ? object['spec']['template'] : undefined;
  const isClusterApi = textAt(template, 'machineType').includes('cluster_x_k8s_io');
  return isClusterApi === (api === 'cluster-api');
}

function typeOf({ group, kind, version }: ResourceKind): { readonly apiVersion: string; readonly kind: string } {
  return { apiVersion: `${group}/${version}`, kind };
}

/** The cluster knows no such kind. */
class UnservedKind extends CliError {
  constructor({ group, plural, version }: ResourceKind, cause: unknown) {
    super(
      `the cluster does not serve ${plural}.${group} ${version}`,
      'name another cluster with --context, or files with -f',
      { cause },
    );
  }
}

function unlessUnknown(error: unknown): never[] {
  if (error instanceof UnservedKind) return [];
  throw error;
}
