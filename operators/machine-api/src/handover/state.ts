/** The state of a handover, read off the copies. Pure. */
import type { JsonObject, KubeObject } from '@capstan/meta';
import { CLUSTER_API_FINALIZER, CLUSTER_API_SET_FINALIZER, MACHINE_API_FINALIZER } from '../names.js';
import {
  findCondition,
  isPausedByClusterApi,
  isPausedByMachineApi,
  PAUSED,
  SYNCHRONIZED,
} from '../shared/conditions.js';
import { hasAny, isOfProvider, providerFinalizer } from '../shared/finalizers.js';
import { isDeleting, recordAt, sourceOf, wantedAuthority } from '../shared/model.js';
import type { Authored, Authority } from '../shared/model.js';
import { hasOwnPause, hasPause } from '../shared/pause.js';
import type { Inputs } from '../resource/inputs.js';
import type { HandoverState } from './decide.js';
import { hostConsumer } from './host.js';

/** The objects on which Cluster API's controllers and providers act. */
export function actedOn({
  capi,
  child,
  descriptor,
}: Pick<Inputs, 'capi' | 'child' | 'descriptor'>): readonly KubeObject[] {
  return [capi, descriptor.child === 'machine' ? child : undefined].filter((each) => each !== undefined);
}

/** The finalizers that each object must have before its controllers may act. */
export function controllerFinalizers(object: KubeObject): readonly string[] {
  const [group = ''] = object.apiVersion.split('/');
  if (group === 'machine.openshift.io') return object.kind === 'Machine' ? [MACHINE_API_FINALIZER] : [];
  if (group !== 'cluster.x-k8s.io') return [providerFinalizer(object.kind)];
  if (object.kind === 'Machine') return [CLUSTER_API_FINALIZER];
  return object.kind === 'MachineSet' ? [CLUSTER_API_SET_FINALIZER] : [];
}

/** Undefined where there is no object in Machine API, or no authority yet. */
export function handoverState(inputs: Inputs, isAgreed: () => boolean): HandoverState | undefined {
  const { capi, child, descriptor, mapi } = inputs;
  const from = mapi === undefined ? undefined : sourceOf(mapi);
  if (mapi === undefined || from === undefined) return undefined;
  const objects = actedOn(inputs);
  const current = mapi.status?.authoritativeAPI as HandoverState['current'];
  return {
    wanted: wantedAuthority(mapi),
    current,
    from,
    isDeleting: isDeleting(mapi) || isDeleting(capi),
    isWhole: capi !== undefined && (descriptor.child !== 'machine' || child !== undefined),
    isSynchronized: current === 'Migrating' ? isAgreed() : isReported(mapi, capi, current),
    isMachineApiPaused: isPausedByMachineApi(mapi),
    clusterApi: {
      isHeld: objects.every(hasPause),
      hasOwnPause: objects.some(hasOwnPause),
      isPaused: objects.every(isPausedByClusterApi),
      isReportStale: objects.some((each) => !hasPause(each) && isPausedByClusterApi(each)),
      // The operator of control planes may know the namespace of Machine API alone: then nobody would act.
      isWatched: descriptor.kind !== 'ControlPlaneMachineSet' || objects.every(isPausedByClusterApi),
    },
    instance: descriptor.kind === 'Machine' ? instanceOf(inputs, from) : 'settled',
    host: hostConsumer(inputs),
    finalizers: {
      MachineAPI: finalizersOn([mapi], (each) => each === MACHINE_API_FINALIZER),
      ClusterAPI: finalizersOn(objects, isOfProvider),
    },
  };
}

function finalizersOn(
  objects: readonly KubeObject[],
  isOne: (finalizer: string) => boolean,
): { all: boolean; any: boolean } {
  const has = (object: KubeObject): boolean =>
    controllerFinalizers(object).every((each) => object.metadata.finalizers?.includes(each) === true);
  return { all: objects.every(has), any: objects.some((each) => hasAny(each, isOne)) };
}

/** Whether the report of the last synchronisation is of the generation there is. */
function isReported(mapi: Authored, capi: KubeObject | undefined, current: Authority): boolean {
  const { synchronizedAPI, synchronizedGeneration } = mapi.status ?? {};
  const { generation } = (current === 'MachineAPI' ? mapi : capi)?.metadata ?? {};
  return (
    findCondition(mapi, SYNCHRONIZED)?.status === 'True' &&
    synchronizedAPI === current &&
    synchronizedGeneration === generation
  );
}

/** An instance may have been asked for that nobody could find by this machine's spec. */
function instanceOf(inputs: Inputs, from: Authority): HandoverState['instance'] {
  return from === 'MachineAPI' ? inMachineApi(inputs.mapi) : inClusterApi(inputs);
}

const isSet = (value: unknown): boolean => typeof value === 'string' && value !== '';

function inMachineApi(mapi: Authored | undefined): HandoverState['instance'] {
  if (isSet(mapi?.spec?.['providerID'])) return 'settled';
  const phase = mapi?.status?.['phase'];
  if (phase === 'Failed') return 'failed';
  return isSet(phase) ? 'pending' : 'settled';
}

/** Providers report a condition about the instance before they ask for one. */
function inClusterApi({ capi, child }: Inputs): HandoverState['instance'] {
  if (isSet(recordAt(capi, 'spec')['providerID']) || isSet(recordAt(child, 'spec')['providerID'])) return 'settled';
  const status = recordAt(child, 'status');
  const reported = [status['conditions'], recordAt(status, 'v1beta2')['conditions']].some(
    (each) => Array.isArray(each) && each.some(({ type }: JsonObject) => type !== PAUSED),
  );
  return reported ? 'pending' : 'settled';
}
