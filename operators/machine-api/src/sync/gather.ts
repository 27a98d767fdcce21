/** Reads all that a synchronisation is decided by: from memory, or the copies themselves from the server. */
import type { MachineContext } from '@capstan/convert/machine-api';
import { timestamp } from '@capstan/kube';
import type { Cache, Client, ResourceKind } from '@capstan/kube';
import { controllerOf, ignoreNotFound } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import type { MachineApiSettings } from '../config.js';
import type { Descriptor, Tools } from '../descriptors/descriptor.js';
import {
  CAPI_MACHINE_SETS,
  CAPI_MACHINES,
  CLUSTERS,
  INFRASTRUCTURES,
  MAPI_MACHINE_SETS,
  MAPI_MACHINES,
} from '../kinds.js';
import { recordAt, sourceOf } from '../shared/model.js';
import type { Authored } from '../shared/model.js';
import type { Inputs, OwningSet, Surroundings } from '../resource/inputs.js';

/** Machines by the UID of what controls them. */
const CONTROLLER_INDEX = 'controller';
/** Templates by the set they were made for. */
const TEMPLATE_INDEX = 'set';
/** Sets by the name of their template. */
const REFERENCE_INDEX = 'template';
const TEMPLATE_OWNER_LABEL = 'machine.openshift.io/cluster-api-machineset';

const byController = (object: KubeObject): string[] => {
  const uid = controllerOf(object)?.uid;
  return uid === undefined ? [] : [uid];
};

/** The name of the infrastructure object that a machine or a set of Cluster API names. */
export function referencedName(capi: KubeObject | undefined, child: Descriptor['child']): string | undefined {
  const path = child === 'template' ? ['spec', 'template', 'spec', 'infrastructureRef'] : ['spec', 'infrastructureRef'];
  const name = recordAt(capi, ...path)['name'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

interface GathererOptions {
  readonly cache: Cache;
  readonly client: Client;
  readonly clock: Clock;
  readonly settings: MachineApiSettings;
  readonly tools: Tools;
}

type Read = (kind: ResourceKind, name: string) => Promise<KubeObject | undefined>;

/** Reads the inputs of all kinds. */
export class Gatherer {
  readonly #options: GathererOptions;

  constructor(options: GathererOptions) {
    this.#options = options;
    const { cache, tools } = options;
    for (const kind of [MAPI_MACHINES, CAPI_MACHINES]) cache.addIndexer(kind, CONTROLLER_INDEX, byController);
    cache.addIndexer(tools.templates, TEMPLATE_INDEX, ({ metadata }) => {
      const set = metadata.labels?.[TEMPLATE_OWNER_LABEL];
      return set === undefined ? [] : [set];
    });
    cache.addIndexer(CAPI_MACHINE_SETS, REFERENCE_INDEX, (set) => {
      const name = referencedName(set, 'template');
      return name === undefined ? [] : [name];
    });
  }

  /** Of one resource; `isLive` reads its copies from the server. */
  async gather(descriptor: Descriptor, name: string, isLive = false): Promise<Inputs> {
    const { clock, tools } = this.#options;
    const read = isLive ? this.#live : this.#cached;
    const [mapi, capi] = (await Promise.all([
      read(descriptor.machineApi, name),
      read(descriptor.clusterApi, name),
    ])) as [Authored | undefined, KubeObject | undefined];
    const owningSet = descriptor.kind === 'Machine' ? this.#owningSet(mapi, capi) : {};
    const surroundings = this.surroundings();
    return {
      name,
      descriptor,
      tools,
      surroundings,
      mapi,
      capi,
      child: await this.#child(descriptor, name, capi, read),
      host: isLive ? await this.#host(descriptor, mapi) : undefined,
      ...this.#templates(descriptor, name),
      owners: { cluster: surroundings.cluster, mapiSet: owningSet.mapi, capiSet: owningSet.capi },
      owningSet,
      controlled: this.#controlled(descriptor, mapi, capi),
      now: timestamp(clock),
    };
  }

  #store(kind: ResourceKind): ReturnType<Cache['informer']>['store'] {
    return this.#options.cache.informer(kind).store;
  }

  #namespaceOf({ group }: ResourceKind): string {
    const { clusterApi, machineApi } = this.#options.settings.namespaces;
    return group === 'machine.openshift.io' ? machineApi : clusterApi;
  }

  readonly #cached: Read = (kind, name) => Promise.resolve(this.#one(kind, name));

  readonly #live: Read = (kind, name) =>
    this.#options.client.get(kind, name, { namespace: this.#namespaceOf(kind) }).catch(ignoreNotFound);

  #one(kind: ResourceKind, name: string): KubeObject | undefined {
    return this.#store(kind).get(kind.namespaced ? `${this.#namespaceOf(kind)}/${name}` : name);
  }

  async #child(
    { child }: Descriptor,
    name: string,
    capi: KubeObject | undefined,
    read: Read,
  ): Promise<KubeObject | undefined> {
    const { tools } = this.#options;
    if (child === 'none') return undefined;
    const referenced = referencedName(capi, child);
    if (child === 'machine') return read(tools.machines, referenced ?? name);
    return referenced === undefined ? undefined : read(tools.templates, referenced);
  }

  /** Hosts are not kept in memory: they are of interest while authority moves. */
  async #host({ kind }: Descriptor, mapi: KubeObject | undefined): Promise<KubeObject | undefined> {
    const { client, tools } = this.#options;
    if (kind !== 'Machine' || mapi === undefined || tools.hosts === undefined) return undefined;
    const at = tools.platform.hosts?.of(mapi);
    return at && client.get(tools.hosts, at.name, { namespace: at.namespace }).catch(ignoreNotFound);
  }

  /** The cluster around all resources, from memory. */
  surroundings(): Surroundings {
    const { settings, tools } = this.#options;
    const infrastructure = this.#one(INFRASTRUCTURES, 'cluster');
    const clusterName = recordAt(infrastructure, 'status')['infrastructureName'];
    if (typeof clusterName !== 'string' || clusterName === '') return {};
    const context: MachineContext = {
      clusterName,
      namespaces: settings.namespaces,
      infrastructure,
      infrastructureCluster: this.#one(tools.clusters, clusterName),
    };
    return { context, cluster: this.#one(CLUSTERS, clusterName) };
  }

  /** The set that controls the machine, by the name that either copy has for it. */
  #owningSet(mapi: KubeObject | undefined, capi: KubeObject | undefined): OwningSet {
    const owner = [mapi, capi].map((each) => each && controllerOf(each)).find((each) => each?.kind === 'MachineSet');
    if (owner === undefined) return {};
    const set: Authored | undefined = this.#one(MAPI_MACHINE_SETS, owner.name);
    return { mapi: set, capi: this.#one(CAPI_MACHINE_SETS, owner.name), authority: set && sourceOf(set) };
  }

  #templates({ child }: Descriptor, name: string): Pick<Inputs, 'templates' | 'usedTemplates'> {
    if (child !== 'template') return { templates: [], usedTemplates: new Set() };
    const templates = this.#store(this.#options.tools.templates).byIndex(TEMPLATE_INDEX, name);
    const sets = this.#store(CAPI_MACHINE_SETS);
    const used = templates
      .map(({ metadata }) => metadata.name ?? '')
      .filter((each) => sets.byIndex(REFERENCE_INDEX, each).length > 0);
    return { templates, usedTemplates: new Set(used) };
  }

  #controlled({ kind }: Descriptor, mapi: KubeObject | undefined, capi: KubeObject | undefined): Inputs['controlled'] {
    if (kind !== 'MachineSet') return { mapi: [], capi: [] };
    const of = (resource: ResourceKind, set: KubeObject | undefined): KubeObject[] =>
      set?.metadata.deletionTimestamp == null
        ? []
        : this.#store(resource).byIndex(CONTROLLER_INDEX, set.metadata.uid ?? '');
    return { mapi: of(MAPI_MACHINES, mapi) as Authored[], capi: of(CAPI_MACHINES, capi) };
  }
}
