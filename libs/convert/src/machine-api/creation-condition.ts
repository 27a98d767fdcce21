/** Whether a machine was made: one condition in Machine API, those of its infrastructure machine in Cluster API. */
import type { JsonObject } from '@capstan/meta';
import { isRecord } from '../engine/path.js';
import type { Claim } from '../engine/rule.js';
import type { MachineRule } from './platform.js';

const CREATION = 'MachineCreation';
const claims: readonly Claim[] = [{ path: 'conditions', fate: 'derived' }];

function conditionOf({ conditions }: JsonObject, type: string): JsonObject | undefined {
  return Array.isArray(conditions) ? conditions.filter(isRecord).find((each) => each['type'] === type) : undefined;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A machine that is up is ready; of any other it is unknown. The time is the only one that Machine API has. */
function toClusterApi(status: JsonObject, types: readonly string[], isUp: boolean): JsonObject[] | undefined {
  const creation = conditionOf(status, CREATION);
  const lastTransitionTime = text(creation?.['lastTransitionTime']);
  if (creation === undefined || lastTransitionTime === '') return undefined;
  const message = text(creation['message']);
  const state = isUp
    ? { status: 'True' }
    : { status: 'Unknown', severity: 'Error', ...(message === '' ? {} : { message }) };
  return types.map((type) => ({ type, ...state, lastTransitionTime }));
}

function toMachineApi(status: JsonObject): JsonObject[] | undefined {
  const ready = conditionOf(status, 'Ready');
  const lastTransitionTime = text(ready?.['lastTransitionTime']);
  if (ready === undefined || lastTransitionTime === '') return undefined;
  const isTrue = ready['status'] === 'True';
  const reason = isTrue ? 'MachineCreationSucceeded' : 'MachineCreationFailed';
  const message = text(ready['message']);
  return [{ type: CREATION, status: isTrue ? 'True' : 'False', reason, message, lastTransitionTime }];
}

/** The condition of Machine API, and those of `types` in Cluster API, where `isUp` decides by the provider status. */
export function creationCondition(types: readonly string[], isUp: (status: JsonObject) => boolean): MachineRule {
  return {
    claims: { left: claims, right: claims },
    convert: ({ run, source, target }) => {
      if (run.from === run.to) return;
      const made = run.to === 'right' ? toClusterApi(source, types, isUp(source)) : toMachineApi(source);
      if (made !== undefined) target['conditions'] = made;
    },
  };
}
