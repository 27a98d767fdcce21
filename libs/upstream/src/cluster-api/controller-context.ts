import { minOf } from '@capstan/meta';
import { timestamp } from '@capstan/kube';
import type { Client, EventRecorder, EventText, Logger, Result } from '@capstan/kube';
import type { Clock, KubeObject, Random } from '@capstan/meta';
import type { ExternalObjects } from './external/external-objects.js';
import type { GuestClusters } from './guest-clusters.js';
import type { CoreKind } from './kinds.js';
import type { Cluster, Conditioned } from './types.js';
import type { Applier } from './writing/applier.js';
import type { CoreObjects } from './writing/core-objects.js';
import { PatchHelper } from './writing/patch-helper.js';
import { stopsForPause } from './writing/paused.js';

/** What every controller shares. */
export interface ControllerContextOptions {
  readonly objects: CoreObjects;
  readonly external: ExternalObjects;
  readonly guests: GuestClusters;
  readonly applier: Applier;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Whether the server serves MachineDrainRules. */
  readonly hasDrainRules: boolean;
}

/** The options, and what is done with them everywhere. */
export class ControllerContext {
  readonly objects: CoreObjects;
  readonly external: ExternalObjects;
  readonly guests: GuestClusters;
  readonly applier: Applier;
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly hasDrainRules: boolean;

  constructor(options: ControllerContextOptions) {
    this.objects = options.objects;
    this.external = options.external;
    this.guests = options.guests;
    this.applier = options.applier;
    this.client = options.client;
    this.clock = options.clock;
    this.random = options.random;
    this.logger = options.logger;
    this.hasDrainRules = options.hasDrainRules;
  }

  /** The present second as objects carry it. */
  now(): string {
    return timestamp(this.clock);
  }

  /** Remembers an object, to write later what was changed of it. */
  helper<T extends Conditioned>(kind: CoreKind, object: T): PatchHelper<T> {
    return new PatchHelper(kind, object, this);
  }

  /** Keeps the condition Paused; true when the reconciliation is to stop here. */
  stopsForPause<T extends Conditioned>(kind: CoreKind, cluster: Cluster, object: T): Promise<boolean> {
    return stopsForPause(kind, { cluster, object, now: this.now() }, this);
  }

  /** A cluster, to be read only. */
  cluster(namespace: string, name: string): Promise<Cluster | undefined> {
    return this.objects.look<Cluster>('Cluster', namespace, name);
  }
}

/** Records an event for an object. */
export type Announce = (object: KubeObject, text: EventText) => void;

/** Announcements by a recorder. */
export function announcer(recorder: EventRecorder): Announce {
  return ({ apiVersion, kind, metadata }, text) => {
    const { name = '', namespace, uid = '' } = metadata;
    recorder.record({ apiVersion, kind, name, namespace, uid }, text);
  };
}

/** The cluster an object belongs to is not there. */
export class MissingCluster extends Error {
  override readonly name = 'MissingCluster';

  constructor(namespace: string, name: string) {
    super(`there is no Cluster ${namespace}/${name}`);
  }
}

/** One step of a reconciliation over what is known so far. */
export type Step<Scope> = (scope: Scope) => Promise<Result | void> | Result | void;

/** The sooner of two looks. */
export function sooner(a: Result | void, b: Result | void): Result {
  const times = [a?.requeueAfterMs ?? 0, b?.requeueAfterMs ?? 0].filter((each) => each > 0);
  return times.length === 0 ? {} : { requeueAfterMs: minOf(times) };
}

/** Does every step, also after one failed; fails with what failed, else gives the soonest next look. */
export async function doAll<Scope>(steps: readonly Step<Scope>[], scope: Scope): Promise<Result> {
  const errors: unknown[] = [];
  let result: Result = {};
  for (const step of steps) {
    try {
      result = sooner(result, await step(scope));
    } catch (error) {
      errors.push(error);
    }
  }
  throwAll(errors);
  return result;
}

/** Throws what there is to throw. */
export function throwAll(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('; '));
}

/**
 * Does the work, and then always writes the status, whatever came of the work; fails with both failures. The status
 * may also ask for an earlier look.
 */
export async function alwaysFinish(
  work: () => Promise<Result>,
  finish: (isWell: boolean) => Promise<Result | void>,
): Promise<Result> {
  const errors: unknown[] = [];
  let result: Result = {};
  try {
    result = await work();
  } catch (error) {
    errors.push(error);
  }
  try {
    result = sooner(result, await finish(errors.length === 0));
  } catch (error) {
    errors.push(error);
  }
  throwAll(errors);
  return result;
}
