/** Status of a copy, carried after its spec. Conditions and fields of others stay. Pure. */
import type { JsonObject, KubeObject } from '@capstan/meta';
import { recordAt } from '../shared/model.js';
import type { Inputs, Step } from '../resource/inputs.js';

/** What health checks of Cluster API and the owners that follow them report of a machine. */
const VERDICTS: readonly unknown[] = ['HealthCheckSucceeded', 'OwnerRemediated', 'ExternallyRemediated'];

/**
 * Nobody renews them while Machine API acts on the machine: what was true before would have the machine deleted as soon
 * as its set in Cluster API reads it, however healthy it is by then.
 */
function withoutVerdicts(object: KubeObject, status: JsonObject): JsonObject {
  if (object.kind !== 'Machine') return status;
  return [[], ['v1beta2'], ['deprecated', 'v1beta1']].reduce((all, path) => withoutConditions(all, path), status);
}

function withoutConditions(status: JsonObject, [name, ...path]: readonly string[]): JsonObject {
  if (name !== undefined) {
    const inner = recordAt(status, name);
    const after = withoutConditions(inner, path);
    return after === inner ? status : { ...status, [name]: after };
  }
  const { conditions } = status;
  if (!Array.isArray(conditions)) return status;
  const kept = conditions.filter(({ type }: JsonObject) => !VERDICTS.includes(type));
  return kept.length === conditions.length ? status : { ...status, conditions: kept };
}

/** The write of one status; none when nothing changes. */
function statusStep(
  { now, tools }: Inputs,
  { kind, slot }: { readonly slot: 'capi' | 'child'; readonly kind: Step['change']['kind'] },
  object: KubeObject,
  desired: JsonObject,
): Step | undefined {
  const status = withoutVerdicts(object, tools.statuses.mergeInto(object, desired, now));
  if (status === object['status']) return undefined;
  const change = { verb: 'patch', kind, before: object, after: { ...object, status }, subresource: 'status' } as const;
  return { slot, change };
}

/** The next write of a status in Cluster API. */
export function statusToClusterApi(inputs: Inputs): Step | undefined {
  const { capi, child, descriptor, mapi, now, surroundings, tools } = inputs;
  const { context } = surroundings;
  if (mapi === undefined || capi === undefined || context === undefined) return undefined;
  const desired = descriptor.statusToClusterApi(tools, mapi, { context, now });
  const own = statusStep(inputs, { slot: 'capi', kind: descriptor.clusterApi }, capi, desired.capi);
  if (own !== undefined || desired.child === undefined || child === undefined) return own;
  return statusStep(inputs, { slot: 'child', kind: tools.machines }, child, desired.child);
}

/** The status of the copy in Machine API, without what this operator reports there. */
export function statusInMachineApi(inputs: Inputs): JsonObject {
  const { capi, child, descriptor, mapi, now, surroundings, tools } = inputs;
  const { context } = surroundings;
  if (mapi === undefined || capi === undefined || context === undefined) return recordAt(mapi, 'status');
  const desired = descriptor.statusToMachineApi(tools, { capi, child }, { context, now });
  return tools.statuses.mergeInto(mapi, desired, now);
}
