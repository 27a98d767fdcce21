/** Sets of control plane machines: one kind for both APIs, whose template names machines of the one or of the other. */
import type { Conversion } from '@capstan/convert/machine-api';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { CONTROL_PLANE_MACHINE_SETS } from '../kinds.js';
import { recordAt } from '../shared/model.js';
import type { Descriptor } from './descriptor.js';

const COUNTS = ['replicas', 'readyReplicas', 'updatedReplicas', 'unavailableReplicas'] as const;
/** What the operator of the set reports; Paused and Synchronized are of one copy. */
const CONDITIONS: readonly unknown[] = ['Available', 'Degraded', 'Progressing'];

/** The generation is one of the copy that was observed. */
function withoutGeneration(condition: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(condition).filter(([name]) => name !== 'observedGeneration'));
}

/** The status that both copies have. */
export function controlPlaneStatus(set: KubeObject): JsonObject {
  const status = recordAt(set, 'status');
  const found = status['conditions'];
  const conditions = Array.isArray(found)
    ? (found as JsonObject[]).filter(({ type }) => CONDITIONS.includes(type)).map(withoutGeneration)
    : [];
  const counts = COUNTS.flatMap((name) => (status[name] === undefined ? [] : [[name, status[name]] as const]));
  return { ...Object.fromEntries(counts), ...(conditions.length === 0 ? {} : { conditions }) };
}

/** Both copies have one kind and one name: the namespace is what distinguishes them. */
function inNamespace(conversion: Conversion, namespace: string): Conversion {
  const objects = conversion.objects.map((object) =>
    object['kind'] === CONTROL_PLANE_MACHINE_SETS.kind
      ? { ...object, metadata: { ...recordAt(object, 'metadata'), namespace } }
      : object,
  );
  return { ...conversion, objects };
}

export const controlPlaneDescriptor: Descriptor = {
  kind: 'ControlPlaneMachineSet',
  machineApi: CONTROL_PLANE_MACHINE_SETS,
  clusterApi: CONTROL_PLANE_MACHINE_SETS,
  child: 'template',
  finalizers: {},
  toClusterApi: ({ converter }, source, context) =>
    inNamespace(converter.toClusterApi(source, context), context.namespaces.clusterApi),
  toMachineApi: ({ converter }, { capi, child = { apiVersion: '', kind: '', metadata: {} } }, context) =>
    inNamespace(converter.toMachineApi({ set: capi, template: child }, context), context.namespaces.machineApi),
  statusToClusterApi: (_tools, source) => ({ capi: controlPlaneStatus(source) }),
  statusToMachineApi: (_tools, { capi }) => controlPlaneStatus(capi),
};
