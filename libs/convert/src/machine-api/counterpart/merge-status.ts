/** A converted status over the one that is there, without touching what others report in it. */
import { deepEqual } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { getAt, isRecord } from '../../engine/path.js';

/** How a converted status is written. */
export interface StatusMerge {
  /** RFC 3339, whole seconds: the transition time of conditions whose status changes. */
  readonly now: string;
  /** Fields that are the conversion's, path by path: they are removed where the converted status has none. */
  readonly owned: readonly (readonly string[])[];
}

/** Conditions are merged by type wherever they are: controllers of either API have their own among them. */
const CONDITIONS = 'conditions';

const recordsIn = (list: unknown): readonly JsonObject[] => (Array.isArray(list) ? list.filter(isRecord) : []);

const timeOf = (condition: JsonObject): string => {
  const time = condition['lastTransitionTime'];
  return typeof time === 'string' ? time : '';
};

/** The time moves with the status only; one in the future is no time at all. */
function mergeOne(converted: JsonObject, existing: JsonObject | undefined, now: string): JsonObject {
  const before = existing === undefined ? '' : timeOf(existing);
  const isSame = existing !== undefined && existing['status'] === converted['status'];
  const lastTransitionTime = isSame && before !== '' && before <= now ? before : now;
  const made = { ...converted, lastTransitionTime };
  return existing !== undefined && deepEqual(made, existing) ? existing : made;
}

/** Conditions that are there keep their place, and those of others stay. */
function mergeConditions(
  existing: readonly JsonObject[],
  converted: readonly JsonObject[],
  now: string,
): readonly JsonObject[] {
  const made = existing.map((each) => {
    const wanted = converted.find(({ type }) => type === each['type']);
    return wanted === undefined ? each : mergeOne(wanted, each, now);
  });
  const isNew = ({ type }: JsonObject): boolean => existing.every((each) => each['type'] !== type);
  return [...made, ...converted.filter(isNew).map((each) => mergeOne(each, undefined, now))];
}

function copyRecords(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isRecord(inner) ? copyRecords(inner) : inner]),
  );
}

function removeAt(record: JsonObject, path: readonly string[]): void {
  const holder = getAt(record, path.slice(0, -1));
  if (isRecord(holder)) delete holder[path.at(-1) ?? ''];
}

/** All leaves of the converted status. Lists are leaves, but for conditions. */
function writeLeaves(target: JsonObject, value: JsonObject, existing: unknown, now: string): void {
  for (const [name, inner] of Object.entries(value)) {
    const there = isRecord(existing) ? existing[name] : undefined;
    if (name === CONDITIONS) {
      target[name] = mergeConditions(recordsIn(there), recordsIn(inner), now);
    } else if (isRecord(inner)) {
      const record: JsonObject = isRecord(target[name]) ? target[name] : {};
      target[name] = record;
      writeLeaves(record, inner, there, now);
    } else if (inner !== undefined) {
      target[name] = inner;
    }
  }
}

/**
 * The status to write. It is the existing object itself where nothing changes, so that identity shows whether to write.
 * Conditions keep the time of their last transition as long as their status is the same.
 */
export function mergeStatus(
  existing: JsonObject | undefined,
  converted: JsonObject,
  { now, owned }: StatusMerge,
): JsonObject {
  const made = copyRecords(existing ?? {});
  for (const path of owned) removeAt(made, path);
  writeLeaves(made, converted, existing, now);
  return existing !== undefined && deepEqual(made, existing) ? existing : made;
}
