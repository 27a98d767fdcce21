/** What the one engine has to know of a kind. */
import type {
  Conversion,
  CounterpartComparison,
  MachineContext,
  MachineConverter,
  MachinePlatform,
  StatusConverter,
} from '@capstan/convert/machine-api';
import type { ResourceKind } from '@capstan/kube';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { Authored } from '../shared/model.js';

/** The conversions of the platform of this cluster. */
export interface Tools {
  readonly platform: MachinePlatform;
  readonly converter: MachineConverter;
  readonly statuses: StatusConverter;
  readonly comparison: CounterpartComparison;
  /** The infrastructure machines of the platform. */
  readonly machines: ResourceKind;
  readonly templates: ResourceKind;
  readonly clusters: ResourceKind;
  /** The hosts of machines, on platforms that have some. */
  readonly hosts?: ResourceKind | undefined;
}

/** The Cluster API side of a resource. */
export interface Parts {
  readonly capi: KubeObject;
  /** The infrastructure machine, or the template of a set. */
  readonly child?: KubeObject | undefined;
}

/** Status of the Cluster API side. */
export interface PartStatuses {
  readonly capi: JsonObject;
  readonly child?: JsonObject | undefined;
}

export type SyncedKind = 'Machine' | 'MachineSet' | 'MachineHealthCheck' | 'ControlPlaneMachineSet';

/** One kind, as data and conversion calls. */
export interface Descriptor {
  readonly kind: SyncedKind;
  readonly machineApi: ResourceKind;
  /** In the namespace of Cluster API, where both copies may be of one resource. */
  readonly clusterApi: ResourceKind;
  /** What belongs to the Cluster API copy besides itself. */
  readonly child: 'machine' | 'template' | 'none';
  /** The finalizer of the controller of each side, moved with the authority. */
  readonly finalizers: { readonly machineApi?: string; readonly clusterApi?: string };
  toClusterApi(tools: Tools, source: JsonObject, context: MachineContext): Conversion;
  toMachineApi(tools: Tools, parts: Parts, context: MachineContext): Conversion;
  statusToClusterApi(
    tools: Tools,
    source: Authored,
    about: { readonly context: MachineContext; readonly now: string },
  ): PartStatuses;
  statusToMachineApi(
    tools: Tools,
    parts: Parts,
    about: { readonly context: MachineContext; readonly now: string },
  ): JsonObject;
}
