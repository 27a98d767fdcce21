import { errorText, patchFrom, removeFinalizer } from '@capstan/kube';
import type { Reconcile, ReconcileContext, Request, ResourceKind, Result } from '@capstan/kube';
import { CloudError } from '../cloud/errors.js';
import { instanceIdOf } from '../cloud/identity.js';
import type { Instance } from '../cloud/instance.js';
import { OWNER_TAG } from '../cloud/instance.js';
import { instanceRequest } from './instance-request.js';
import {
  ASKED_ANNOTATION,
  CREATE_ERROR,
  decideMachine,
  mayHaveInstance,
  PROVISION_FAILED,
  PROVISION_STARTED,
} from './machine-decisions.js';
import type { MachineDecision, MachineInputs } from './machine-decisions.js';
import { BootstrapData } from './bootstrap-data.js';
import { LastObserved } from '../runtime/last-observed.js';
import { isAtLeast } from '../cluster-api/writing/expectations.js';
import { CLUSTER_LABEL, isPaused, kindOf } from './objects.js';
import type { InfrastructureCluster, InfrastructureMachine, InfrastructureStatus, Machine } from './objects.js';
import { clusterNamed, fromCache, ownerName, withConditions, withPaused, writeStatus } from './shared.js';
import type { ProviderContext } from './shared.js';
import type { ConditionText } from './status.js';
import { withInstance, withReadiness } from './status.js';

/** How long to wait for the watch to deliver what was written. */
const LATE_WATCH_MS = 1_000;

type Owners = Pick<MachineInputs, 'owner' | 'cluster'>;

/** All that decides about a machine that has its instance, but for the instance. */
function decidedOn({ metadata }: InfrastructureMachine, { owner, cluster }: Owners): readonly unknown[] {
  return [metadata.resourceVersion, owner?.metadata.uid, cluster?.metadata.uid, cluster?.spec?.paused === true];
}

/** The state with what a reconciliation needs to act on it. */
interface Scene extends MachineInputs {
  readonly signal: AbortSignal;
}

/** Reconciles the instance of one infrastructure machine with its spec. */
export class MachineReconciler {
  readonly #provider: ProviderContext;
  readonly #kind: ResourceKind;
  readonly #bootstrapData: BootstrapData;
  /** Since when the instance of a machine is looked for in vain, by uid. */
  readonly #missingSince = new Map<string, number>();
  /** What was last observed of the instance of a machine, by uid. */
  readonly #looks: LastObserved;
  /** Machines whose instance has changed since its read began, by uid. */
  readonly #changed = new Set<string>();
  /** The versions last written, by uid: what is older decides nothing. */
  readonly #written = new Map<string, string | undefined>();

  constructor(provider: ProviderContext) {
    this.#provider = provider;
    this.#kind = kindOf(provider.row, 'Machine');
    this.#bootstrapData = new BootstrapData(provider.manager);
    this.#looks = new LastObserved(provider.manager.clock);
  }

  /** The instance of a machine has changed: the next look is at the cloud. */
  instanceChanged(uid: string): void {
    this.#changed.add(uid);
  }

  readonly reconcile: Reconcile = async (request: Request, { logger, signal }: ReconcileContext) => {
    const infra = await fromCache<InfrastructureMachine>(this.#provider, this.#kind, request);
    if (infra === undefined) return undefined;
    const { resourceVersion, uid = '' } = infra.metadata;
    if (this.#written.has(uid) && !isAtLeast(resourceVersion, this.#written.get(uid)))
      return { requeueAfterMs: LATE_WATCH_MS };
    this.#written.delete(uid);
    const owners = await this.#owners(infra);
    const isChanged = this.#changed.delete(uid);
    const rest = isChanged ? undefined : this.#looks.restOf(uid, decidedOn(infra, owners));
    if (rest !== undefined) return rest;
    const scene = await this.#gather(infra, owners, signal);
    const decision = decideMachine(scene);
    logger.debug('decided', { decision: decision.do });
    return this.#act(scene, decision);
  };

  async #owners(infra: InfrastructureMachine): Promise<Owners> {
    const { labels, namespace = '' } = infra.metadata;
    const name = ownerName(infra, 'Machine');
    const owner = await fromCache<Machine>(this.#provider, this.#provider.core.machines, { namespace, name });
    const clusterName = owner?.spec?.clusterName ?? labels?.[CLUSTER_LABEL] ?? '';
    return { owner, cluster: await clusterNamed(this.#provider, infra, clusterName) };
  }

  async #gather(infra: InfrastructureMachine, owners: Owners, signal: AbortSignal): Promise<Scene> {
    const { row } = this.#provider;
    // As real providers: what is paused is left alone before anything is asked of the cloud.
    const isExpected = !isPaused(infra, owners.cluster) && mayHaveInstance({ infra, row });
    const instance = isExpected ? await this.#find(infra, owners) : undefined;
    const missingForMs = this.#missing(infra.metadata.uid ?? '', isExpected, instance);
    return { row, infra, ...owners, instance, missingForMs, signal };
  }

  /**
   * By its provider ID, or by its owner while that is not recorded yet. As upstream providers do, also by name and cluster:
   * an object that was restored or moved has another UID than the one that asked for the instance.
   */
  async #find({ metadata, spec }: InfrastructureMachine, { cluster }: Owners): Promise<Instance | undefined> {
    const { cloud, row } = this.#provider;
    if (spec?.providerID !== undefined) return cloud.get(instanceIdOf(spec.providerID));
    const found = await cloud.list(row.platform, { [OWNER_TAG]: metadata.uid ?? '' });
    const known = found.find(({ state }) => state !== 'terminated') ?? found[0];
    if (known !== undefined || cluster === undefined) return known;
    const tags = { Name: metadata.name ?? '', [`kubernetes.io/cluster/${cluster.metadata.name ?? ''}`]: 'owned' };
    return (await cloud.list(row.platform, tags)).find(({ state }) => state !== 'terminated');
  }

  #missing(uid: string, isExpected: boolean, instance: Instance | undefined): number {
    if (!isExpected || instance !== undefined) {
      this.#missingSince.delete(uid);
      return 0;
    }
    const now = this.#provider.manager.clock.monotonic();
    const since = this.#missingSince.get(uid) ?? now;
    this.#missingSince.set(uid, since);
    return now - since;
  }

  async #act(scene: Scene, decision: MachineDecision): Promise<Result | undefined> {
    const { client } = this.#provider.manager;
    const { infra, row } = scene;
    switch (decision.do) {
      case 'ignore':
        return undefined;
      case 'pause':
        await this.#status(infra, (status) => withPaused(this.#provider, status, true));
        return undefined;
      case 'adopt': {
        const owned = { ...scene, infra: await this.#adopt(scene) };
        return this.#act(owned, decideMachine(owned));
      }
      case 'wait':
        // Where the cloud may have been asked already, nothing may be written that denies it.
        if (mayHaveInstance(scene)) return { requeueAfterMs: this.#provider.intervals.refusedMs };
        await this.#say(infra, false, { reason: decision.reason, message: decision.message });
        return undefined;
      case 'look-again':
        return { requeueAfterMs: this.#provider.intervals.soonMs };
      case 'create':
        return this.#create(scene, decision.secret);
      case 'observe':
        return this.#observe(scene, decision.instance);
      case 'fail':
        return this.#fail(infra, decision.reason, decision.message);
      case 'terminate':
        await this.#provider.cloud.terminate(decision.instance.id);
        return { requeueAfterMs: this.#provider.intervals.soonMs };
      case 'await-end':
        return { requeueAfterMs: this.#provider.intervals.soonMs };
      case 'release':
        await removeFinalizer(client, this.#kind, infra, row.machineFinalizer);
        this.#forget(infra.metadata.uid ?? '');
        return undefined;
    }
  }

  #forget(uid: string): void {
    this.#missingSince.delete(uid);
    this.#looks.forget(uid);
    this.#changed.delete(uid);
  }

  /** Adds the finalizer. Where the instance is created next, the same write reports it. */
  async #adopt(scene: Scene): Promise<InfrastructureMachine> {
    const { infra, row } = scene;
    const { finalizers = [], ...metadata } = infra.metadata;
    const owned = { ...infra, metadata: { ...metadata, finalizers: [...finalizers, row.machineFinalizer] } };
    const isNext = decideMachine({ ...scene, infra: owned }).do === 'create';
    return this.#write(infra, isNext ? asking(owned) : owned);
  }

  async #create(scene: Scene, secretName: string): Promise<Result | undefined> {
    // Reported before the cloud is called: after a crash the next life must know that there may be an instance.
    const asking = mayHaveInstance(scene) ? scene : { ...scene, infra: await this.#beginAsking(scene) };
    const { infra } = asking;
    const userData = await this.#bootstrapData.read(infra.metadata.namespace ?? '', secretName);
    if (userData === undefined) {
      const message = `Secret ${secretName} has no bootstrap data`;
      await this.#say(infra, false, { reason: PROVISION_STARTED, message });
      return { requeueAfterMs: this.#provider.intervals.refusedMs };
    }
    try {
      const infraCluster = await this.#infraCluster(asking);
      // Whatever was looked for until now was not this: only what is missing from here on is missing.
      this.#missingSince.delete(infra.metadata.uid ?? '');
      const instance = await this.#provider.cloud.create(instanceRequest(asking, infraCluster, userData));
      return await this.#adoptInstance(asking, instance);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      if (error.isTerminal) return this.#fail(infra, CREATE_ERROR, error.message);
      await this.#say(infra, false, { reason: PROVISION_FAILED, message: errorText(error), severity: 'Warning' });
      return { requeueAfterMs: this.#provider.intervals.refusedMs };
    }
  }

  /** The cloud has not been called before: the write is refused when it is based on a stale object. */
  async #beginAsking({ infra, row }: Scene): Promise<InfrastructureMachine> {
    if (row.hasConditions !== false) return this.#say(infra, false, { reason: PROVISION_STARTED });
    return this.#write(infra, asking(infra));
  }

  /** Writes the differences, unless another client has written since. */
  async #write(before: InfrastructureMachine, after: InfrastructureMachine): Promise<InfrastructureMachine> {
    const { client } = this.#provider.manager;
    return this.#note(await patchFrom(client, this.#kind, { before, after }, { optimisticLock: true }));
  }

  async #infraCluster({ cluster, infra }: Scene): Promise<InfrastructureCluster | undefined> {
    const name = cluster?.spec?.infrastructureRef?.name ?? '';
    const { namespace = '' } = infra.metadata;
    return fromCache<InfrastructureCluster>(this.#provider, kindOf(this.#provider.row, 'Cluster'), { namespace, name });
  }

  async #adoptInstance(scene: Scene, instance: Instance): Promise<Result> {
    const { infra } = scene;
    const { manager, row } = this.#provider;
    const named = row.instanceId?.in === 'spec' ? { [row.instanceId.field]: instance.id } : {};
    const spec = { ...infra.spec, providerID: instance.providerId, ...named };
    const written = await patchFrom(manager.client, this.#kind, { before: infra, after: { ...infra, spec } });
    return this.#observe({ ...scene, infra: this.#note(written) }, instance);
  }

  async #observe(scene: Scene, instance: Instance): Promise<Result> {
    const isRunning = instance.state === 'running';
    const why = isRunning ? { reason: 'InstanceRunning' } : stateReason(instance);
    const more = (status: InfrastructureStatus): InfrastructureStatus => withInstance(status, instance, scene.row);
    const written = await this.#say(scene.infra, isRunning, why, more);
    const { bootingMs, wellMs } = this.#provider.intervals;
    const result = { requeueAfterMs: isRunning ? wellMs : bootingMs };
    const { uid = '' } = written.metadata;
    // What changed while its former state was written is not what was observed.
    if (this.#changed.has(uid)) this.#looks.forget(uid);
    else this.#looks.remember(uid, decidedOn(written, scene), result);
    return result;
  }

  async #fail(infra: InfrastructureMachine, failureReason: string, failureMessage: string): Promise<undefined> {
    const why = { reason: failureReason, message: failureMessage, severity: 'Error' } as const;
    await this.#say(infra, false, why, (status) => ({ ...status, failureReason, failureMessage }));
  }

  /** Writes the status once: the state of the instance, whether all is ready, and that it is not paused. */
  #say(
    infra: InfrastructureMachine,
    isReady: boolean,
    why: Pick<ConditionText, 'message' | 'reason' | 'severity'>,
    more: (status: InfrastructureStatus) => InfrastructureStatus = (status) => status,
  ): Promise<InfrastructureMachine> {
    const { contract, row } = this.#provider;
    const answer = { status: isReady ? 'True' : 'False', ...why } as const;
    const texts = [row.condition, 'Ready'].map((type) => ({ type, ...answer }));
    return this.#status(infra, (status) =>
      withConditions(
        this.#provider,
        withReadiness(withPaused(this.#provider, more(status), false), isReady, contract),
        texts,
      ),
    );
  }

  async #status(
    infra: InfrastructureMachine,
    change: (status: InfrastructureStatus) => InfrastructureStatus,
  ): Promise<InfrastructureMachine> {
    return this.#note(await writeStatus(this.#provider, this.#kind, infra, change));
  }

  #note(written: InfrastructureMachine): InfrastructureMachine {
    const { resourceVersion, uid = '' } = written.metadata;
    this.#written.set(uid, resourceVersion);
    return written;
  }
}

/** A machine that reports that its instance may have been created. */
function asking(infra: InfrastructureMachine): InfrastructureMachine {
  const annotations = { ...infra.metadata.annotations, [ASKED_ANNOTATION]: 'true' };
  return { ...infra, metadata: { ...infra.metadata, annotations } };
}

function stateReason({ state }: Instance): Pick<ConditionText, 'reason' | 'severity'> {
  if (state === 'pending') return { reason: 'InstanceNotReady', severity: 'Warning' };
  return { reason: 'InstanceStopped', severity: 'Error' };
}
