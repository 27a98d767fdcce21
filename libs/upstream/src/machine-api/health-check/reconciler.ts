import { Discovery, eventSubject, patchFrom, timestamp } from '@capstan/kube';
import type { EventRecorder, Manager, ReconcileContext, Request, Result } from '@capstan/kube';
import { compileLabelSelector, ignoreNotFound, isAlreadyExists } from '@capstan/meta';
import type { AuthorityGate } from '../authority-gate.js';
import { withCondition } from '../conditions.js';
import { found } from '../machine/drain.js';
import { EXTERNAL_REMEDIATION_ANNOTATION, PAUSED_ANNOTATION } from '../names.js';
import { MACHINE_HEALTH_CHECKS, MACHINES, NODES } from '../resources.js';
import type { Machine, NodeObject } from '../resources.js';
import { decideRemedy, healthOf, checkLimit, survey } from './decide.js';
import type { Target, Verdict } from './decide.js';
import { remediationObject, requestResource } from './external.js';
import type { MachineHealthCheck } from './resources.js';

/** How long a check that may not act waits before it runs again without an event. */
const RESTRICTED_MS = 60_000;

/** Has machines replaced whose nodes are unwell for too long. */
export class HealthCheckReconciler {
  readonly #manager: Manager;
  readonly #gate: AuthorityGate;
  readonly #events: EventRecorder;
  readonly #discovery: Discovery;

  constructor(manager: Manager, gate: AuthorityGate) {
    this.#manager = manager;
    this.#gate = gate;
    this.#events = manager.eventRecorder('machinehealthcheck-controller');
    this.#discovery = new Discovery(manager.client, { clock: manager.clock });
  }

  /** Reconciles one MachineHealthCheck. */
  async reconcile({ namespace, name }: Request, context: ReconcileContext): Promise<Result | void> {
    const { cache, clock } = this.#manager;
    const check = await found(cache.get<MachineHealthCheck>(MACHINE_HEALTH_CHECKS, name, { namespace }));
    if (check === undefined || isIdle(check) || !(await this.#gate.permits(MACHINE_HEALTH_CHECKS, check))) return;
    const targets = await this.#targets(check);
    const seen = survey(targets, check, clock.now());
    const verdict = checkLimit(check, targets.length, seen);
    await this.#report(check, verdict);
    if (!verdict.isAllowed) {
      const message = `Remediation restricted due to exceeded number of unhealthy machines ${verdict.message}`;
      this.#events.record(eventSubject(check), { type: 'Warning', reason: 'RemediationRestricted', message });
      return { requeueAfterMs: Math.min(RESTRICTED_MS, seen.lookAgainMs ?? RESTRICTED_MS) };
    }
    for (const { target } of seen.unhealthy) await this.#remedy(check, target.machine, context);
    for (const { machine } of seen.healthy) await this.#endRemediation(check, machine);
    return seen.lookAgainMs === undefined ? undefined : { requeueAfterMs: seen.lookAgainMs };
  }

  /** Machines on which Cluster API acts too, as upstream: deleting the copy is asking for that of the machine. */
  async #targets(check: MachineHealthCheck): Promise<readonly Target[]> {
    const { cache } = this.#manager;
    // Unlike that of a set, an empty selector takes all.
    const matcher = compileLabelSelector(check.spec?.selector ?? {});
    const { items } = await cache.list<Machine>(MACHINES, { namespace: check.metadata.namespace });
    const chosen = items.filter((each) => matcher.matches(each.metadata.labels ?? {}));
    const targets: Target[] = [];
    for (const machine of chosen) {
      const { nodeRef } = machine.status ?? {};
      const node = nodeRef === undefined ? undefined : await found(cache.get<NodeObject>(NODES, nodeRef.name));
      targets.push({ machine, node: nodeRef === undefined ? undefined : (node ?? 'lost') });
    }
    return targets;
  }

  async #report(check: MachineHealthCheck, { isAllowed, message, status }: Verdict): Promise<void> {
    const { client, clock } = this.#manager;
    const type = 'RemediationAllowed';
    const text = `Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy ${message}`;
    const condition = isAllowed
      ? ({ type, status: 'True' } as const)
      : ({ type, status: 'False', severity: 'Warning', reason: 'TooManyUnhealthy', message: text } as const);
    const conditions = withCondition(check.status?.conditions, condition, timestamp(clock));
    const after: MachineHealthCheck = { ...check, status: { ...status, conditions } };
    const options = { subresource: 'status', optimisticLock: true };
    await patchFrom(client, MACHINE_HEALTH_CHECKS, { before: check, after }, options);
  }

  async #remedy(check: MachineHealthCheck, machine: Machine, { signal }: ReconcileContext): Promise<void> {
    const text = machineText(check, machine);
    switch (decideRemedy(machine, check)) {
      case 'already':
        return;
      case 'leave-alone':
        return this.#recordEvent(
          machine,
          'SkippedNoController',
          `Machine ${text} has no controller owner, skipping remediation`,
        );
      case 'external-annotation':
        await this.#annotate(machine);
        return this.#recordEvent(
          machine,
          'ExternalAnnotationAdded',
          `Requesting external remediation of node associated with machine ${text}`,
        );
      case 'external-object':
        return this.#beginRemediation(check, machine);
      case 'delete':
        if (!(await this.#isStillUnwell(check, machine))) return;
        await this.#delete(machine, signal);
        return this.#recordEvent(
          machine,
          'MachineDeleted',
          `Machine ${text} has been remediated by requesting to delete Machine object`,
        );
    }
  }

  /** Asks the server: a node the cache shows as lost may be back, and its pods with it. */
  async #isStillUnwell(check: MachineHealthCheck, machine: Machine): Promise<boolean> {
    const { client, clock } = this.#manager;
    const { nodeRef } = machine.status ?? {};
    const node = nodeRef === undefined ? undefined : await found(client.get<NodeObject>(NODES, nodeRef.name));
    const target: Target = { machine, node: nodeRef === undefined ? undefined : (node ?? 'lost') };
    return healthOf(target, check, clock.now()).is === 'unhealthy';
  }

  async #annotate(machine: Machine): Promise<void> {
    const annotations = { ...machine.metadata.annotations, [EXTERNAL_REMEDIATION_ANNOTATION]: '' };
    const after: Machine = { ...machine, metadata: { ...machine.metadata, annotations } };
    await patchFrom(this.#manager.client, MACHINES, { before: machine, after }, { optimisticLock: true });
  }

  /** With optimistic lock: a machine that recovered or changed owners since the cache was read must not be deleted. */
  async #delete({ metadata }: Machine, signal: AbortSignal): Promise<void> {
    const { name = '', namespace, resourceVersion, uid } = metadata;
    const preconditions = { uid, resourceVersion };
    await found(this.#manager.client.delete(MACHINES, name, { namespace, preconditions, signal }));
  }

  async #beginRemediation(check: MachineHealthCheck, machine: Machine): Promise<void> {
    const { client } = this.#manager;
    const resources = await requestResource(this.#discovery, check);
    if (resources === undefined) return;
    const { namespace } = machine.metadata;
    const template = await client.get(resources.template, check.spec?.remediationTemplate?.name ?? '', { namespace });
    try {
      await client.create(resources.request, remediationObject(template, machine));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  async #endRemediation(check: MachineHealthCheck, { metadata }: Machine): Promise<void> {
    if (check.spec?.remediationTemplate === undefined) return;
    const resources = await requestResource(this.#discovery, check);
    if (resources === undefined) return;
    const { name = '', namespace } = metadata;
    await this.#manager.client.delete(resources.request, name, { namespace }).catch(ignoreNotFound);
  }

  #recordEvent(machine: Machine, reason: string, message: string): void {
    this.#events.record(eventSubject(machine), { type: 'Normal', reason, message });
  }
}

function isIdle({ metadata }: MachineHealthCheck): boolean {
  return metadata.deletionTimestamp != null || metadata.annotations?.[PAUSED_ANNOTATION] !== undefined;
}

function machineText({ metadata }: MachineHealthCheck, machine: Machine): string {
  const node = machine.status?.nodeRef?.name ?? '';
  return [metadata.namespace ?? '', metadata.name ?? '', machine.metadata.name ?? '', node].join('/');
}
