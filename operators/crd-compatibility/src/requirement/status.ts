import type { CompatibilityRequirement, CompatibilityRequirementStatus } from '@capstan/api/apiextensions';
import { getCondition, setCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
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
