import { CLUSTERS, COMPONENT_LABEL } from '@capstan/hosting';
import { exactly } from '@capstan/kube';
import type { Desired } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { HostedClusterInputs, InfrastructureCluster } from '@capstan/provider';
import { kindOfObject } from '../../kinds.js';
import { capiCluster, infrastructureCluster, infrastructureName } from '../desired/cluster-api.js';
import { CAPI_PROVIDER } from '../desired/own-components.js';
import { setFinding, inputsOf } from '../state.js';
import type { State } from '../state.js';
import { programOf } from './foundations.js';

const COMMON_FIELDS: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

/** An object of a platform, as it is to be. */
function wantedOf(object: KubeObject): Desired {
  const { annotations, labels, name = '', namespace } = object.metadata;
  const fields = Object.fromEntries(Object.entries(object).filter(([field]) => !COMMON_FIELDS.has(field)));
  const exact = 'data' in fields ? { ...fields, data: exactly(fields['data']) } : fields;
  return { ...exact, metadata: { name, namespace, labels, annotations } };
}

async function ensureAll({ platform, converger }: State, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects)
    await converger.ensure(kindOfObject(object, platform?.companionKinds), wantedOf(object));
}

/** Secrets of the platform, and other objects that its provider needs before it runs. */
export async function credentials(state: State): Promise<void> {
  const { platform } = state;
  if (platform === undefined) return;
  await ensureAll(state, platform.credentials(inputsOf(state)));
  await ensureAll(state, (programOf(state)?.objects ?? []).map(ofProgram));
}

/** Objects in the control plane namespace are cached only with the label of their component. */
function ofProgram(object: KubeObject): KubeObject {
  const labels = { ...object.metadata.labels, [COMPONENT_LABEL]: CAPI_PROVIDER };
  return { ...object, metadata: { ...object.metadata, labels } };
}

/** The infrastructure cluster, and the Cluster that refers to it. */
export async function clusterApiObjects(state: State): Promise<void> {
  const { cluster } = state.platform ?? {};
  if (cluster === undefined) return;
  const inputs = inputsOf(state);
  const reason = cluster.notYet?.(inputs);
  if (reason !== undefined) return setFinding(state, waiting(reason));
  await ensureAll(state, cluster.companions?.(inputs) ?? []);
  await infrastructure(state, cluster, inputs);
  const { hostedCluster, namespace, converger } = state;
  const isThere = (await converger.find(CLUSTERS, inputs.infraID, namespace)) !== undefined;
  const reference = { kind: cluster.kind, name: infrastructureName(cluster, inputs) };
  await converger.ensure(CLUSTERS, capiCluster(hostedCluster, reference, { isThere, namespace }));
}

function waiting(message: string): Parameters<typeof setFinding>[1] {
  return { type: 'InfrastructureReady', status: 'False', reason: 'WaitingOnInfrastructureReady', message };
}

async function infrastructure(
  state: State,
  cluster: InfrastructureCluster,
  inputs: HostedClusterInputs,
): Promise<void> {
  const { converger } = state;
  const object = await converger.ensure(cluster.kind, infrastructureCluster(cluster, inputs));
  // No controller sets it: Cluster API takes an externally managed cluster as ready when its status is.
  if (cluster.isExternal) await converger.ensureStatus(cluster.kind, object, { ready: true });
}
