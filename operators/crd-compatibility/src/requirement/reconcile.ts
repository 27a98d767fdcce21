import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { addFinalizer, errorText } from '@capstan/kube';
import type { Reconcile, Result } from '@capstan/kube';
import { TryAgain } from '../errors.js';
import { REQUIREMENTS } from '../kinds.js';
import { FINALIZER } from '../names.js';
import type { Facts } from './conditions.js';
import { decide } from './decide.js';
import type { Plan } from './decide.js';
import { finalize } from './finalizer.js';
import { gather } from './gather.js';
import type { Readers } from './gather.js';
import { writeStatus } from './status.js';
import type { StatusWriter } from './status.js';
import { ensureObjectWebhook } from './object-webhook.js';
import type { ObjectWebhookWriter } from './object-webhook.js';

/** What requirements are reconciled with. */
export type ReconcileOptions = ObjectWebhookWriter & Readers & StatusWriter;

/** When a configuration that the server does not use yet is checked again. */
const PENDING_MS = 200;

/** Reconciles requirements: fetch, deletion, finalizer, gather, decide, act, one status. */
export function reconcileRequirement(options: ReconcileOptions): Reconcile {
  const { client, requirements } = options;
  return async ({ name }, { signal }) => {
    const found = requirements.get(name);
    if (found === undefined) return undefined;
    if (found.metadata.deletionTimestamp != null) {
      await finalize(found, options, signal);
      return undefined;
    }
    const requirement = await addFinalizer(client, REQUIREMENTS, found, FINALIZER);
    const snapshot = await gather(requirement, options, signal);
    const plan = decide(requirement, snapshot);
    const outcome = await act(requirement, plan, options, signal);
    const { conflict, crdName, definitions } = plan;
    const { live, problems } = snapshot;
    const facts: Omit<Facts, 'wasCompatible'> = { crdName, problems, conflict, live, definitions, ...outcome };
    await writeStatus(requirement, facts, options);
    return resultOf(facts);
  };
}

/** A failed write is reported like everything else, and retried after that. */
async function act(
  requirement: CompatibilityRequirement,
  { objectWebhook }: Plan,
  options: ReconcileOptions,
  signal: AbortSignal,
): Promise<Pick<Facts, 'errors' | 'objects'>> {
  try {
    return { objects: await ensureObjectWebhook(requirement, objectWebhook, options, signal), errors: [] };
  } catch (error) {
    return { objects: 'pending', errors: [errorText(error)] };
  }
}

function resultOf({ definitions, errors, live, objects }: Omit<Facts, 'wasCompatible'>): Result | undefined {
  const failures = [...errors, ...(live.kind === 'unknown' ? [live.error] : [])];
  if (failures.length > 0) throw new TryAgain(failures.join('; '));
  return definitions === 'pending' || objects === 'pending' ? { requeueAfterMs: PENDING_MS } : undefined;
}
