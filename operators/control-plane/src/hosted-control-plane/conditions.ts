import type { ControlPlaneComponent, HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { getCondition, isConditionTrue } from '@capstan/meta';
import type { ConditionUpdate } from '@capstan/meta';
import { MADE_ANEW_ANNOTATION } from '../pki/kept-keys.js';
import type { ReleaseError } from '@capstan/release';
import { availabilityOf } from '../component/rollout.js';
import type { Workload } from '../component/rollout.js';
import type { PublishedRoutes } from '../services/reconcile.js';
import type { Pause } from './paused.js';

/** What a reconciliation has found out, as far as conditions speak of it. */
export interface Findings {
  readonly spec: Pick<HostedControlPlaneSpec, 'etcd' | 'pausedUntil'>;
  readonly pause: Pause;
  readonly releaseError: ReleaseError | undefined;
  /** What the user has to change. */
  readonly invalid: readonly string[];
  /** What is published by routes; undefined where nothing is. */
  readonly routes?: PublishedRoutes | undefined;
  /** Addresses that are not there yet. */
  readonly waitingFor: readonly string[];
  readonly etcd: Workload | undefined;
  readonly apiServer: Workload | undefined;
  readonly hasKubeconfig: boolean;
  /** The components of this control plane, as far as they are known; undefined before that is told. */
  readonly components: readonly ControlPlaneComponent[] | undefined;
  /** Whether it has been available before. */
  readonly wasAvailable: boolean;
  readonly namespace: string;
  /** Secrets of keys that were lost and made anew. */
  readonly madeAnew: readonly string[];
  /** Whether that was said before of any. */
  readonly wasMadeAnew: boolean;
}

/** The condition that tells of lost keys; there only once some were. */
export const KEYS_KEPT = 'ControlPlaneKeysKept';
/** As many are named, the rest is counted. */
const MOST_NAMED = 2;

type Update = Omit<ConditionUpdate, 'observedGeneration'>;

const ALL_IS_WELL = 'All is well';

function good(type: string, message = ALL_IS_WELL): Update {
  return { type, status: 'True', reason: 'AsExpected', message };
}

function bad(type: string, reason: string, message: string): Update {
  return { type, status: 'False', reason, message };
}

/** The conditions of a HostedControlPlane that this operator writes. */
export function conditionsOf(findings: Findings): readonly Update[] {
  const infrastructure = infrastructureReady(findings);
  const etcd = etcdAvailable(findings);
  const apiServer = apiServerAvailable(findings);
  return [
    reconciliationActive(findings),
    validReleaseInfo(findings),
    validConfiguration(findings),
    ...routesPublished(findings),
    ...keysKept(findings),
    infrastructure,
    etcd,
    apiServer,
    available(findings, [infrastructure, etcd, apiServer]),
    degraded(findings),
  ];
}

/** Whether those who trust the control plane still can. */
function keysKept({ madeAnew, namespace, wasMadeAnew }: Findings): readonly Update[] {
  if (madeAnew.length === 0) return wasMadeAnew ? [good(KEYS_KEPT)] : [];
  const more = madeAnew.length - MOST_NAMED;
  const named = `${madeAnew.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const message = `Secrets ${named} of ${namespace} are lost and made anew, nodes stay NotReady: put back their data or replace all machines, then remove annotation ${MADE_ANEW_ANNOTATION}`;
  return [bad(KEYS_KEPT, 'KeysMadeAnew', message)];
}

/** Whether there can be the routes that the spec asks for. Nothing waits for them: inside, all is reached by its Service. */
function routesPublished({ routes }: Pick<Findings, 'routes'>): readonly Update[] {
  const type = 'RoutesPublished';
  if (routes === undefined) return [];
  if (routes.areServed) return [good(type)];
  const services = routes.services.toSorted().join(', ');
  const message = `${services}: to be published by routes, which this management cluster does not have (route.openshift.io): they are reached inside of it alone; install a router with its definitions, or make the cluster anew with LoadBalancer or NodePort in spec.services`;
  return [bad(type, 'RouteAPINotServed', message)];
}

/** Whether reconciliation goes on. */
export function reconciliationActive({ pause, spec }: Pick<Findings, 'pause' | 'spec'>): Update {
  const type = 'ReconciliationActive';
  if (pause.isPaused)
    return bad(type, 'ReconciliationPaused', `Reconciliation paused until: ${spec.pausedUntil ?? 'true'}`);
  if (pause.problem !== undefined)
    return { type, status: 'True', reason: 'InvalidPausedUntilValue', message: pause.problem };
  return good(type, 'Reconciliation active on resource');
}

function validReleaseInfo({ releaseError }: Findings): Update {
  const type = 'ValidReleaseInfo';
  if (releaseError === undefined) return good(type);
  if (!releaseError.isTransient) return bad(type, 'InvalidImage', releaseError.message);
  return { type, status: 'Unknown', reason: 'StatusUnknown', message: releaseError.message };
}

function validConfiguration({ invalid }: Findings): Update {
  const type = 'ValidHostedControlPlaneConfiguration';
  return invalid.length === 0
    ? good(type, 'Configuration passes validation')
    : bad(type, 'InvalidConfiguration', invalid.join('; '));
}

function infrastructureReady({ waitingFor }: Findings): Update {
  const type = 'InfrastructureReady';
  if (waitingFor.length === 0) return good(type);
  return bad(type, 'WaitingOnInfrastructureReady', `Waiting for ${waitingFor.join('; ')}`);
}

function etcdAvailable({ etcd, spec }: Findings): Update {
  const type = 'EtcdAvailable';
  if (spec.etcd.managementType !== 'Managed')
    return {
      ...good(type, 'Etcd cluster is assumed to be running in unmanaged state'),
      reason: 'UnmanagedEtcdAsExpected',
    };
  if (etcd === undefined) return bad(type, 'StatefulSetNotFound', 'Etcd statefulset not found');
  const replicas = etcd.spec?.replicas ?? 1;
  const ready = etcd.status?.readyReplicas ?? 0;
  if (replicas > 0 && ready >= Math.floor(replicas / 2) + 1) return { ...good(type, ''), reason: 'QuorumAvailable' };
  return bad(
    type,
    'EtcdWaitingForQuorum',
    `Waiting for etcd to reach quorum: ${ready} of ${replicas} members are ready`,
  );
}

function apiServerAvailable({ apiServer }: Findings): Update {
  const type = 'KubeAPIServerAvailable';
  if (apiServer === undefined) return bad(type, 'NotFound', 'Kube APIServer deployment not found');
  const found = availabilityOf(apiServer);
  return found.status === 'True'
    ? good(type, 'Kube APIServer deployment is available')
    : bad(type, 'WaitingForAvailable', 'Waiting for Kube APIServer deployment to become available');
}

/** The first time all components must serve; from then on those without which nobody is served. */
function available(findings: Findings, needed: readonly Update[]): Update {
  const type = 'Available';
  const { components, hasKubeconfig, wasAvailable } = findings;
  const missing = needed.find(({ status }) => status !== 'True');
  if (missing !== undefined) return bad(type, missing.reason, missing.message);
  if (!hasKubeconfig)
    return bad(type, 'KubeconfigWaitingForCreate', 'Waiting for hosted control plane kubeconfig to be created');
  if (wasAvailable) return good(type, '');
  if (components === undefined)
    return bad(type, 'StatusUnknown', 'The components of the control plane are not known yet');
  const absent = unavailable(components);
  if (absent.length > 0)
    return bad(type, 'ComponentsNotAvailable', `Waiting for components to be available: ${absent.join(', ')}`);
  return good(type, '');
}

function unavailable(components: readonly ControlPlaneComponent[]): readonly string[] {
  return components
    .filter(({ status }) => !isConditionTrue(status?.conditions, 'Available'))
    .map(({ metadata }) => metadata.name ?? '')
    .toSorted();
}

/** Something that was there is missing, or cannot be made. */
function degraded({ components = [], wasAvailable }: Findings): Update {
  const type = 'Degraded';
  const failing = components.flatMap(({ metadata, status }) => {
    const rollout = getCondition(status?.conditions, 'RolloutComplete');
    return rollout?.reason === 'ReconciliationError' ? [`${metadata.name ?? ''}: ${rollout.message}`] : [];
  });
  const absent = wasAvailable ? unavailable(components) : [];
  const messages = [...failing, ...(absent.length === 0 ? [] : [`not available: ${absent.join(', ')}`])];
  if (messages.length === 0)
    return { type, status: 'False', reason: 'AsExpected', message: 'The hosted control plane is not degraded' };
  return {
    type,
    status: 'True',
    reason: failing.length > 0 ? 'ReconcileError' : 'ComponentsNotAvailable',
    message: messages.join('; '),
  };
}
