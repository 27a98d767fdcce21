import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import type { Client } from '@capstan/kube';
import type { Clock } from '@capstan/meta';
import type { OwnedObjects } from '../objects/owned-objects.js';
import type { Settled } from '../objects/settled.js';
import type { ComponentInputs } from './definition.js';
import type { RolloutProgress } from './rollout-progress.js';

/** What components are reconciled with. */
export interface ComponentScope {
  readonly client: Client;
  readonly objects: OwnedObjects;
  readonly settled: Settled;
  readonly progress: RolloutProgress;
  /** Names the control plane among those that are settled. */
  readonly owner: string;
  /** Identifies the inputs: equal keys mean equal inputs. */
  readonly key: string;
  readonly inputs: ComponentInputs;
  /** Of the HostedControlPlane. */
  readonly generation: number;
  readonly now: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A component after its reconciliation. */
export interface ComponentResult {
  /** With its current status, whether that was written yet or not. */
  readonly component: ControlPlaneComponent;
  /** When its status is to be written or checked again, where that depends on time. */
  readonly dueMs?: number | undefined;
  /** What went wrong, to be thrown once everything else was done. */
  readonly error?: unknown;
}
