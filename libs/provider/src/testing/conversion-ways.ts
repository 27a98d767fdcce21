import { setAt } from '@capstan/convert';
import type { TwoWayMap } from '@capstan/convert';
import type { MachineContext } from '@capstan/convert/machine-api';
import { cloneJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

/** Values by their paths; `undefined` takes a field away. */
export type Changes = Readonly<Record<string, unknown>>;

/** A copy with some values changed. */
export function changed(record: JsonObject, changes: Changes): JsonObject {
  const copy = cloneJson(record) as JsonObject;
  for (const [path, value] of Object.entries(changes)) setAt(copy, path.split('.'), value);
  return cloneJson(copy) as JsonObject;
}

/** What came of a machine with some values changed; issues are `path: message`. */
export interface WayOutcome {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  readonly spec: JsonObject;
}

/** A machine with some values changed, one way. */
export type Way = (changes: Changes, context?: MachineContext) => WayOutcome;

const PLACE = /^(?:spec\.providerSpec\.value|infrastructure\.spec)\./;
const lines = (issues: readonly { readonly path: string; readonly message: string }[]): string[] =>
  issues.map(({ message, path }) => `${path.replace(PLACE, '')}: ${message}`);

/** A machine with some values changed, both ways. */
export function conversionWays(
  map: TwoWayMap<MachineContext>,
  usual: MachineContext,
  machine: { readonly left: (changes: Changes) => JsonObject; readonly right: (changes: Changes) => JsonObject },
): { readonly there: Way; readonly back: Way } {
  return {
    there: (changes, context = usual) => {
      const { errors, value, warnings } = map.forward(machine.left(changes), context);
      const { infrastructure } = value as { infrastructure?: { spec: JsonObject } };
      return { errors: lines(errors), warnings: lines(warnings), spec: infrastructure?.spec ?? {} };
    },
    back: (changes, context = usual) => {
      const { errors, value, warnings } = map.backward(machine.right(changes), context);
      const { spec } = value as { spec: { providerSpec: { value: JsonObject } } };
      return { errors: lines(errors), warnings: lines(warnings), spec: spec.providerSpec.value };
    },
  };
}
