import { apiErrors } from '@capstan/meta';
import type { KubeObject, UserInfo } from '@capstan/meta';
import { SIGNING_REQUESTS, signerFault, subjectFault } from './certificates.js';
import { claimLimitFaults, defaultPodResources, podLimitFaults } from './limit-ranger.js';
import { defaultClass, secondDefault, setPriority } from './priority.js';
import { overheadFault, setRuntime } from './runtime-class.js';
import { addDefaultTolerations, addNotReadyTaint, addProtectionFinalizer, keepPriority } from '../../builtin/index.js';
import { fields, text } from '../../builtin/shared/json.js';
import type { Authorizer } from '../../auth/access.js';
import type { Core } from '../core.js';
import type { Flow } from '../effects.js';
import type { ServedResource } from '../served-resource.js';
import { admitServiceAccount } from './service-account.js';

/** Where built-in plug-ins look: the resource that is written, and what else is stored. */
interface Scope {
  readonly core: Core;
  readonly served: ServedResource;
  readonly subresource: string;
  /** Absent for what the server itself writes, which may do everything. */
  readonly user?: UserInfo | undefined;
  readonly authorize?: Authorizer | undefined;
}

const PODS = '/pods';
const CLAIMS = '/persistentvolumeclaims';
const PRIORITY_CLASSES = 'scheduling.k8s.io/priorityclasses';
const RUNTIME_CLASSES = 'node.k8s.io/runtimeclasses';

function refuse({ groupResource }: ServedResource, { metadata }: KubeObject, reason: string | undefined): void {
  if (reason === undefined) return;
  throw apiErrors.forbidden(groupResource, metadata.name || metadata.generateName || 'Unknown', reason);
}

function stored(core: Core, partition: string, namespace?: string): KubeObject[] {
  if (core.store.count(partition) === 0) return [];
  const { items } = core.store.list(partition, namespace === undefined ? {} : { namespace });
  return items.map((item) => item.object());
}

function limitRanges(core: Core, { metadata: { namespace = '' } }: KubeObject): KubeObject[] {
  return stored(core, '/limitranges', namespace);
}

function admitPriority(core: Core, served: ServedResource, pod: KubeObject): void {
  const name = text(fields(pod['spec'])['priorityClassName']);
  const found =
    name === '' ? defaultClass(stored(core, PRIORITY_CLASSES)) : core.store.get(PRIORITY_CLASSES, '', name)?.object();
  if (name !== '' && found === undefined) refuse(served, pod, `no PriorityClass with name ${name} was found`);
  refuse(served, pod, setPriority(pod, found));
}

/** The class a pod names; undefined where it names none. */
function runtimeClassOf(core: Core, served: ServedResource, pod: KubeObject): KubeObject | undefined {
  const name = fields(pod['spec'])['runtimeClassName'];
  if (name === undefined) return undefined;
  const found = core.store.get(RUNTIME_CLASSES, '', text(name))?.object();
  if (found === undefined) refuse(served, pod, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  return found;
}

/** In the order in which a real server asks them. */
function* admitPod(core: Core, served: ServedResource, pod: KubeObject): Flow<void> {
  defaultPodResources(limitRanges(core, pod), pod);
  yield* admitServiceAccount(core, served, pod);
  admitPriority(core, served, pod);
  addDefaultTolerations(pod);
  const runtimeClass = runtimeClassOf(core, served, pod);
  if (runtimeClass !== undefined) refuse(served, pod, setRuntime(pod, runtimeClass));
}

/** The admission plug-ins a real server runs by default and that change objects on create, by partition of the store. */
const PLUGINS: Readonly<Record<string, (object: KubeObject) => void>> = {
  '/nodes': addNotReadyTaint,
  [CLAIMS]: addProtectionFinalizer,
  '/persistentvolumes': addProtectionFinalizer,
};

/** Lets the built-in admission plug-ins see an object to be created. */
export function* admitBuiltin(core: Core, served: ServedResource, object: KubeObject): Flow<void> {
  if (served.custom?.isTerminating === true) {
    const reason = 'create not allowed while custom resource definition is terminating';
    throw apiErrors.forbidden(served.groupResource, object.metadata.name ?? '', reason);
  }
  if (served.storage === PODS) yield* admitPod(core, served, object);
  else PLUGINS[served.storage]?.(object);
}

/** Lets those that look at updates too see an object that is about to change. */
export function admitBuiltinUpdate({ core, served, subresource }: Scope, object: KubeObject, old: KubeObject): void {
  if (served.storage !== PODS) return;
  if (subresource === '') {
    addDefaultTolerations(object);
    keepPriority(object, old);
  } else if (subresource === 'resize' && old.metadata.deletionTimestamp == null) {
    defaultPodResources(limitRanges(core, old), object);
  }
}

/** Lets those that only look see an object as it would be stored. */
export function validateBuiltin(scope: Scope, object: KubeObject, old: KubeObject | undefined): void {
  const { core, served, subresource } = scope;
  const isNew = old === undefined;
  if (served.storage === PODS) {
    if (isNew || subresource === 'resize') refuseLimits(scope, object, old);
    if (isNew) refuse(served, object, overheadFault(object, runtimeClassOf(core, served, object)));
  } else if (served.storage === SIGNING_REQUESTS) {
    refuse(served, object, requestFault(scope, object, old));
  } else if (subresource !== '') {
    return;
  } else if (served.storage === CLAIMS) {
    refuseLimits(scope, object, old);
  } else if (served.storage === PRIORITY_CLASSES) {
    refuse(served, object, secondDefault(stored(core, PRIORITY_CLASSES), object, isNew));
  }
}

/** Why a certificate request may not be made so, or not be decided on by this user. */
function requestFault(scope: Scope, request: KubeObject, old: KubeObject | undefined): string | undefined {
  const { authorize, subresource, user } = scope;
  if (old === undefined) return subjectFault(request);
  if (user === undefined || authorize === undefined) return undefined;
  return signerFault({ user, authorize }, subresource, request, old);
}

/** What is being deleted may be what it is. */
function refuseLimits({ core, served }: Scope, object: KubeObject, old: KubeObject | undefined): void {
  if (old !== undefined && old.metadata.deletionTimestamp != null) return;
  const faultsOf = served.storage === PODS ? podLimitFaults : claimLimitFaults;
  for (const limitRange of limitRanges(core, object)) {
    const faults = [...new Set(faultsOf(limitRange, object))];
    if (faults.length > 0) refuse(served, object, faults.length === 1 ? faults[0] : `[${faults.join(', ')}]`);
  }
}
