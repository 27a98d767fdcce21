import type { ControlPlaneComponent, HostedControlPlane, HostedControlPlaneSpec } from '@capstan/api/hypershift';
import type { Endpoint, PinnedReleases } from '@capstan/hosting';
import type { Client, OptionalResource } from '@capstan/kube';
import type { Clock, KubeObject, Random } from '@capstan/meta';
import type { HostingPlatforms } from '@capstan/provider';
import type { ReleaseError, ReleasePayload } from '@capstan/release';
import type { RolloutProgress } from '../component/rollout-progress.js';
import type { OwnedObjects } from '../objects/owned-objects.js';
import type { Remembered } from '../objects/remembered.js';
import type { Settled } from '../objects/settled.js';
import type { KeptKeys } from '../pki/kept-keys.js';
import type { PkiPlan } from '../pki/decide.js';
import type { PublishedEndpoints, PublishedRoutes } from '../services/decide.js';
import type { Settings } from '../settings.js';
import type { ControlPlanePlan } from './decide.js';
import type { ReadProxy } from './proxy.js';

/** What all control planes are reconciled with. */
export interface ControlPlaneDependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly platforms: HostingPlatforms;
  readonly releases: PinnedReleases;
  readonly settled: Settled;
  readonly progress: RolloutProgress;
  readonly plans: Remembered<ControlPlanePlan>;
  readonly pkiPlans: Remembered<PkiPlan>;
  readonly keptKeys: KeptKeys;
  readonly proxy: ReadProxy;
  readonly routes: Pick<OptionalResource, 'in'>;
  readonly settings: Settings;
  /** Draws keys from chance that a seed may own: for simulations alone. */
  readonly drawsKeys: boolean;
  /** The Secret with which images are pulled, as the cache has it. */
  readonly pullSecret: (namespace: string) => KubeObject | undefined;
}

/** One control plane in one reconciliation: what it began with, and what its steps have found. */
export interface State {
  readonly hcp: HostedControlPlane;
  readonly spec: HostedControlPlaneSpec;
  readonly objects: OwnedObjects;
  /** `namespace/name` */
  readonly key: string;
  readonly now: string;
  readonly signal: AbortSignal;
  /** Filled by `release`. */
  payload?: ReleasePayload;
  releaseError?: ReleaseError;
  /** Filled by `services`. */
  published?: PublishedEndpoints;
  routes?: PublishedRoutes | undefined;
  endpoint?: Endpoint;
  /** Filled by every step that finds something that the user has to change. */
  readonly invalid: string[];
  plan?: ControlPlanePlan;
  /** Whether `plan` may lack components because the provider has not added its own yet. */
  isPartial?: boolean;
  /** Filled by `pki`, and by `components` where a status is to be written later. */
  dueMs?: number;
  /** Filled by `components`. */
  components?: ControlPlaneComponent[];
  /** Failures that a retry may fix. */
  readonly errors: unknown[];
}

/** A step of a reconciliation. A `ControlPlaneError` that it throws is reported; steps that need its result do nothing. */
export type Step = (state: State, dependencies: ControlPlaneDependencies) => Promise<void> | void;
