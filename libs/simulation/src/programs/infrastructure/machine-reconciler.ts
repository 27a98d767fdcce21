import { addFinalizer, errorText, patchFrom, removeFinalizer } from '@capstan/kube';
import type { Reconcile, ReconcileContext, Request, ResourceKind, Result } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CloudError } from '../../cloud/errors.js';
import { instanceIdOf } from '../../cloud/identity.js';
import type { Instance } from '../../cloud/instance.js';
import { OWNER_TAG } from '../../cloud/oracles.js';
import { instanceRequest } from './instance-request.js';
import {
  ASKED_ANNOTATION,
  CREATE_ERROR,
  decideMachine,
  mayHaveInstance,
  PROVISION_FAILED,
  PROVISION_STARTED,
} from './machine-decisions.js';
import type { MachineDecision, MachineWorld } from './machine-decisions.js';
import { CLUSTER_LABEL, coreKind, kindOf } from './objects.js';
import type { InfrastructureCluster, InfrastructureMachine, InfrastructureStatus, Machine } from './objects.js';
import { clusterNamed, fromCache, ownerName, withConditions, withPaused, writeStatus } from './shared.js';
import type { ProviderParts } from './shared.js';
import type { ConditionText } from './status.js';
import { withInstance, withReadiness } from './status.js';

const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };

interface BootstrapSecret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** A world with what a reconciliation needs to act in it. */
interface Scene extends MachineWorld {
  readonly signal: AbortSignal;
}

/** Brings the instance of one infrastructure machine to what the machine says. */
export class MachineReconciler {
  readonly #parts: ProviderParts;
  readonly #kind: ResourceKind;
  /** Since when the instance of a machine is looked for in vain, by uid. */
  readonly #missingSince = new Map<string, number>();

  constructor(parts: ProviderParts) {
    this.#parts = parts;
    this.#kind = kindOf(parts.row, 'Machine');
  }

  readonly reconcile: Reconcile = async (request: Request, { logger, signal }: ReconcileContext) => {
    const infra = await fromCache<InfrastructureMachine>(this.#parts, this.#kind, request);
    if (infra === undefined) return undefined;
    const scene = await this.#gather(infra, signal);
    const decision = decideMachine(scene);
    logger.debug('decided', { decision: decision.do });
    return this.#act(scene, decision);
  };

  async #gather(infra: InfrastructureMachine, signal: AbortSignal): Promise<Scene> {
    const { row } = this.#parts;
    const { labels, namespace = '', uid = '' } = infra.metadata;
    const owner = await fromCache<Machine>(this.#parts, coreKind(this.#parts.coreVersion, 'Machine'), {
      namespace,
      name: ownerName(infra, 'Machine'),
    });
    const clusterName = owner?.spec?.clusterName ?? labels?.[CLUSTER_LABEL] ?? '';
    const cluster = await clusterNamed(this.#parts, infra, clusterName);
    const isExpected = mayHaveInstance({ infra, row });
    const instance = isExpected ? await this.#find(infra) : undefined;
    return { row, infra, owner, cluster, instance, missingForMs: this.#missing(uid, isExpected, instance), signal };
  }

  /** By its provider id, or by whose it is while that is not written down yet. */
  async #find({ metadata, spec }: InfrastructureMachine): Promise<Instance | undefined> {
    const { cloud, row } = this.#parts;
    if (spec?.providerID !== undefined) return cloud.get(instanceIdOf(spec.providerID));
    const found = await cloud.list(row.platform, { [OWNER_TAG]: metadata.uid ?? '' });
    return found.find(({ state }) => state !== 'terminated') ?? found[0];
  }

  #missing(uid: string, isExpected: boolean, instance: Instance | undefined): number {
    if (!isExpected || instance !== undefined) {
      this.#missingSince.delete(uid);
      return 0;
    }
    const now = this.#parts.manager.clock.monotonic();
    const since = this.#missingSince.get(uid) ?? now;
    this.#missingSince.set(uid, since);
    return now - since;
  }

  async #act(scene: Scene, decision: MachineDecision): Promise<Result | undefined> {
    const { client } = this.#parts.manager;
    const { infra, row } = scene;
    switch (decision.do) {
      case 'ignore':
        return undefined;
      case 'pause':
        await this.#status(infra, (status) => withPaused(this.#parts, status, true));
        return undefined;
      case 'adopt':
        await addFinalizer(client, this.#kind, infra, row.machineFinalizer);
        return undefined;
      case 'wait':
        // Where the cloud may have been asked already, nothing may be written that says otherwise.
        if (mayHaveInstance(scene)) return { requeueAfterMs: this.#parts.patience.refusedMs };
        await this.#say(infra, false, { reason: decision.reason, message: decision.message });
        return undefined;
      case 'look-again':
        return { requeueAfterMs: this.#parts.patience.soonMs };
      case 'create':
        return this.#create(scene, decision.secret);
      case 'observe':
        return this.#observe(infra, decision.instance);
      case 'fail':
        return this.#fail(infra, decision.reason, decision.message);
      case 'terminate':
        await this.#parts.cloud.terminate(decision.instance.id);
        return { requeueAfterMs: this.#parts.patience.soonMs };
      case 'await-end':
        return { requeueAfterMs: this.#parts.patience.soonMs };
      case 'release':
        await removeFinalizer(client, this.#kind, infra, row.machineFinalizer);
        this.#missingSince.delete(infra.metadata.uid ?? '');
        return undefined;
    }
  }

  async #create(scene: Scene, secretName: string): Promise<Result | undefined> {
    const { infra } = scene;
    // Said before the cloud is asked: who comes after a crash must know that there may be an instance.
    if (!mayHaveInstance(scene)) {
      if (scene.row.hasConditions === false) await this.#mark(infra);
      else await this.#say(infra, false, { reason: PROVISION_STARTED });
      return undefined;
    }
    const userData = await this.#bootstrapData(infra, secretName, scene.signal);
    if (userData === undefined) {
      const message = `Secret ${secretName} has no bootstrap data`;
      await this.#say(infra, false, { reason: PROVISION_STARTED, message });
      return { requeueAfterMs: this.#parts.patience.refusedMs };
    }
    try {
      const infraCluster = await this.#infraCluster(scene);
      // Whatever was looked for until now was not this: only what is missing from here on is missing.
      this.#missingSince.delete(infra.metadata.uid ?? '');
      const instance = await this.#parts.cloud.create(instanceRequest(scene, infraCluster, userData));
      return await this.#adoptInstance(infra, instance);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      if (error.isTerminal) return this.#fail(infra, CREATE_ERROR, error.message);
      await this.#say(infra, false, { reason: PROVISION_FAILED, message: errorText(error), severity: 'Warning' });
      return { requeueAfterMs: this.#parts.patience.refusedMs };
    }
  }

  async #mark(infra: InfrastructureMachine): Promise<void> {
    const annotations = { ...infra.metadata.annotations, [ASKED_ANNOTATION]: 'true' };
    const after = { ...infra, metadata: { ...infra.metadata, annotations } };
    await patchFrom(this.#parts.manager.client, this.#kind, { before: infra, after }, { optimisticLock: true });
  }

  async #infraCluster({ cluster, infra }: Scene): Promise<InfrastructureCluster | undefined> {
    const name = cluster?.spec?.infrastructureRef?.name ?? '';
    const { namespace = '' } = infra.metadata;
    return fromCache<InfrastructureCluster>(this.#parts, kindOf(this.#parts.row, 'Cluster'), { namespace, name });
  }

  /** Read past the cache: nobody keeps every Secret in memory. */
  async #bootstrapData(infra: InfrastructureMachine, name: string, signal: AbortSignal): Promise<string | undefined> {
    const { namespace } = infra.metadata;
    const { apiReader } = this.#parts.manager;
    const secret = await apiReader.get<BootstrapSecret>(SECRETS, name, { namespace, signal }).catch(absent);
    const value = secret?.data?.['value'];
    return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8');
  }

  async #adoptInstance(infra: InfrastructureMachine, instance: Instance): Promise<Result> {
    const { manager, row } = this.#parts;
    const named = row.instanceId?.in === 'spec' ? { [row.instanceId.field]: instance.id } : {};
    const spec = { ...infra.spec, providerID: instance.providerId, ...named };
    const written = await patchFrom(manager.client, this.#kind, { before: infra, after: { ...infra, spec } });
    return this.#observe(written, instance);
  }

  async #observe(infra: InfrastructureMachine, instance: Instance): Promise<Result> {
    const isRunning = instance.state === 'running';
    const why = isRunning ? { reason: 'InstanceRunning' } : stateReason(instance);
    await this.#say(infra, isRunning, why, (status) => withInstance(status, instance, this.#parts.row));
    const { bootingMs, wellMs } = this.#parts.patience;
    return { requeueAfterMs: isRunning ? wellMs : bootingMs };
  }

  async #fail(infra: InfrastructureMachine, failureReason: string, failureMessage: string): Promise<undefined> {
    const why = { reason: failureReason, message: failureMessage, severity: 'Error' } as const;
    await this.#say(infra, false, why, (status) => ({ ...status, failureReason, failureMessage }));
  }

  /** Writes the status once: how the instance is, whether all is ready, that nobody holds it up. */
  #say(
    infra: InfrastructureMachine,
    isReady: boolean,
    why: Pick<ConditionText, 'message' | 'reason' | 'severity'>,
    more: (status: InfrastructureStatus) => InfrastructureStatus = (status) => status,
  ): Promise<unknown> {
    const { contract, row } = this.#parts;
    const answer = { status: isReady ? 'True' : 'False', ...why } as const;
    const texts = [row.condition, 'Ready'].map((type) => ({ type, ...answer }));
    return this.#status(infra, (status) =>
      withConditions(
        this.#parts,
        withReadiness(withPaused(this.#parts, more(status), false), isReady, contract),
        texts,
      ),
    );
  }

  #status(
    infra: InfrastructureMachine,
    change: (status: InfrastructureStatus) => InfrastructureStatus,
  ): Promise<InfrastructureMachine> {
    return writeStatus(this.#parts, this.#kind, infra, change);
  }
}

function stateReason({ state }: Instance): Pick<ConditionText, 'reason' | 'severity'> {
  if (state === 'pending') return { reason: 'InstanceNotReady', severity: 'Warning' };
  return { reason: 'InstanceStopped', severity: 'Error' };
}

function absent(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
