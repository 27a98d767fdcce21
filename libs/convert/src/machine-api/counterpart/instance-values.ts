/** What a running machine was created with stays, whatever the infrastructure cluster is edited to. */
import { cloneJson, deepEqual, stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { getAt, isRecord, setAt } from '../../engine/path.js';
import type { ConversionIssue } from '../converter.js';
import { objectName } from '../converter.js';
import type { MachinePlatform } from '../platform.js';
import type { Retained } from './retained.js';

const PROVIDER_SPEC = ['spec', 'providerSpec', 'value'];
const PROVIDER_ID = ['spec', 'providerID'];

/** Whether both are of one instance, which is where it was created. */
function areOfOneInstance(desired: JsonObject, existing: JsonObject): boolean {
  const id = getAt(desired, PROVIDER_ID) ?? '';
  return id !== '' && id === getAt(existing, PROVIDER_ID);
}

/** Fields of the provider spec that the way back takes from the infrastructure cluster. */
function clusterFields({ infrastructure, machineSpec }: MachinePlatform): readonly (readonly string[])[] {
  const claims = [...infrastructure, ...machineSpec].flatMap((rule) => rule.claims.left);
  return claims
    .filter(({ fate, path }) => fate === 'derived' && !/[[{"]/.test(path))
    .map(({ path }) => path.split('.'));
}

/**
 * A Machine of Machine API to write over an existing one of the same instance: region, load balancers and whatever else
 * follows from the infrastructure cluster are those it has. By others Machine API would not find the instance, and
 * create it again. Each field that the infrastructure cluster has otherwise by now is a conflict. Sets are not for this:
 * their new machines follow the cluster.
 */
export function keepInstanceValues(desired: JsonObject, existing: JsonObject, platform: MachinePlatform): Retained {
  const there = getAt(existing, PROVIDER_SPEC);
  if (!areOfOneInstance(desired, existing) || !isRecord(there)) return { object: desired, conflicts: [] };
  const conflicts: ConversionIssue[] = [];
  let object = desired;
  for (const path of clusterFields(platform)) {
    const whole = [...PROVIDER_SPEC, ...path];
    const [value, wanted] = [getAt(there, path), getAt(desired, whole)];
    if (value === undefined || deepEqual(value, wanted)) continue;
    if (object === desired) object = cloneJson(desired);
    setAt(object, whole, value);
    const message = `stays ${stringifyJson(value)}, with which the instance was created; the infrastructure cluster has ${wanted === undefined ? 'nothing' : stringifyJson(wanted)} now`;
    conflicts.push({ code: 'ClusterMismatch', object: objectName(desired), path: whole.join('.'), message });
  }
  return { object, conflicts };
}
