import { deepEqual } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { healthCheckToClusterApi, MachineConverter } from '@capstan/convert/machine-api';
import type { MachineContext, MachinePlatform } from '@capstan/convert/machine-api';
import type { SimulationState } from '@capstan/simulation';

/** Whether two forms of a resource become the same in Cluster API, and have the same labels. */
export function sameMeaning(
  platform: MachinePlatform,
  context: MachineContext,
): (one: KubeObject, other: KubeObject) => boolean {
  const converter = new MachineConverter(platform);
  const converted = (object: KubeObject): unknown => {
    const { errors, objects } =
      object.kind === 'MachineHealthCheck'
        ? healthCheckToClusterApi(object, context)
        : converter.toClusterApi(object, context);
    // What cannot be converted is compared as it is.
    return errors.length > 0 ? object : objects;
  };
  return (one, other) =>
    deepEqual(one.metadata.labels, other.metadata.labels) && deepEqual(converted(one), converted(other));
}

/** What surrounds the machines of a copy. */
export function contextIn(
  state: SimulationState,
  { cluster }: MachinePlatform,
  namespaces: MachineContext['namespaces'],
): MachineContext {
  const [infrastructure] = state.of('config.openshift.io/infrastructures');
  const { infrastructureName: clusterName = '' } = (infrastructure?.['status'] ?? {}) as JsonObject & {
    readonly infrastructureName?: string;
  };
  const all = state.of(`${cluster.kind.group}/${cluster.kind.plural}`);
  return {
    clusterName,
    namespaces,
    infrastructure,
    infrastructureCluster: all.find(({ metadata }) => metadata.name === clusterName),
  };
}
