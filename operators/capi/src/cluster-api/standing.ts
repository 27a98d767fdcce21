import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { deepEqual, getCondition } from '@capstan/meta';
import type { Condition } from '@capstan/meta';

/** State of a requirement, from the conditions that the checker reported for its current generation. */
export interface Standing {
  /** Whether it is there with the very spec that is wanted. */
  readonly isWritten: boolean;
  /** Whether it is enforced. */
  readonly isAdmitted: boolean;
  /** Whether the checker has come to an end with it. */
  readonly isSettled: boolean;
  /** Why it is not enforced, or not met; undefined when all is well, or not known yet. */
  readonly problem?: string | undefined;
}

/** Compares the existing requirement with the wanted one. */
export function standingOf(there: CompatibilityRequirement | undefined, wanted: CompatibilityRequirement): Standing {
  if (there === undefined || !deepEqual(there.spec, wanted.spec))
    return { isWritten: false, isAdmitted: false, isSettled: false };
  const observed = (type: string): Condition | undefined => {
    const condition = getCondition(there.status?.conditions as readonly Condition[] | undefined, type);
    return condition?.observedGeneration === there.metadata.generation ? condition : undefined;
  };
  const [progressing, admitted, compatible] = ['Progressing', 'Admitted', 'Compatible'].map(observed);
  return {
    isWritten: true,
    isAdmitted: admitted?.status === 'True',
    isSettled: progressing?.status === 'False',
    problem: [admitted, compatible].find((each) => each?.status === 'False')?.message,
  };
}
