import type { ControlPlaneComponent, HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { ALL_IS_WELL, availabilityOf, reconciliationActive, ROLLOUT_STUCK_REASON } from '@capstan/hosting';
import type { Pause, Workload } from '@capstan/hosting';
import { cutList, cutText, getCondition, isConditionTrue, MAX_CONDITION_MESSAGE } from '@capstan/meta';
import type { ConditionUpdate } from '@capstan/meta';
import { KEYS_REGENERATED_ANNOTATION } from '../pki/kept-keys.js';
import type { ReleaseError } from '@capstan/release';
import type { PublishedRoutes } from '../services/decide.js';

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
  /** The components of this control plane, as far as they are known; undefined before they were reconciled. */
  readonly components: readonly ControlPlaneComponent[] | undefined;
  /** Whether it has been available before. */
  readonly wasAvailable: boolean;
  readonly namespace: string;
  /** Secrets of keys that were lost and regenerated. */
  readonly regenerated: readonly string[];
  /** Whether the condition was set before. */
  readonly wereRegenerated: boolean;
}

/** The condition for lost keys; present only once some were lost. */
export const KEYS_KEPT = 'ControlPlaneKeysKept';
/** As many are named, the rest is counted. */
const MOST_NAMED = 2;

type Update = Omit<ConditionUpdate, 'observedGeneration'>;

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
    active(findings),
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
function keysKept({ regenerated, namespace, wereRegenerated }: Findings): readonly Update[] {
  if (regenerated.length === 0) return wereRegenerated ? [good(KEYS_KEPT)] : [];
  const more = regenerated.length - MOST_NAMED;
  const named = `${regenerated.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  const message = `Secrets ${named} of ${namespace} were lost and regenerated, nodes stay NotReady: restore their data or replace all machines, then remove annotation ${KEYS_REGENERATED_ANNOTATION}`;
  return [bad(KEYS_KEPT, 'KeysRegenerated', message)];
}

/** Whether there can be the routes that the spec asks for. Nothing waits for them: inside, all is reached by its Service. */
function routesPublished({ routes }: Pick<Findings, 'routes'>): readonly Update[] {
  const type = 'RoutesPublished';
  if (routes === undefined) return [];
  if (routes.areServed) return [good(type)];
  const services = routes.services.toSorted().join(', ');
  const message = `${services}: to be published by routes, which this management cluster does not have (route.openshift.io): they are reached inside of it alone; install a router with its CRDs, or create the cluster again with LoadBalancer or NodePort in spec.services`;
  return [bad(type, 'RouteAPINotServed', message)];
}

/** Whether reconciliation goes on. */
export function active({ pause, spec }: Pick<Findings, 'pause' | 'spec'>): Update {
  return reconciliationActive(pause, spec.pausedUntil);
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
    : bad(type, 'InvalidConfiguration', joinedText(invalid));
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
    return bad(type, 'ComponentsNotAvailable', listed('Waiting for components to be available', absent));
  return good(type, '');
}

function listed(what: string, names: readonly string[]): string {
  return `${what}: ${cutList(names, MAX_CONDITION_MESSAGE - what.length - 2)}`;
}

function unavailable(components: readonly ControlPlaneComponent[]): readonly string[] {
  return components
    .filter(({ status }) => !isConditionTrue(status?.conditions, 'Available'))
    .map(({ metadata }) => metadata.name ?? '')
    .toSorted();
}

/** Why a component reports that its rollout needs help. */
const FAILURES: ReadonlySet<string> = new Set(['ReconciliationError', ROLLOUT_STUCK_REASON]);

/** All of them where they fit, else the first and how many there are besides. */
function joinedText(messages: readonly string[]): string {
  const whole = messages.join('; ');
  if (whole.length <= MAX_CONDITION_MESSAGE || messages.length === 1) return cutText(whole);
  const rest = `; and ${messages.length - 1} more`;
  return `${cutText(messages[0] ?? '', MAX_CONDITION_MESSAGE - rest.length)}${rest}`;
}

function degradedReason(failing: readonly { readonly reason: string }[]): string {
  if (failing.length === 0) return 'ComponentsNotAvailable';
  return failing.some(({ reason }) => reason !== ROLLOUT_STUCK_REASON) ? 'ReconcileError' : ROLLOUT_STUCK_REASON;
}

/** A component that served is missing, cannot be created, or does not roll out. */
function degraded({ components = [], wasAvailable }: Findings): Update {
  const type = 'Degraded';
  const failing = components.flatMap(({ metadata, status }) => {
    const { message = '', reason = '' } = getCondition(status?.conditions, 'RolloutComplete') ?? {};
    return FAILURES.has(reason) ? [{ reason, text: `${metadata.name ?? ''}: ${message}` }] : [];
  });
  const absent = wasAvailable ? unavailable(components) : [];
  const messages = [
    ...failing.map(({ text }) => text),
    ...(absent.length === 0 ? [] : [listed('not available', absent)]),
  ];
  if (messages.length === 0)
    return { type, status: 'False', reason: 'AsExpected', message: 'The hosted control plane is not degraded' };
  return {
    type,
    status: 'True',
    reason: degradedReason(failing),
    message: joinedText(messages),
  };
}
