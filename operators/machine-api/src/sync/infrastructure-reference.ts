import { CLUSTER_API_MEMBER } from '@capstan/convert/machine-api';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { Descriptor } from '../descriptors/descriptor.js';
import { CONTROL_PLANE_MACHINE_SETS } from '../kinds.js';
import { recordAt } from '../shared/model.js';

/** The reference of a machine or a set of Cluster API to its infrastructure object. */
export function infrastructureReference(capi: KubeObject | undefined, child: Descriptor['child']): JsonObject {
  const member = capi?.kind === CONTROL_PLANE_MACHINE_SETS.kind ? [CLUSTER_API_MEMBER] : [];
  const template = child === 'template' ? ['template', ...member, 'spec'] : [];
  return recordAt(capi, 'spec', ...template, 'infrastructureRef');
}
