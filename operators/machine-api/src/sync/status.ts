/** Status of a copy, carried after its spec. Conditions and fields of others stay. Pure. */
import type { JsonObject, KubeObject } from '@capstan/meta';
import { recordAt } from '../shared/model.js';
import type { Inputs, Step } from '../resource/inputs.js';

/** The write of one status; none when nothing changes. */
function statusStep(
  { now, tools }: Inputs,
  { kind, slot }: { readonly slot: 'capi' | 'child'; readonly kind: Step['change']['kind'] },
  object: KubeObject,
  desired: JsonObject,
): Step | undefined {
  const status = tools.statuses.mergeInto(object, desired, now);
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
