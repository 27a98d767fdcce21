/** The list of managers after mutating admission. */
import type { ManagedFieldsEntry } from '@capstan/meta';
import { ManagedFieldsError, decodeManaged } from './managed.js';

/** What is wrong with a list of entries; undefined: nothing. */
export function managedFieldsProblem(entries: readonly ManagedFieldsEntry[] | null | undefined): string | undefined {
  try {
    decodeManaged(entries);
    return undefined;
  } catch (error) {
    if (error instanceof ManagedFieldsError) return error.message;
    throw error;
  }
}

/** The list to go on with: the one from before admission, with a warning, when admission left one that cannot be read. */
export function managedFieldsAfterAdmission(
  before: ManagedFieldsEntry[] | undefined,
  after: ManagedFieldsEntry[] | undefined,
  warnings: string[],
): ManagedFieldsEntry[] | undefined {
  if (before === after) return after;
  const problem = managedFieldsProblem(after);
  if (problem === undefined) return after;
  warnings.push(
    '.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating ' +
      `admission controller; please fix your requests: ${problem}`,
  );
  return before;
}
