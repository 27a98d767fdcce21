/** The number of machines of a set, which an autoscaler may change on either copy. Pure. */
import type { KubeObject, ManagedFieldsEntry } from '@capstan/meta';
import { recordAt } from '../shared/model.js';
import type { Authored, Authority } from '../shared/model.js';
import type { Inputs, Progress } from '../resource/inputs.js';

/** Clients whose change of a copy is one of the resource. */
const SCALERS: readonly string[] = ['cluster-autoscaler'];

function ownsReplicas({ fieldsV1 }: ManagedFieldsEntry): boolean {
  return 'f:replicas' in recordAt(fieldsV1 as Record<string, unknown> | undefined, 'f:spec');
}

/** Whether the number was last written through `/scale`, or by an autoscaler. */
function isScaled({ metadata }: KubeObject): boolean {
  const entries = metadata.managedFields?.filter(ownsReplicas) ?? [];
  return entries.some(({ manager = '', subresource }) => subresource === 'scale' || SCALERS.includes(manager));
}

const replicasOf = (object: KubeObject): unknown => recordAt(object, 'spec')['replicas'];

/** Whether the authority is as it was when both were last synchronised. */
function isUnchanged({ status }: Authored, own: KubeObject, source: Authority): boolean {
  return status?.synchronizedAPI === source && status.synchronizedGeneration === own.metadata.generation;
}

/**
 * Carries a number that was set on the copy to the authority. Where the authority has changed since both were last
 * synchronised, its number counts: then the copy was scaled from a number that is out of date.
 */
export function replicasStep({ capi, descriptor, mapi }: Inputs, source: Authority): Progress | undefined {
  if (descriptor.kind !== 'MachineSet' || mapi === undefined || capi === undefined) return undefined;
  const [own, copy] = source === 'MachineAPI' ? [mapi, capi] : [capi, mapi];
  const replicas = replicasOf(copy);
  if (typeof replicas !== 'number' || replicas === replicasOf(own) || !isScaled(copy)) return undefined;
  if (!isUnchanged(mapi, own, source)) return undefined;
  const kind = source === 'MachineAPI' ? descriptor.machineApi : descriptor.clusterApi;
  const after = { ...own, spec: { ...recordAt(own, 'spec'), replicas } };
  return {
    step: { slot: source === 'MachineAPI' ? 'mapi' : 'capi', change: { verb: 'patch', kind, before: own, after } },
  };
}
