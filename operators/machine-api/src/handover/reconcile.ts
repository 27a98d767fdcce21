/** Hands authority over: one write at a time, each decided by copies read from the server. */
import { changeTo, eventSubject, performChange, withFinalizer } from '@capstan/kube';
import type { Change, Client, EventRecorder, Reconcile, ResourceKind, Result } from '@capstan/kube';
import { isAlreadyExists, isConflict, isForbidden, isInvalid, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Descriptor } from '../descriptors/descriptor.js';
import { MACHINE_API_FINALIZER } from '../names.js';
import { condition, findCondition, HANDOVER, SYNCHRONIZED, withCondition } from '../shared/conditions.js';
import type { ConditionUpdate } from '../shared/conditions.js';
import { isOfProvider, withoutFinalizers } from '../shared/finalizers.js';
import type { Authored, Authority } from '../shared/model.js';
import { wantedAuthority } from '../shared/model.js';
import { withoutOwnPause, withPause } from '../shared/pause.js';
import { decide } from '../sync/decide.js';
import type { Gatherer } from '../sync/gather.js';
import type { Inputs } from '../resource/inputs.js';
import { REASONS } from '../resource/reasons.js';
import { decideHandover } from './decide.js';
import type { HandoverDecision } from './decide.js';
import { withConsumer } from './host.js';
import { HANDOVER_REASONS } from './reasons.js';
import { actedOn, controllerFinalizers, handoverState } from './state.js';

/** More writes than a handover takes. */
const MAX_STEPS = 16;
const STALE_MS = 1_000;
/** What is waited for is watched; this is for what no event brings up. */
const RETRY_MS = 30_000;
const REFUSED_MS = 60_000;

export interface HandoverDependencies {
  readonly gatherer: Gatherer;
  readonly client: Client;
  readonly recorder: EventRecorder;
}

/** The reconciliation of a kind. */
export function reconcileHandover(dependencies: HandoverDependencies, descriptor: Descriptor): Reconcile {
  return async ({ name }, { signal }) => {
    // Memory decides whether there is anything to do, the server what.
    const known = await dependencies.gatherer.gather(descriptor, name);
    if (isAtRest(known)) return undefined;
    for (let count = 0; count < MAX_STEPS; count += 1) {
      const inputs = await dependencies.gatherer.gather(descriptor, name, true);
      const decision = decisionOf(inputs);
      const changes = decision === undefined ? [] : changesFor(inputs, decision);
      if (decision === undefined || changes.length === 0) return resultOf(decision);
      const failed = await write(dependencies, changes, signal);
      if (failed !== undefined) return failed;
      announce(dependencies, inputs, decision);
    }
    return { requeueAfterMs: STALE_MS };
  };
}

function decisionOf(inputs: Inputs): HandoverDecision | undefined {
  const isAgreed = (): boolean => {
    const { isSynchronized, step } = decide(inputs);
    return isSynchronized && step === undefined;
  };
  const state = handoverState(inputs, isAgreed);
  return state === undefined ? undefined : decideHandover(state);
}

function isAtRest(inputs: Inputs): boolean {
  const decision = decisionOf(inputs);
  return decision === undefined || (decision.do === 'rest' && reportOf(inputs, decision) === undefined);
}

function resultOf(decision: HandoverDecision | undefined): Result | undefined {
  return decision?.do === 'wait' ? { requeueAfterMs: RETRY_MS } : undefined;
}

async function write(
  { client }: HandoverDependencies,
  changes: readonly Change[],
  signal: AbortSignal,
): Promise<Result | undefined> {
  try {
    for (const change of changes) await performChange(client, change, { signal });
    return undefined;
  } catch (error) {
    if (isConflict(error) || isNotFound(error) || isAlreadyExists(error)) return { requeueAfterMs: STALE_MS };
    if (isInvalid(error) || isForbidden(error)) return { requeueAfterMs: REFUSED_MS };
    throw error;
  }
}

/** The writes of a decision; none when it is waiting and that is reported. */
function changesFor(inputs: Inputs, decision: HandoverDecision): readonly Change[] {
  switch (decision.do) {
    case 'rest':
    case 'wait':
      return statusChange(inputs, reportOf(inputs, decision));
    case 'hold':
      return objectChanges(inputs, withPause);
    case 'let-go':
      return objectChanges(inputs, withoutOwnPause);
    case 'begin':
      return statusChange(inputs, {
        ...inputs.mapi?.status,
        ...conditionsWith(inputs, [migrating(inputs)]),
        authoritativeAPI: 'Migrating',
      });
    case 'add-finalizers':
      return finalizerChanges(inputs, decision.to, (object) =>
        controllerFinalizers(object).reduce<KubeObject>((at, each) => withFinalizer(at, each), object),
      );
    case 'remove-finalizers':
      return finalizerChanges(inputs, decision.from, (object) =>
        withoutFinalizers(object, (each) => each === MACHINE_API_FINALIZER || isOfProvider(each)),
      );
    case 'give-host':
      return hostChange(inputs, decision.to);
    case 'commit':
      return statusChange(inputs, committed(inputs, decision.to));
  }
}

function statusChange({ descriptor, mapi }: Inputs, status: Authored['status'] | undefined): readonly Change[] {
  if (mapi === undefined || status === undefined || status === mapi.status) return [];
  return [
    { verb: 'patch', kind: descriptor.machineApi, before: mapi, after: { ...mapi, status }, subresource: 'status' },
  ];
}

function hostChange(inputs: Inputs, to: Authority): readonly Change[] {
  const { host, tools } = inputs;
  if (host === undefined || tools.hosts === undefined) return [];
  return changeTo(tools.hosts, host, withConsumer(inputs, host, to));
}

function kindOf({ descriptor, tools }: Inputs, object: KubeObject): ResourceKind {
  return object.kind === tools.machines.kind ? tools.machines : descriptor.clusterApi;
}

function objectChanges(inputs: Inputs, change: (object: KubeObject) => KubeObject): readonly Change[] {
  return actedOn(inputs).flatMap((before): Change[] => {
    const after = change(before);
    return after === before ? [] : [{ verb: 'patch', kind: kindOf(inputs, before), before, after }];
  });
}

function finalizerChanges(
  inputs: Inputs,
  side: Authority,
  change: (object: KubeObject) => KubeObject,
): readonly Change[] {
  if (side === 'ClusterAPI') return objectChanges(inputs, change);
  const { descriptor, mapi } = inputs;
  if (mapi === undefined) return [];
  const after = change(mapi);
  return after === mapi ? [] : [{ verb: 'patch', kind: descriptor.machineApi, before: mapi, after }];
}

/** Conditions with some of ours in place; nothing when they are. */
function conditionsWith(
  { mapi, now }: Inputs,
  updates: readonly ConditionUpdate[],
): Pick<NonNullable<Authored['status']>, 'conditions'> {
  let conditions = mapi?.status?.conditions;
  for (const update of updates) conditions = withCondition(conditions, update, now);
  return conditions === undefined ? {} : { conditions };
}

function migrating({ mapi }: Inputs): ConditionUpdate {
  const to = mapi === undefined ? '' : wantedAuthority(mapi);
  return condition(HANDOVER, 'False', HANDOVER_REASONS.migrating, `authority moves to ${to}`);
}

/** The one write that leaves Migrating: until the copies are compared again, nothing is known of them. */
function committed(inputs: Inputs, to: Authority): Authored['status'] {
  const { mapi } = inputs;
  const isAsked = mapi !== undefined && wantedAuthority(mapi) === to;
  const done = condition(HANDOVER, 'True', HANDOVER_REASONS.complete, `${to} is authoritative`);
  const returned = condition(
    HANDOVER,
    'False',
    HANDOVER_REASONS.notSynchronized,
    `authority returned to ${to} before the handover was complete`,
  );
  const unknown = condition(SYNCHRONIZED, 'Unknown', REASONS.authorityChanged, `${to} is authoritative since`);
  return {
    ...mapi?.status,
    ...conditionsWith(inputs, [isAsked ? done : returned, unknown]),
    authoritativeAPI: to,
    synchronizedAPI: to,
    synchronizedGeneration: 0,
  };
}

/** What is reported of a handover that waits, or was called off before it began; undefined when it is reported. */
function reportOf(inputs: Inputs, decision: HandoverDecision): Authored['status'] | undefined {
  const { mapi, now } = inputs;
  const before = mapi?.status?.conditions;
  const update = updateFor(mapi, decision);
  const conditions = update === undefined ? before : withCondition(before, update, now);
  return conditions === before || conditions === undefined ? undefined : { ...mapi?.status, conditions };
}

function updateFor(mapi: Authored | undefined, decision: HandoverDecision): ConditionUpdate | undefined {
  if (decision.do === 'wait') return condition(HANDOVER, 'False', decision.reason, decision.message);
  if (findCondition(mapi, HANDOVER)?.status !== 'False') return undefined;
  const authority = mapi?.status?.authoritativeAPI ?? '';
  return condition(HANDOVER, 'True', HANDOVER_REASONS.cancelled, `${authority} stays authoritative`);
}

function announce({ recorder }: HandoverDependencies, { mapi }: Inputs, decision: HandoverDecision): void {
  if (mapi === undefined) return;
  if (decision.do === 'commit')
    recorder.record(eventSubject(mapi), {
      type: 'Normal',
      reason: 'AuthorityChanged',
      message: `${decision.to} is authoritative`,
    });
  if (decision.do === 'begin')
    recorder.record(eventSubject(mapi), {
      type: 'Normal',
      reason: 'AuthorityMigrating',
      message: `authority moves to ${wantedAuthority(mapi)}`,
    });
}
