import { changedOutsideStatus, errorText, Manager, patchFrom } from '@capstan/kube';
import type { Client, FlagKinds, Logger, OperatorDefinition, Reader, ResourceKind, Result } from '@capstan/kube';
import { canonicalHash, ignoreNotFound, isConflict, isNotFound } from '@capstan/meta';
import type { Clock } from '@capstan/meta';
import type { KnownServers } from '../guests/known-servers.js';
import { operatorProcess } from '../runtime/process.js';
import type { ProcessDefinition } from '../engine/process.js';
import type { ProcessHost } from './process-host.js';
import { sidecarOf } from './pod-sidecar.js';
import { argumentsOf, environmentOf, FILE_SOURCES, filesOf, missingVolume } from './workload-files.js';
import type { Container, Workload } from './workload-files.js';

/** What a container runs; undefined for those of which only matters that they run. */
export type ProgramOf = (container: Container, workload: Workload) => OperatorDefinition<FlagKinds> | undefined;

export interface WorkloadsOptions {
  readonly host: Pick<ProcessHost, 'spawn' | 'stop'>;
  readonly operatorOf: ProgramOf;
  /** Servers that the operators may reach. */
  readonly servers: KnownServers;
  /** Called when nothing of a workload runs any more. */
  readonly stopped?: ((namespace: string, name: string) => void) | undefined;
  /** How long pods take until they are ready. Default 2 s. */
  readonly startMs?: number | undefined;
  /** Why new pods of a Deployment are refused, as by an admission policy; undefined when they are not. Default: none are. */
  readonly refusalOf?: ((namespace: string, name: string) => string | undefined) | undefined;
}

const DEPLOYMENTS: ResourceKind = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
  kind: 'Deployment',
};
const STATEFUL_SETS: ResourceKind = { ...DEPLOYMENTS, plural: 'statefulsets', kind: 'StatefulSet' };
const LOOK_AGAIN_MS = 5_000;
const WORKERS = 20;

/**
 * Runs Deployments and StatefulSets without pods: each component of theirs is one process of the simulation, whatever
 * its replicas, and is ready a while later. For simulations with too many workloads to run pods for.
 */
export function workloadsProcess(options: WorkloadsOptions): ProcessDefinition {
  const runner = new WorkloadRunner(options);
  return {
    name: 'workloads',
    isReliable: true,
    isPartOfEnvironment: true,
    start: async ({ client, clock, logger, random, signal, transport }) => {
      const manager = new Manager({ transport, clock, random, logger });
      const { cache } = manager;
      for (const kind of FILE_SOURCES) cache.informer(kind);
      for (const kind of [DEPLOYMENTS, STATEFUL_SETS])
        manager
          .controller({
            name: kind.plural,
            maxConcurrent: WORKERS,
            reconcile: async ({ name, namespace }) => {
              const workload = await cache.get<Workload>(kind, name, { namespace }).catch(ignoreNotFound);
              if (workload !== undefined) return runner.run(kind, workload, { cache, client, clock, logger });
              runner.end(kind, namespace, name);
              return undefined;
            },
          })
          // The status is written here only.
          .for(kind, { predicates: [changedOutsideStatus] });
      await manager.run(signal);
    },
  };
}

interface Clients {
  readonly cache: Reader;
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What has been started of a workload. */
interface Running {
  /** Of which template. */
  readonly hash: string;
  /** The workload, and the generation that was observed last. */
  readonly seen: string;
  readonly processes: readonly string[];
  readonly readyAtMs: number;
}

class WorkloadRunner {
  readonly #options: WorkloadsOptions;
  /** By kind and name. */
  readonly #running = new Map<string, Running>();

  constructor(options: WorkloadsOptions) {
    this.#options = options;
  }

  end({ plural }: ResourceKind, namespace: string, name: string): void {
    const key = `${plural}/${namespace}/${name}`;
    for (const process of this.#running.get(key)?.processes ?? []) this.#options.host.stop(process);
    if (this.#running.delete(key)) this.#options.stopped?.(namespace, name);
  }

  async run(kind: ResourceKind, workload: Workload, clients: Clients): Promise<Result | undefined> {
    const { name = '', namespace = '' } = workload.metadata;
    const key = `${kind.plural}/${namespace}/${name}`;
    const isWanted = wants(workload);
    const refusal = this.#refusalOf(kind, workload, key);
    if (refusal !== undefined) {
      // What runs goes on: a rolling update ends no pod for one that cannot be created.
      await writeStatus(kind, workload, refusedStatus(workload, refusal), clients);
      return { requeueAfterMs: LOOK_AGAIN_MS };
    }
    if (!isWanted || !this.#isOf(key, workload)) this.end(kind, namespace, name);
    if (isWanted && !this.#running.has(key) && !(await this.#begin(key, workload, clients)))
      return { requeueAfterMs: LOOK_AGAIN_MS };
    // No worker waits for it: however many start at once, each is ready in its own time.
    const leftMs = (this.#running.get(key)?.readyAtMs ?? 0) - clients.clock.monotonic();
    if (leftMs > 0) return { requeueAfterMs: leftMs };
    await writeStatus(kind, workload, statusOf(kind, workload), clients);
    return undefined;
  }

  /** Starts a workload unless a volume is missing; whether it has begun. */
  async #begin(key: string, workload: Workload, clients: Clients): Promise<boolean> {
    const missing = await missingVolume(clients, workload);
    if (missing !== undefined) {
      const { name, namespace } = workload.metadata;
      clients.logger.debug('a workload waits for a volume', { namespace, name, missing });
      return false;
    }
    const readyAtMs = clients.clock.monotonic() + (this.#options.startMs ?? 2_000);
    const processes = this.#start(workload, clients);
    this.#running.set(key, { hash: hashOf(workload), seen: seenOf(workload), processes, readyAtMs });
    return true;
  }

  /** Why pods of a template that does not run yet cannot be created. */
  #refusalOf(kind: ResourceKind, workload: Workload, key: string): string | undefined {
    const { name = '', namespace = '' } = workload.metadata;
    if (kind !== DEPLOYMENTS || !wants(workload) || this.#running.get(key)?.hash === hashOf(workload)) return undefined;
    return this.#options.refusalOf?.(namespace, name);
  }

  /** Whether what runs is of this template. Templates with the same generation are the same. */
  #isOf(key: string, workload: Workload): boolean {
    const running = this.#running.get(key);
    const seen = seenOf(workload);
    if (running === undefined || running.seen === seen) return running !== undefined;
    if (running.hash !== hashOf(workload)) return false;
    this.#running.set(key, { ...running, seen });
    return true;
  }

  #start(workload: Workload, { cache, client, logger }: Clients): string[] {
    const { operatorOf } = this.#options;
    const { name = '', namespace = '' } = workload.metadata;
    return (workload.spec?.template?.spec?.containers ?? []).flatMap((container) => {
      const operator = operatorOf(container, workload);
      const process = `${namespace}/${name}/${container.name}`;
      if (operator === undefined) return [];
      const env = environmentOf(workload, container);
      try {
        this.#options.host.spawn(
          operatorProcess(operator, {
            name: process,
            args: argumentsOf(container, env),
            env,
            namespace,
            files: filesOf({ cache, client }, workload, container),
            servers: this.#options.servers,
            sidecar: sidecarOf(workload),
          }),
        );
        return [process];
      } catch (error) {
        logger.error('a container cannot be started', { process, error: errorText(error) });
        return [];
      }
    });
  }
}

function wants({ metadata, spec }: Workload): boolean {
  return metadata.deletionTimestamp === undefined && spec?.replicas !== 0;
}

function hashOf({ spec }: Workload): string {
  return canonicalHash(spec?.template ?? {});
}

function seenOf({ metadata }: Workload): string {
  return `${metadata.uid ?? ''} ${metadata.generation ?? 0}`;
}

/** Writes the status of a workload as it was read. If it has changed since or is gone, its event enqueues it again. */
async function writeStatus(
  kind: ResourceKind,
  before: Workload,
  status: Readonly<Record<string, unknown>>,
  { client }: Pick<Clients, 'client'>,
): Promise<void> {
  const after = { ...before, status: { ...before.status, ...status } };
  try {
    await patchFrom(client, kind, { before, after }, { subresource: 'status', optimisticLock: true });
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error;
  }
}

function statusOf(kind: ResourceKind, { metadata, spec, status }: Workload): Record<string, unknown> {
  const replicas = spec?.replicas ?? 1;
  const common = {
    observedGeneration: metadata.generation,
    replicas,
    readyReplicas: replicas,
    updatedReplicas: replicas,
    availableReplicas: replicas,
  };
  if (kind === STATEFUL_SETS) {
    const revision = `${metadata.name ?? ''}-${canonicalHash(spec?.template ?? {}).slice(0, 10)}`;
    return { ...common, currentReplicas: replicas, currentRevision: revision, updateRevision: revision };
  }
  const conditions = conditionsOf(status);
  const isKnown = conditions.some(({ status: is, type }) => type === 'Available' && is === 'True');
  if (isKnown && conditions.every(({ type }) => type !== REPLICA_FAILURE)) return common;
  const available = {
    type: 'Available',
    status: 'True',
    reason: 'MinimumReplicasAvailable',
    message: 'Deployment has minimum availability.',
  };
  const progressing = {
    type: 'Progressing',
    status: 'True',
    reason: 'NewReplicaSetAvailable',
    message: 'It has successfully progressed.',
  };
  return { ...common, conditions: [available, progressing] };
}

const REPLICA_FAILURE = 'ReplicaFailure';

function conditionsOf(status: Workload['status']): readonly { readonly type: string; readonly status: string }[] {
  return (status?.['conditions'] as readonly { readonly type: string; readonly status: string }[] | undefined) ?? [];
}

/** What a Deployment reports whose new pods are refused: those it had go on. */
function refusedStatus({ metadata, status }: Workload, message: string): Record<string, unknown> {
  const failure = { type: REPLICA_FAILURE, status: 'True', reason: 'FailedCreate', message };
  const others = conditionsOf(status).filter(({ type }) => type !== REPLICA_FAILURE);
  return { observedGeneration: metadata.generation, updatedReplicas: 0, conditions: [...others, failure] };
}
