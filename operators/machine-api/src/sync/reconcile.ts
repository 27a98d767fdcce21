/** Brings the copies of one resource together: gather, decide, act, and report once. */
import { errorText, eventSubject, performChange } from '@capstan/kube';
import type { Client, EventRecorder, Reconcile, Result } from '@capstan/kube';
import { isAlreadyExists, isConflict, isForbidden, isInvalid, isNotFound } from '@capstan/meta';
import type { Descriptor } from '../descriptors/descriptor.js';
import { condition, SYNCHRONIZED, withCondition } from '../shared/conditions.js';
import type { Authored } from '../shared/model.js';
import type { WriteSpacing } from '../shared/spacing.js';
import { decide } from './decide.js';
import type { Decision } from './decide.js';
import type { Gatherer } from './gather.js';
import type { Inputs, Step } from '../resource/inputs.js';
import { REASONS } from '../resource/reasons.js';

/** More writes than the first synchronisation of a machine takes. */
const MAX_STEPS = 10;
/** Memory may be behind what was written: it is soon brought up by events. */
const STALE_MS = 1_000;
/** For what is not brought up by an event of a watched object. */
const RETRY_MS = 30_000;
/** Refusals end by a change of policies or definitions, which are not watched. */
const REFUSED_MS = 60_000;

export interface SyncDependencies {
  readonly gatherer: Gatherer;
  readonly client: Client;
  readonly spacing: WriteSpacing;
  readonly recorder: EventRecorder;
}

type Acted =
  | { readonly inputs: Inputs; readonly decision: Decision; readonly hasWrittenElsewhere: boolean }
  | { readonly wait: Result };

/** The reconciliation of a kind. */
export function reconcileSync(dependencies: SyncDependencies, descriptor: Descriptor): Reconcile {
  return async ({ name }, { signal }) => {
    const inputs = await dependencies.gatherer.gather(descriptor, name);
    const acted = await act(dependencies, inputs, signal);
    if ('wait' in acted) return acted.wait;
    const { decision } = acted;
    warn(dependencies, acted);
    const waited = await report(dependencies, acted.inputs, decision.status, signal);
    if (waited !== undefined) return waited;
    if (acted.hasWrittenElsewhere) return { requeueAfterMs: STALE_MS };
    return decision.problem?.isFinal === false ? { requeueAfterMs: RETRY_MS } : undefined;
  };
}

async function act(dependencies: SyncDependencies, first: Inputs, signal: AbortSignal): Promise<Acted> {
  let inputs = first;
  for (let count = 0; ; count += 1) {
    const decision = decide(inputs);
    if (decision.step === undefined || count === MAX_STEPS) return { inputs, decision, hasWrittenElsewhere: false };
    const { step } = decision;
    const waitMs = dependencies.spacing.waitMs(step.change);
    if (waitMs > 0) return { wait: { requeueAfterMs: waitMs } };
    const done = await perform(dependencies, inputs, step, signal);
    if ('wait' in done) return done;
    // What it was for is seen again: machines of a set, of which there may be more, are not watched for it.
    if (step.slot === 'elsewhere') return { inputs, decision, hasWrittenElsewhere: true };
    inputs = done.inputs;
  }
}

async function perform(
  dependencies: SyncDependencies,
  inputs: Inputs,
  { change, slot }: Step,
  signal: AbortSignal,
): Promise<{ readonly inputs: Inputs } | { readonly wait: Result }> {
  try {
    const written = await performChange(dependencies.client, change, { signal });
    if (slot === 'elsewhere' || written === undefined) return { inputs };
    if (slot === 'template') return { inputs: { ...inputs, templates: [...inputs.templates, written] } };
    return { inputs: { ...inputs, [slot]: written } };
  } catch (error) {
    dependencies.spacing.forget(change);
    if (isStale(error)) return { wait: { requeueAfterMs: STALE_MS } };
    if (!isInvalid(error) && !isForbidden(error)) throw error;
    const what = `${change.verb} of ${change.kind.kind} ${inputs.name} (${change.kind.group})`;
    await report(dependencies, inputs, refused(inputs, `${what} was refused: ${errorText(error)}`), signal);
    return { wait: { requeueAfterMs: REFUSED_MS } };
  }
}

const isStale = (error: unknown): boolean => isConflict(error) || isAlreadyExists(error) || isNotFound(error);

function refused({ mapi, now }: Inputs, message: string): Authored['status'] {
  const update = condition(SYNCHRONIZED, 'False', REASONS.writeRefused, message);
  return { ...mapi?.status, conditions: withCondition(mapi?.status?.conditions, update, now) };
}

/** One write of the status, and only when it differs. */
async function report(
  { client, spacing }: SyncDependencies,
  { descriptor, mapi }: Inputs,
  status: Authored['status'] | undefined,
  signal: AbortSignal,
): Promise<Result | undefined> {
  if (mapi === undefined || status === undefined || status === mapi.status) return undefined;
  const after = { ...mapi, status };
  const change = { verb: 'patch', kind: descriptor.machineApi, before: mapi, after, subresource: 'status' } as const;
  const waitMs = spacing.waitMs(change);
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  try {
    await performChange(client, change, { signal });
    return undefined;
  } catch (error) {
    spacing.forget(change);
    if (isConflict(error) || isNotFound(error)) return { requeueAfterMs: STALE_MS };
    throw error;
  }
}

/** Warnings of a conversion, once per text: the recorder counts repetitions. */
function warn(
  { recorder }: SyncDependencies,
  { decision, inputs }: { readonly inputs: Inputs; readonly decision: Decision },
): void {
  const { mapi } = inputs;
  if (mapi === undefined || decision.status === mapi.status) return;
  for (const { message, path } of decision.warnings ?? [])
    recorder.record(eventSubject(mapi), {
      type: 'Warning',
      reason: 'ConversionWarning',
      message: `${path} ${message}`,
    });
}
