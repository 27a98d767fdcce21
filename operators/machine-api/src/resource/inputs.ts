/** All that a synchronisation is decided by. */
import type { ConversionIssue, MachineContext } from '@capstan/convert/machine-api';
import type { Change } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { Descriptor, Tools } from '../descriptors/descriptor.js';
import type { Authored, Authority } from '../shared/model.js';
import type { Problem } from './reasons.js';

/** What surrounds every resource of the cluster. */
export interface Surroundings {
  /** Undefined while the Infrastructure is not there. */
  readonly context?: MachineContext | undefined;
  readonly cluster?: KubeObject | undefined;
}

/** The set that an owner reference of a machine names, whichever copy has it. */
export interface OwningSet {
  /** Undefined where sets of the kind have no copies, or there is none. */
  readonly kind?: 'MachineSet' | 'ControlPlaneMachineSet' | undefined;
  readonly mapi?: Authored | undefined;
  readonly capi?: KubeObject | undefined;
  /** Who acts on the set; undefined where it has no copy in Machine API. */
  readonly authority?: Authority | undefined;
}

/** The objects that owner references of a copy can name. */
export interface OwnerObjects {
  readonly cluster?: KubeObject | undefined;
  readonly mapiSet?: KubeObject | undefined;
  readonly capiSet?: KubeObject | undefined;
}

export interface Inputs {
  readonly name: string;
  readonly descriptor: Descriptor;
  readonly tools: Tools;
  readonly surroundings: Surroundings;
  readonly mapi?: Authored | undefined;
  readonly capi?: KubeObject | undefined;
  /** The infrastructure machine, or the template that the set refers to. */
  readonly child?: KubeObject | undefined;
  /** The host that the machine was given, on platforms that have some; read from the server only. */
  readonly host?: KubeObject | undefined;
  /** Templates that were made for the set. */
  readonly templates: readonly KubeObject[];
  /** Names of templates that any set refers to. */
  readonly usedTemplates: ReadonlySet<string>;
  readonly owners: OwnerObjects;
  readonly owningSet: OwningSet;
  /** Machines that the copies of a set control. */
  readonly controlled: { readonly mapi: readonly Authored[]; readonly capi: readonly KubeObject[] };
  /** RFC 3339. */
  readonly now: string;
}

/** Which of the inputs a write replaces. */
export type Slot = 'mapi' | 'capi' | 'child' | 'template' | 'elsewhere';

/** One write, after which there may be a next one. */
export interface Step {
  readonly slot: Slot;
  readonly change: Change;
}

/** The next write of a direction, or what stands in its way; neither when the copy is up to date. */
export interface Progress {
  readonly step?: Step | undefined;
  readonly problem?: Problem | undefined;
  readonly warnings?: readonly ConversionIssue[] | undefined;
}
