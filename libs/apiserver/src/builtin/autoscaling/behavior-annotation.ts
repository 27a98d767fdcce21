/** How the v1 view of an autoscaler spells its behavior: as the server itself has it, with every field. */
import { maxObjectDepth, parseJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { record, records } from '../shared/json.js';

function rulesText(value: unknown): JsonObject | null {
  const rules = record(value);
  if (rules === undefined) return null;
  const policies = Array.isArray(rules['policies'])
    ? records(rules['policies']).map(({ type, value: amount, periodSeconds }) => ({
        Type: type ?? '',
        Value: amount ?? 0,
        PeriodSeconds: periodSeconds ?? 0,
      }))
    : null;
  return {
    StabilizationWindowSeconds: rules['stabilizationWindowSeconds'] ?? null,
    SelectPolicy: rules['selectPolicy'] ?? null,
    Policies: policies,
    Tolerance: rules['tolerance'] ?? null,
  };
}

/** The behavior of v2 as the annotation holds it. */
export function behaviorText({ scaleUp, scaleDown }: Readonly<JsonObject>): string {
  return JSON.stringify({ ScaleUp: rulesText(scaleUp), ScaleDown: rulesText(scaleDown) });
}

/** Fields of v2 for those of the annotation, without what is null; Go minds no case. */
function lowered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowered);
  if (typeof value !== 'object' || value === null) return value;
  const there = Object.entries(value).filter(([, each]) => each !== null);
  return Object.fromEntries(
    there.map(([key, each]) => [`${key.charAt(0).toLowerCase()}${key.slice(1)}`, lowered(each)]),
  );
}

/** The behavior of v2 that an annotation stands for; none where it cannot be read or is empty. */
export function behaviorFrom(json: string | undefined): JsonObject | undefined {
  if (json === undefined) return undefined;
  try {
    const read = record(lowered(parseJson(json, { maxDepth: maxObjectDepth / 2 }).value));
    return read === undefined || Object.keys(read).length === 0 ? undefined : read;
  } catch {
    return undefined;
  }
}
