import { conditionMessage, joinLines } from '@capstan/crd-compat';
import type { CompatibilityReport } from '@capstan/crd-compat';
import { fieldErrorMessage } from '@capstan/meta';
import type { Condition, ConditionUpdate, FieldError } from '@capstan/meta';
import type { Enforcement } from '../webhooks/enforcement.js';

/** Why a requirement is or is not reconciled. */
export type ProgressingReason = 'ConfigurationError' | 'OwnershipConflict' | 'TransientError' | 'UpToDate';
/** Whether a requirement is enforced. */
export type AdmittedReason = 'Admitted' | 'NotAdmitted';
/** Whether the live CRD is what the requirement needs. */
export type CompatibleReason =
  | 'CRDNotFound'
  | 'Compatible'
  | 'CompatibleWithWarnings'
  | 'RequirementsNotMet'
  | 'TransientError';

/** The live CRD, as far as it could be seen. */
export type Live =
  | { readonly kind: 'found'; readonly uid: string; readonly generation: number; readonly report: CompatibilityReport }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unknown'; readonly error: string };

/** All that the conditions of a requirement follow from. */
export interface Facts {
  readonly crdName: string;
  /** What is wrong with the requirement itself. */
  readonly problems: readonly FieldError[];
  /** Whose configuration stands where the requirement's should. */
  readonly conflict?: string | undefined;
  readonly live: Live;
  readonly definitions: Enforcement;
  readonly objects: Enforcement;
  /** What went wrong and may go right the next time. */
  readonly errors: readonly string[];
  /** The condition as it was: what is not known now stays as it was last seen. */
  readonly wasCompatible?: Condition | undefined;
}

type ConditionOf<R extends string> = Pick<ConditionUpdate, 'message' | 'status'> & { readonly reason: R };

function progressing({
  conflict,
  definitions,
  errors,
  live,
  objects,
  problems,
}: Facts): ConditionOf<ProgressingReason> {
  if (problems.length > 0)
    return { status: 'False', reason: 'ConfigurationError', message: joinLines(problems.map(fieldErrorMessage)) };
  if (conflict !== undefined) return { status: 'False', reason: 'OwnershipConflict', message: conflict };
  const pending =
    definitions === 'pending' || objects === 'pending' ? ['the API server does not ask the checker yet'] : [];
  const unseen = live.kind === 'unknown' ? [live.error] : [];
  const all = [...errors, ...unseen, ...pending];
  if (all.length > 0) return { status: 'True', reason: 'TransientError', message: joinLines(all) };
  return { status: 'False', reason: 'UpToDate', message: 'the requirement is up to date' };
}

const CHECKS = { definitions: 'writes of the CRD', objects: 'writes of its objects' } as const;

function admitted(facts: Facts): ConditionOf<AdmittedReason> {
  const not = (message: string): ConditionOf<AdmittedReason> => ({ status: 'False', reason: 'NotAdmitted', message });
  if (facts.problems.length > 0) return not('the requirement is invalid');
  if (facts.conflict !== undefined) return not(facts.conflict);
  for (const each of ['definitions', 'objects'] as const) {
    if (facts[each] === 'off')
      return not(`${CHECKS[each]} are not checked: the checker runs with --static-webhook=false`);
    if (facts[each] === 'pending') return not(`${CHECKS[each]} are not checked yet`);
  }
  const asked = (['definitions', 'objects'] as const).filter((each) => facts[each] === 'enforced');
  const what =
    asked.length === 0 ? 'no checks are asked for' : `${asked.map((each) => CHECKS[each]).join(' and ')} are checked`;
  return { status: 'True', reason: 'Admitted', message: what };
}

function compatible({ crdName, live, problems, wasCompatible }: Facts): ConditionOf<CompatibleReason> {
  if (problems.length > 0)
    return { status: 'False', reason: 'RequirementsNotMet', message: 'the requirement is invalid' };
  switch (live.kind) {
    case 'absent':
      return { status: 'False', reason: 'CRDNotFound', message: `there is no CustomResourceDefinition ${crdName}` };
    case 'unknown': {
      if (wasCompatible === undefined) return { status: 'Unknown', reason: 'TransientError', message: live.error };
      const { message, reason, status } = wasCompatible;
      return { status, reason: reason as CompatibleReason, message };
    }
    case 'found': {
      const { findings, verdict } = live.report;
      if (verdict === 'Compatible')
        return { status: 'True', reason: 'Compatible', message: `${crdName} is compatible` };
      const message = conditionMessage(findings);
      if (verdict === 'CompatibleWithWarnings') return { status: 'True', reason: verdict, message };
      return { status: 'False', reason: 'RequirementsNotMet', message };
    }
  }
}

/** The three conditions of a requirement; all are set every time. */
export function conditionsOf(facts: Facts): readonly Omit<ConditionUpdate, 'observedGeneration'>[] {
  return [
    { type: 'Progressing', ...progressing(facts) },
    { type: 'Admitted', ...admitted(facts) },
    { type: 'Compatible', ...compatible(facts) },
  ];
}
