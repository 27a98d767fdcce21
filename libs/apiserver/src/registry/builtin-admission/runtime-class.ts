/** RuntimeClass: what the runtime of a pod takes for itself, and where it can run. */
import type { JsonObject, KubeObject } from '@capstan/meta';
import {
  assign,
  ensure,
  equalJson,
  fields,
  integer,
  record,
  records,
  text,
  textMap,
} from '../../builtin/shared/json.js';
import { sentEmpty } from '../../builtin/shared/sent-empties.js';
import { compareQuantities } from '../../builtin/shared/quantity.js';

const MISMATCH = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const WITHOUT_CLASS = 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';

function isSameList(one: Readonly<JsonObject>, other: Readonly<JsonObject>): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && compareQuantities(one[name], other[name]) === 0)
  );
}

/** Gives a new pod the overhead and scheduling of its class; the reason where the pod contradicts it. */
export function setRuntime(pod: KubeObject, runtimeClass: KubeObject): string | undefined {
  const spec = ensure(pod, 'spec');
  const overhead = record(runtimeClass['overhead']);
  if (overhead !== undefined) {
    const [fixed, given] = [fields(overhead['podFixed']), fields(spec['overhead'])];
    if (Object.keys(given).length > 0 && !isSameList(fixed, given)) return MISMATCH;
    assign(spec, 'overhead', Object.keys(fixed).length > 0 ? { ...fixed } : undefined);
  }
  const scheduling = record(runtimeClass['scheduling']);
  return scheduling === undefined ? undefined : setScheduling(spec, scheduling);
}

function setScheduling(spec: JsonObject, scheduling: JsonObject): string | undefined {
  const wanted = textMap(scheduling['nodeSelector']);
  const given = textMap(spec['nodeSelector']);
  for (const [key, value] of Object.entries(wanted)) {
    const own = given[key];
    if (own !== undefined && own !== value)
      return `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`;
  }
  if (Object.keys(wanted).length > 0) spec['nodeSelector'] = { ...given, ...wanted };
  const tolerations = mergeTolerations(records(spec['tolerations']), records(scheduling['tolerations']));
  if (tolerations.length > 0) spec['tolerations'] = tolerations;
  return undefined;
}

/** Both lists, without what another of them covers; of equal ones the first stays. */
export function mergeTolerations(first: readonly JsonObject[], second: readonly JsonObject[]): JsonObject[] {
  const all = [...first, ...second];
  const merged: JsonObject[] = [];
  all.forEach((each, at) => {
    const later = all.slice(at + 1).some((other) => !equalJson(other, each) && covers(other, each));
    if (!later && !merged.some((other) => covers(other, each))) merged.push(each);
  });
  return merged;
}

function covers(wide: JsonObject, narrow: JsonObject): boolean {
  if (equalJson(wide, narrow)) return true;
  return coversPlace(wide, narrow) && coversTime(wide, narrow) && coversValue(wide, narrow);
}

/** No key means every key, and no effect every effect. */
function coversPlace(wide: JsonObject, narrow: JsonObject): boolean {
  const [key, effect] = [text(wide['key']), text(wide['effect'])];
  const isAnyKey = key === '' && wide['operator'] === 'Exists';
  return (isAnyKey || text(narrow['key']) === key) && (effect === '' || text(narrow['effect']) === effect);
}

function coversTime(wide: JsonObject, narrow: JsonObject): boolean {
  const [most, seconds] = [integer(wide['tolerationSeconds']), integer(narrow['tolerationSeconds'])];
  return wide['effect'] !== 'NoExecute' || most === undefined || (seconds !== undefined && seconds <= most);
}

function coversValue(wide: JsonObject, narrow: JsonObject): boolean {
  const operator = text(wide['operator']);
  if (operator === 'Exists') return true;
  const isEqual = operator === 'Equal' || operator === '';
  return isEqual && narrow['operator'] === 'Equal' && text(narrow['value']) === text(wide['value']);
}

/** Why a pod may not set the values itself; checked when all other plug-ins have changed it. */
export function overheadFault(pod: KubeObject, runtimeClass: KubeObject | undefined): string | undefined {
  const given = fields(pod['spec'])['overhead'] ?? sentEmpty(pod, 'spec.overhead');
  const overhead = record(runtimeClass?.['overhead']);
  if (overhead === undefined) return given === undefined ? undefined : WITHOUT_CLASS;
  return isSameList(fields(overhead['podFixed']), fields(given)) ? undefined : MISMATCH;
}
