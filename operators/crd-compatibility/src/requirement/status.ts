import type { CompatibilityRequirement, CompatibilityRequirementStatus } from '@capstan/api/apiextensions';
import { Converger, timestamp } from '@capstan/kube';
import type { Client, EventRecorder } from '@capstan/kube';
import { deepEqual, getCondition, setCondition } from '@capstan/meta';
import type { Clock, Condition } from '@capstan/meta';
import { REQUIREMENTS } from '../kinds.js';
import { conditionsOf } from './conditions.js';
import type { Facts, Live } from './conditions.js';

/** The observed CRD; the last one stays while it cannot be read. */
function observed(live: Live, before: CompatibilityRequirementStatus | undefined): CompatibilityRequirementStatus {
  if (live.kind === 'found') {
    const { generation, uid } = live;
    // The schema denies a generation that decreases: one that the CRD never had is removed before the right one is written.
    const isAhead = before?.observedCRD?.uid === uid && (before.observedCRD.generation ?? 0) > generation;
    return isAhead ? {} : { observedCRD: { uid, generation } };
  }
  if (live.kind === 'absent' || before?.observedCRD === undefined) return {};
  return { observedCRD: before.observedCRD };
}

/** The status of a requirement; the very same when nothing has changed. */
export function statusOf(
  requirement: CompatibilityRequirement,
  facts: Omit<Facts, 'wasCompatible'>,
  now: string,
): CompatibilityRequirementStatus {
  const { metadata, status: before } = requirement;
  const { generation: observedGeneration = 0 } = metadata;
  const known = (before?.conditions ?? []) as readonly Condition[];
  const wasCompatible = getCondition(known, 'Compatible');
  const conditions = conditionsOf({ ...facts, wasCompatible }).reduce(
    (list, update) => setCondition(list, { ...update, observedGeneration }, now),
    known,
  );
  // A name once reported stays, whatever becomes of the document that contained it.
  const crdName = before?.crdName ?? facts.crdName;
  return {
    conditions: [...conditions],
    ...(crdName === '' ? {} : { crdName }),
    ...observed(facts.live, before),
  };
}

/** Conditions that emit an event when they become False, since an administrator has to act. */
const EVENT_CONDITIONS = ['Admitted', 'Compatible'];

/** What writes the status of requirements. */
export interface StatusWriter {
  readonly client: Client;
  readonly clock: Clock;
  readonly recorder: EventRecorder;
}

/** Writes the status when it differs, and emits an event for each condition that became False. */
export async function writeStatus(
  before: CompatibilityRequirement,
  facts: Omit<Facts, 'wasCompatible'>,
  { client, clock, recorder }: StatusWriter,
): Promise<void> {
  const status = statusOf(before, facts, timestamp(clock));
  if (deepEqual(before.status, status)) return;
  await new Converger({ client }).replaceStatus(REQUIREMENTS, { ...before, status });
  const { name = '', uid = '' } = before.metadata;
  const subject = { apiVersion: `${REQUIREMENTS.group}/${REQUIREMENTS.version}`, kind: REQUIREMENTS.kind, name, uid };
  for (const type of EVENT_CONDITIONS) {
    const [now, was] = [getCondition(status.conditions, type), getCondition(before.status?.conditions, type)];
    if (now?.status === 'False' && was?.status === 'True')
      recorder.record(subject, { type: 'Warning', reason: now.reason, message: now.message.slice(0, 1000) });
  }
}
