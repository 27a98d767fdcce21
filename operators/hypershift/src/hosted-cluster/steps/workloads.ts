import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import {
  accountUid,
  ALL_IS_WELL,
  COMPONENT_FINALIZER,
  CONTROL_PLANE_COMPONENTS,
  firstStatusDueMs,
  MIGRATION_REPLICAS_ANNOTATION,
} from '@capstan/hosting';
import type { Desired } from '@capstan/kube';
import type { ImageSource } from '@capstan/provider';
import { formatTime } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { SidecarInjection } from '../../sidecar/sidecar.js';
import { DEPLOYMENTS, SERVICE_ACCOUNTS } from '../../kinds.js';
import { componentStatus } from '../desired/components.js';
import { imageOf, imagePlaceText } from '../desired/images.js';
import type { ImagePlaces } from '../desired/images.js';
import {
  CAPI_PROVIDER,
  CLUSTER_API,
  capiProvider,
  clusterApi,
  controlPlaneOperator,
  neededImages,
  OWN_COMPONENTS,
} from '../desired/own-components.js';
import { deployment } from '../desired/workloads.js';
import type { Workload } from '../desired/workloads.js';
import { setFinding, requeueAfter } from '../state.js';
import type { Finding, State } from '../state.js';
import { hasClusterApi, programOf } from './foundations.js';

/** Whether the release has the images the programs are made of. */
export function releaseInfo(needed: readonly ImageSource[], places: ImagePlaces): Finding {
  const type = 'ValidReleaseInfo';
  const missing = needed.filter((source) => imageOf(source, places) === undefined).map(imagePlaceText);
  if (missing.length === 0) return { type, status: 'True', reason: 'AsExpected', message: ALL_IS_WELL };
  const message = `The release ${places.release.version} has no image for what is to run: name ${missing.join('; ')}`;
  return { type, status: 'False', reason: 'MissingReleaseImages', message };
}

/** The Deployments of this operator's own components; while the release cannot be looked up, they are kept as they are. */
export async function workloads(state: State): Promise<void> {
  const { hostedCluster, namespace, dependencies, release, converger } = state;
  if (release === undefined) return;
  const places: ImagePlaces = { hostedCluster, release, env: dependencies.env };
  const program = programOf(state);
  const info = releaseInfo(neededImages(program), places);
  setFinding(state, info);
  if (info.status === 'False') {
    state.incomplete = `${info.type} is false: ${info.message}`;
    return;
  }
  const wanted: Workload[] = [controlPlaneOperator(places)];
  if (hasClusterApi(state)) wanted.push(clusterApi(places));
  if (program !== undefined) wanted.push(capiProvider(program, places));
  for (const workload of wanted) {
    const before = await converger.find(DEPLOYMENTS, workload.name, namespace);
    const of = accountUid(await converger.find(SERVICE_ACCOUNTS, workload.name, namespace), before);
    const object = deployment(workload, { hostedCluster, namespace, release: release.pullSpec, accountUid: of });
    const desired = withKeptReplicas(withProxy(object, dependencies.sidecar), before);
    state.deployments.set(workload.name, await converger.ensure(DEPLOYMENTS, desired));
  }
  for (const name of [CLUSTER_API, CAPI_PROVIDER]) if (!state.deployments.has(name)) await retire(state, name);
}

/** With the proxy from the start where Cluster API is on private types: as the migration leaves it, so that nothing rolls. */
function withProxy(object: Desired, sidecar: SidecarInjection | undefined): Desired {
  if (sidecar === undefined) return object;
  const workload = { apiVersion: 'apps/v1', kind: DEPLOYMENTS.kind, ...object } as KubeObject;
  const { apiVersion: _, kind: __, ...desired } = sidecar.add(workload);
  return desired as Desired;
}

/** A migration that scales a Deployment down also scales it back. */
function withKeptReplicas(object: Desired, before: KubeObject | undefined): Desired {
  if (before?.metadata.annotations?.[MIGRATION_REPLICAS_ANNOTATION] === undefined) return object;
  const { replicas } = before['spec'] as { readonly replicas?: number };
  return { ...object, spec: { ...(object['spec'] as object), replicas } };
}

/** Deletes a component that is no longer needed while the cluster stays: it has nothing left to delete. */
async function retire({ namespace, converger }: State, name: string): Promise<void> {
  const there = await converger.find(DEPLOYMENTS, name, namespace);
  if (there === undefined) return;
  await converger.removeFinalizer(DEPLOYMENTS, there, COMPONENT_FINALIZER);
  await converger.delete(DEPLOYMENTS, there);
}

/** A ControlPlaneComponent with status for each of them, as the control plane operator writes for all others. */
export async function components(state: State): Promise<void> {
  const { controlPlane, deployments, namespace, nowMs, dependencies, release, converger } = state;
  if (release === undefined) return;
  const about = { controlPlane, now: formatTime(nowMs), version: release.version };
  for (const name of OWN_COMPONENTS) {
    const of = deployments.get(name);
    if (of === undefined) {
      await converger.ensureAbsent(CONTROL_PLANE_COMPONENTS, name, namespace);
      continue;
    }
    const wanted = { metadata: { name, namespace }, spec: {} };
    const component = await converger.ensure<ControlPlaneComponent>(CONTROL_PLANE_COMPONENTS, wanted);
    const status = componentStatus(of, component, about);
    const nowIsMs = dependencies.clock.now();
    const dueMs = firstStatusDueMs(component, status, nowIsMs);
    if (dueMs === undefined) await converger.ensureStatus(CONTROL_PLANE_COMPONENTS, component, status);
    else requeueAfter(state, dueMs - nowIsMs);
  }
}
