/** What a health check of Cluster API asks of a machine on which Machine API acts. Pure. */
import { controllerOf } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { isLiving, recordAt } from '../shared/model.js';
import type { Inputs, Progress } from '../resource/inputs.js';

const conditionIs = (conditions: unknown, type: string, status: string): boolean =>
  Array.isArray(conditions) &&
  conditions.some((each: JsonObject) => each['type'] === type && each['status'] === status);

/**
 * The owner of an unhealthy machine deletes it. The set in Cluster API does not while it is paused, and a paused machine
 * is not deleted by it: then the copy is deleted here, by which the machine is.
 */
export function remediation({ capi, descriptor, mapi }: Inputs): Progress | undefined {
  if (descriptor.kind !== 'Machine' || mapi === undefined || !isLiving(mapi) || !isLiving(capi)) return undefined;
  if (mapi.status?.authoritativeAPI !== 'MachineAPI' || controllerOf(mapi) === undefined) return undefined;
  const status = recordAt(capi, 'status');
  const places = [
    status['conditions'],
    recordAt(status, 'v1beta2')['conditions'],
    recordAt(status, 'deprecated', 'v1beta1')['conditions'],
  ];
  const isAsked = places.some(
    (each) => conditionIs(each, 'HealthCheckSucceeded', 'False') && conditionIs(each, 'OwnerRemediated', 'False'),
  );
  if (!isAsked) return undefined;
  return { step: { slot: 'elsewhere', change: { verb: 'delete', kind: descriptor.machineApi, object: mapi } } };
}
