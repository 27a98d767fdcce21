/** Reads all that a synchronisation is decided by: from memory, or the copies themselves from the server. */
import type { MachineContext, NodePropagation } from '@capstan/convert/machine-api';
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
  CONTROL_PLANE_MACHINE_SETS,
  INFRASTRUCTURES,
  MAPI_MACHINES,
} from '../kinds.js';
import { recordAt, sourceOf } from '../shared/model.js';
import { infrastructureReference } from './infrastructure-reference.js';
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
function referencedName(capi: KubeObject | undefined, child: Descriptor['child']): string | undefined {
  const { name } = infrastructureReference(capi, child);
  return typeof name === 'string' && name !== '' ? name : undefined;
}

export interface GathererOptions {
  readonly cache: Cache;
  readonly client: Client;
  readonly clock: Clock;
  readonly settings: MachineApiSettings;
  readonly tools: Tools;
  readonly descriptors: readonly Descriptor[];
  /** What the manager of Cluster API brings to nodes, as far as that is known. */
  readonly nodePropagation: () => NodePropagation | undefined;
}

type Api = 'machineApi' | 'clusterApi';
type Read = (kind: ResourceKind, name: string, api: Api) => Promise<KubeObject | undefined>;

const SETS = ['MachineSet', 'ControlPlaneMachineSet'] as const;

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
    for (const kind of [CAPI_MACHINE_SETS, CONTROL_PLANE_MACHINE_SETS])
      cache.addIndexer(kind, REFERENCE_INDEX, (set) => {
        const name = referencedName(set, 'template');
        return name === undefined ? [] : [name];
      });
  }

  /** Of one resource; `isLive` reads its copies from the server. */
  async gather(descriptor: Descriptor, name: string, isLive = false): Promise<Inputs> {
    const { clock, tools } = this.#options;
    const read = isLive ? this.#live : this.#cached;
    const [mapi, capi] = (await Promise.all([
      read(descriptor.machineApi, name, 'machineApi'),
      read(descriptor.clusterApi, name, 'clusterApi'),
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

  #store(kind: ResourceKind, api?: Api): ReturnType<Cache['informer']>['store'] {
    const { cache, settings } = this.#options;
    // Of a resource that both namespaces have, the one of Machine API is the default.
    const selection =
      kind === CONTROL_PLANE_MACHINE_SETS ? { namespace: settings.namespaces[api ?? 'machineApi'] } : {};
    return cache.informer(kind, selection).store;
  }

  readonly #cached: Read = (kind, name, api) => Promise.resolve(this.#one(kind, name, api));

  readonly #live: Read = (kind, name, api) => {
    const { client, settings } = this.#options;
    return client.get(kind, name, { namespace: settings.namespaces[api] }).catch(ignoreNotFound);
  };

  #one(kind: ResourceKind, name: string, api: Api): KubeObject | undefined {
    const { settings } = this.#options;
    return this.#store(kind, api).get(kind.namespaced ? `${settings.namespaces[api]}/${name}` : name);
  }

  #descriptorOf(kind: (typeof SETS)[number]): Descriptor | undefined {
    return this.#options.descriptors.find((each) => each.kind === kind);
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
    if (child === 'machine') return read(tools.machines, referenced ?? name, 'clusterApi');
    return referenced === undefined ? undefined : read(tools.templates, referenced, 'clusterApi');
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
    const { nodePropagation, settings, tools } = this.#options;
    const infrastructure = this.#one(INFRASTRUCTURES, 'cluster', 'clusterApi');
    const clusterName = recordAt(infrastructure, 'status')['infrastructureName'];
    if (typeof clusterName !== 'string' || clusterName === '') return {};
    const context: MachineContext = {
      clusterName,
      namespaces: settings.namespaces,
      infrastructure,
      infrastructureCluster: this.#one(tools.clusters, clusterName, 'clusterApi'),
      nodePropagation: nodePropagation(),
    };
    return { context, cluster: this.#one(CLUSTERS, clusterName, 'clusterApi') };
  }

  /** The set that controls the machine, by the name that either copy has for it. */
  #owningSet(mapi: KubeObject | undefined, capi: KubeObject | undefined): OwningSet {
    const owners = [mapi, capi].map((each) => each && controllerOf(each));
    for (const kind of SETS) {
      const [owner, descriptor] = [owners.find((each) => each?.kind === kind), this.#descriptorOf(kind)];
      if (owner === undefined || descriptor === undefined) continue;
      const set: Authored | undefined = this.#one(descriptor.machineApi, owner.name, 'machineApi');
      const copy = this.#one(descriptor.clusterApi, owner.name, 'clusterApi');
      return { kind, mapi: set, capi: copy, authority: set && sourceOf(set) };
    }
    return {};
  }

  #templates({ child }: Descriptor, name: string): Pick<Inputs, 'templates' | 'usedTemplates'> {
    if (child !== 'template') return { templates: [], usedTemplates: new Set() };
    const templates = this.#store(this.#options.tools.templates).byIndex(TEMPLATE_INDEX, name);
    // Sets of both kinds may have one name, and so templates of one label.
    const sets = SETS.flatMap((kind) => this.#descriptorOf(kind) ?? []).map(({ clusterApi }) =>
      this.#store(clusterApi, 'clusterApi'),
    );
    const used = templates
      .map(({ metadata }) => metadata.name ?? '')
      .filter((each) => sets.some((store) => store.byIndex(REFERENCE_INDEX, each).length > 0));
    return { templates, usedTemplates: new Set(used) };
  }

  #controlled({ child }: Descriptor, mapi: KubeObject | undefined, capi: KubeObject | undefined): Inputs['controlled'] {
    if (child !== 'template') return { mapi: [], capi: [] };
    const of = (resource: ResourceKind, set: KubeObject | undefined): KubeObject[] =>
      set?.metadata.deletionTimestamp == null
        ? []
        : this.#store(resource).byIndex(CONTROLLER_INDEX, set.metadata.uid ?? '');
    return { mapi: of(MAPI_MACHINES, mapi) as Authored[], capi: of(CAPI_MACHINES, capi) };
  }
}
