import type { HostedCluster } from '@capstan/api/hypershift';
import type { Client, Discovery, EventRecorder, Logger } from '@capstan/kube';
import type { Clock, KubeObject, Random } from '@capstan/meta';
import type { MovedObject } from '@capstan/migration';
import type { GroupMapping } from '@capstan/translate';
import type { Journal } from '@capstan/hosting';
import type { OperatorImages } from '../operator-image/images.js';
import type { FailureReason } from './reasons.js';
import type { MigrationSettings } from './settings.js';
import type { SidecarInjection } from '../sidecar/sidecar.js';

/** Why it is not known that a proxy translates. */
export interface TranslationFailure {
  /** `network`: the question does not reach the proxy, which its own node does. The cluster may be as healthy as ever. */
  readonly check: 'network' | 'translation';
  readonly message: string;
}

/** What every migration is carried out with. */
export interface MigrationParts {
  /** Asks the server itself: never through the proxy, since a migration works in both groups. */
  readonly client: Client;
  readonly discovery: Discovery;
  readonly mapping: GroupMapping;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly recorder: EventRecorder;
  readonly settings: MigrationSettings;
  readonly sidecar: SidecarInjection;
  readonly operatorImages: OperatorImages;
  /** Reads `/readyz/translation` of the proxy in a pod; what is wrong when it does not answer as it should. */
  readonly probeTranslation: (pod: KubeObject, signal: AbortSignal) => Promise<TranslationFailure | undefined>;
  /** Whether the provider of the cluster's machines goes on while the Cluster is paused. */
  readonly ignoresClusterPause: (cluster: HostedCluster) => boolean;
  /**
   * Whether the operator on standard types has stopped for good: its lease has expired and its pods are gone. Such a one
   * acknowledges no lock. Default: it has not.
   */
  readonly isLegacyOperatorGone?: ((signal: AbortSignal) => Promise<boolean>) | undefined;
  /** Whether Deployments have no pods of their own to look at: in simulations alone. */
  readonly isPodless: boolean;
  /** Called before each step, also when it is tried again; what it throws counts as thrown by the step. */
  readonly onStep?: ((name: string) => void) | undefined;
}

/** One HostedCluster while it is migrated. Everything but the journal is read again each time. */
export interface Migration {
  readonly parts: MigrationParts;
  readonly signal: AbortSignal;
  readonly journal: Journal;
  /** Of the control plane. */
  readonly namespace: string;
  /** As it was read or written last. */
  hostedCluster: HostedCluster;
  /** Objects of the standard groups, and their copies; read when first asked for. */
  readonly inventory: Inventory;
  /** Kept in memory between two looks. Of what a restart loses, only limits go on. */
  readonly memory: MigrationMemory;
}

/** Lists of one look, each taken once. */
export interface Inventory {
  standard(): Promise<readonly MovedObject[]>;
  private(): Promise<readonly MovedObject[]>;
  /** Forgets what was read: something was written. */
  forget(): void;
}

/** A check that the cluster does not pass, and why the migration has failed if that stays so. */
export interface FailedCheck {
  readonly message: string;
  readonly reason: FailureReason;
}

/** What a migration remembers of itself. */
export interface MigrationMemory {
  /** Since when steps wait, by their names. */
  readonly waits: Map<string, StepWait>;
  /** Since when every check has passed; monotonic. */
  healthySince: number | undefined;
  /** The checks that failed last. */
  failed: readonly FailedCheck[];
  /** Restarts of containers when the checks began to pass, by the UID of their pod and their name. */
  restarts: ReadonlyMap<string, number> | undefined;
}

/** Since when a step waits. */
export interface StepWait {
  /** In this process; monotonic. */
  readonly here: number;
  /** By the clock of the process in which it began to. */
  readonly beganMs: number;
  /** Milliseconds that it had waited before this process. */
  readonly beforeMs: number;
}

/** What a step waits for. */
export interface Waiting {
  readonly message: string;
  /** When to look again; the settings' `pollMs` otherwise. */
  readonly afterMs?: number | undefined;
  /** Every check has passed: what is waited for is that it stays so. */
  readonly isHealthy?: boolean | undefined;
  /** Why it failed if this is what it waited for in the end; that of its limit otherwise. */
  readonly reason?: FailureReason | undefined;
}

/** One step: it is done, or it waits. Doing it again changes nothing. */
export type StepAction = (migration: Migration) => Promise<Waiting | undefined>;
