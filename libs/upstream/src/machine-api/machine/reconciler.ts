import { addFinalizer, eventSubject, patchFrom, removeFinalizer, TerminalError, timestamp } from '@capstan/kube';
import type { EventRecorder, Manager, ReconcileContext, Request, Result } from '@capstan/kube';
import type { AuthorityGate } from '../authority-gate.js';
import { instanceIdOf } from '../../cloud/identity.js';
import { CloudError } from '../../cloud/errors.js';
import type { CloudApi } from '../../cloud/client.js';
import type { Instance } from '../../cloud/instance.js';
import { INSTANCE_STATE_ANNOTATION, MACHINE_FINALIZER, UNKNOWN_STATE } from '../names.js';
import { wantedInstance } from '../platforms.js';
import type { WantedInstance } from '../platforms.js';
import { MACHINES } from '../resources.js';
import type { Machine } from '../resources.js';
import { decideGoing, decideLeaving, decideLiving, decideStage, DEFAULT_INTERVALS } from './decide.js';
import type { MachineIntervals } from './decide.js';
import { drainNode, found } from './drain.js';
import { orderInstance, tagsOf } from './order.js';
import { removeNodeOf } from './node-removal.js';
import { failedProviderStatus, followed, lostProviderStatus, nextStatus, providerStatus } from './status.js';
import type { StatusUpdate } from './status.js';

/** What the reconciliation of machines needs. */
export interface MachineReconcilerOptions {
  readonly manager: Manager;
  readonly cloud: CloudApi;
  readonly gate: AuthorityGate;
  /** Default: enough for the clouds there are. */
  readonly intervals?: Partial<MachineIntervals> | undefined;
  /** How often a running machine's instance is read. Default 10 min. */
  readonly resyncMs?: number | undefined;
}

const RESYNC_MS = 600_000;

interface Pass {
  readonly machine: Machine;
  readonly wanted: WantedInstance;
  readonly context: ReconcileContext;
}

/** Keeps one instance for every machine, from the first look to the last. */
export class MachineReconciler {
  readonly #options: MachineReconcilerOptions;
  readonly #events: EventRecorder;
  readonly #intervals: MachineIntervals;
  /** Since when nothing has been found of machines that go, by uid. */
  readonly #emptySince = new Map<string, number>();

  constructor(options: MachineReconcilerOptions) {
    this.#options = options;
    this.#intervals = { ...DEFAULT_INTERVALS, ...options.intervals };
    this.#events = options.manager.eventRecorder('machine-controller');
  }

  /** One pass: every branch ends in at most one thing done, which brings the machine up again. */
  async reconcile({ namespace, name }: Request, context: ReconcileContext): Promise<Result | void> {
    const { gate, manager } = this.#options;
    const machine = await found(manager.cache.get<Machine>(MACHINES, name, { namespace }));
    if (machine === undefined || !(await gate.permits(MACHINES, machine))) return;
    const decision = decideStage(machine);
    switch (decision.stage) {
      case 'gone':
      case 'failed':
        return;
      case 'invalid':
        this.#recordEvent(machine, 'Warning', 'FailedValidate', decision.message);
        throw new TerminalError(decision.message);
      case 'unguarded':
        await addFinalizer(manager.client, MACHINES, machine, MACHINE_FINALIZER);
        return;
      case 'going':
        return this.#leave(machine, context);
      case 'living':
        return this.#live(machine, context);
    }
  }

  async #live(machine: Machine, context: ReconcileContext): Promise<Result | void> {
    const wanted = wantedInstance(machine);
    if ('problem' in wanted) return this.#fail(machine, { reason: 'InvalidConfiguration', message: wanted.problem });
    const pass = { machine, wanted, context };
    const instances = await this.#instancesOf(pass);
    const instance = instances.find(({ providerId }) => providerId === machine.spec?.providerID) ?? instances[0];
    const decision = decideLiving(machine, instance, this.#options.manager.clock.now(), this.#intervals);
    switch (decision.step) {
      case 'follow':
        return this.#follow(pass, decision.instance);
      case 'wait':
        return { requeueAfterMs: decision.ms };
      case 'fail':
        return this.#fail(machine, { message: decision.message });
      case 'announce':
        await this.#writeStatus(machine, { phase: 'Provisioning', conditions: [NOT_CREATED] });
        return;
      case 'create':
        return this.#create(pass);
    }
  }

  async #create(pass: Pass): Promise<Result | void> {
    const { machine, wanted, context } = pass;
    const { cloud, manager } = this.#options;
    // What is created costs money and outlives a mistake, so the cache alone is not enough.
    const live = await found(
      manager.client.get<Machine>(MACHINES, machine.metadata.name ?? '', {
        namespace: machine.metadata.namespace,
        signal: context.signal,
      }),
    );
    if (live?.metadata.resourceVersion !== machine.metadata.resourceVersion) return { requeueAfterMs: 1000 };
    try {
      const instance = await orderInstance(pass, cloud, manager.client);
      if (instance.state === 'terminated') return await this.#fail(machine, { message: "can't find created instance" });
      return await this.#follow(pass, instance);
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      const message = `failed to launch instance: ${error.message}`;
      this.#recordEvent(machine, 'Warning', 'FailedCreate', message);
      const now = timestamp(manager.clock);
      const report = failedProviderStatus(machine.status?.providerStatus, message, wanted, now);
      if (error.isTerminal) return this.#fail(machine, { reason: 'InvalidConfiguration', message }, report);
      const fields = report === undefined ? {} : { providerStatus: report };
      await this.#writeStatus(machine, { phase: 'Provisioning', fields });
      throw error;
    }
  }

  async #follow({ machine, wanted }: Pass, instance: Instance): Promise<Result | void> {
    const { manager, resyncMs = RESYNC_MS } = this.#options;
    const now = timestamp(manager.clock);
    const after = followed(machine, instance, wanted);
    const seen = await patchFrom(manager.client, MACHINES, { before: machine, after }, { optimisticLock: true });
    const report = providerStatus(seen.status?.providerStatus, instance, wanted, now);
    const phase = seen.status?.nodeRef === undefined ? 'Provisioned' : 'Running';
    await this.#writeStatus(seen, {
      phase,
      conditions: [{ type: 'InstanceExists', status: 'True' }],
      fields: { addresses: instance.addresses, ...(report === undefined ? {} : { providerStatus: report }) },
    });
    return {
      requeueAfterMs: phase === 'Running' && instance.state === 'running' ? resyncMs : this.#intervals.lookAgainMs,
    };
  }

  async #fail(
    machine: Machine,
    failure: { readonly reason?: string; readonly message: string },
    report = lostProviderStatus(machine.status?.providerStatus),
  ): Promise<void> {
    const { client } = this.#options.manager;
    const annotations = { ...machine.metadata.annotations, [INSTANCE_STATE_ANNOTATION]: UNKNOWN_STATE };
    const after = { ...machine, metadata: { ...machine.metadata, annotations } };
    const seen = await patchFrom(client, MACHINES, { before: machine, after }, { optimisticLock: true });
    const conditions = failure.reason === undefined ? [MISSING] : [];
    const fields = report === undefined ? {} : { providerStatus: report };
    await this.#writeStatus(seen, { phase: 'Failed', conditions, failure, fields });
    this.#recordEvent(machine, 'Warning', 'Failed', failure.message);
  }

  async #leave(machine: Machine, context: ReconcileContext): Promise<Result | void> {
    const { clock, client } = this.#options.manager;
    const decision = decideGoing(machine);
    switch (decision.step) {
      case 'announce':
        await this.#writeStatus(machine, { phase: 'Deleting' });
        return;
      case 'held-before-drain':
        this.#recordEvent(machine, 'Normal', 'DrainBlocked', 'Drain blocked by pre-drain hook');
        return this.#showHooks(machine);
      case 'held-before-terminate':
        return this.#showHooks(machine);
      case 'skip-drain':
        this.#recordEvent(machine, 'Normal', 'DrainSkipped', 'Node drain skipped');
        return this.#drained(machine, 'Node drain skipped');
      case 'drain': {
        const outcome = await drainNode(client, clock, machine.status?.nodeRef?.name ?? '', context.signal);
        if (outcome.isDone) {
          this.#recordEvent(machine, 'Normal', 'DrainSucceeded', 'Node drain succeeded');
          return this.#drained(machine, 'Drain finished successfully');
        }
        await this.#showHooks(machine);
        return { requeueAfterMs: outcome.lookAgainMs };
      }
      case 'terminate':
        return this.#terminate(machine, context);
    }
  }

  async #drained(machine: Machine, message: string): Promise<void> {
    await this.#writeStatus(machine, { phase: 'Deleting', conditions: [{ type: 'Drained', status: 'True', message }] });
  }

  async #showHooks(machine: Machine): Promise<void> {
    await this.#writeStatus(machine, { phase: 'Deleting' });
  }

  async #terminate(machine: Machine, context: ReconcileContext): Promise<Result | void> {
    const { cloud, manager } = this.#options;
    const wanted = wantedInstance(machine);
    // Nothing can have been ordered by a spec that cannot be read.
    const instances = 'problem' in wanted ? [] : await this.#instancesOf({ machine, wanted, context });
    const decision = decideLeaving(machine, instances, this.#looked(machine, instances), this.#intervals);
    switch (decision.step) {
      case 'write-down':
        await this.#writeDown(machine, decision.instance);
        return;
      case 'terminate':
        for (const id of decision.ids) await cloud.terminate(id).catch(ignoreGone);
        return { requeueAfterMs: this.#intervals.lookAgainMs };
      case 'wait':
        return { requeueAfterMs: decision.ms };
      case 'release':
        await removeNodeOf(machine, manager);
        this.#emptySince.delete(machine.metadata.uid ?? '');
        await removeFinalizer(manager.client, MACHINES, machine, MACHINE_FINALIZER);
        return;
    }
  }

  async #writeDown(machine: Machine, { providerId }: Instance): Promise<void> {
    const after: Machine = { ...machine, spec: { ...machine.spec, providerID: providerId } };
    await patchFrom(this.#options.manager.client, MACHINES, { before: machine, after }, { optimisticLock: true });
  }

  #looked(
    { metadata: { uid = '' } }: Machine,
    instances: readonly Instance[],
  ): { nowMs: number; emptySinceMs: number } {
    const nowMs = this.#options.manager.clock.now();
    if (instances.length > 0) this.#emptySince.delete(uid);
    else if (!this.#emptySince.has(uid)) this.#emptySince.set(uid, nowMs);
    return { nowMs, emptySinceMs: this.#emptySince.get(uid) ?? nowMs };
  }

  /** By their tags; the one that the machine names may have the tags of another API that created it. */
  async #instancesOf({ machine, wanted, context }: Pass): Promise<readonly Instance[]> {
    context.signal.throwIfAborted();
    const { cloud } = this.#options;
    const listed = await cloud.list(wanted.row.platform, tagsOf(machine));
    const providerId = machine.spec?.providerID ?? '';
    const isListed = providerId === '' || listed.some((each) => each.providerId === providerId);
    const named = isListed ? undefined : await cloud.get(instanceIdOf(providerId));
    return [...listed, ...(named === undefined ? [] : [named])].filter(({ state }) => state !== 'terminated');
  }

  /** Locked, because conditions are one list that others write too. */
  async #writeStatus(machine: Machine, update: StatusUpdate): Promise<void> {
    const { client, clock } = this.#options.manager;
    const after: Machine = { ...machine, status: nextStatus(machine, update, timestamp(clock)) };
    const options = { subresource: 'status', optimisticLock: true };
    await patchFrom(client, MACHINES, { before: machine, after }, options);
  }

  #recordEvent(machine: Machine, type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.#events.record(eventSubject(machine), { type, reason, message });
  }
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof CloudError) || error.code !== 'NotFound') throw error;
}

const NOT_CREATED = {
  type: 'InstanceExists',
  status: 'False',
  severity: 'Warning',
  reason: 'InstanceNotCreated',
  message: 'Instance has not been created',
} as const;

const MISSING = {
  type: 'InstanceExists',
  status: 'False',
  severity: 'Warning',
  reason: 'InstanceMissing',
  message: 'Instance not found on provider',
} as const;
