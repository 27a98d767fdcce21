import {
  nameIsPathSegment,
  validateBuiltInFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import { hasStrictFinalizers, nameValidatorOf } from './metadata.js';
import type { ServedResource } from './served-resource.js';

/*
 * The real server checks the metadata of an update once as that of any object, once as a change, and then lets the kind
 * check again what it likes. The sentence of the answer names each trouble once; its causes count them all.
 */

/** How often a kind repeats the checks of a new object and those of a change. */
type Repeats = readonly [asNew: number, asChange: number];

const AS_CHANGE: Repeats = [0, 1];
const AS_NEW: Repeats = [1, 0];
const BOTH: Repeats = [1, 1];

/** By group and plural; kinds not named repeat the checks of a change. */
const REPEATS: Readonly<Record<string, Repeats>> = {
  '/namespaces': BOTH,
  '/nodes': BOTH,
  '/configmaps': BOTH,
  '/secrets': BOTH,
  '/serviceaccounts': BOTH,
  '/pods': BOTH,
  '/endpoints': BOTH,
  '/persistentvolumeclaims': BOTH,
  '/persistentvolumes': [2, 0],
  '/limitranges': AS_NEW,
  '/events': [0, 0],
  'apps/controllerrevisions': BOTH,
  'batch/jobs': BOTH,
  'policy/poddisruptionbudgets': [0, 0],
  'networking.k8s.io/ingresses': BOTH,
  'networking.k8s.io/ingressclasses': BOTH,
  'discovery.k8s.io/endpointslices': AS_NEW,
  'node.k8s.io/runtimeclasses': BOTH,
  'rbac.authorization.k8s.io/roles': BOTH,
  'rbac.authorization.k8s.io/rolebindings': BOTH,
  'rbac.authorization.k8s.io/clusterroles': BOTH,
  'rbac.authorization.k8s.io/clusterrolebindings': BOTH,
  'storage.k8s.io/storageclasses': BOTH,
  'storage.k8s.io/csistoragecapacities': BOTH,
  'storage.k8s.io/csinodes': AS_NEW,
  'storage.k8s.io/volumeattachments': AS_NEW,
  'apiregistration.k8s.io/apiservices': BOTH,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': AS_NEW,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': AS_NEW,
  'admissionregistration.k8s.io/validatingadmissionpolicies': AS_NEW,
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': AS_NEW,
};

/** Status updates are checked as changes, but for these. */
const STATUS_REPEATS: Readonly<Record<string, Repeats>> = {
  'batch/cronjobs': [0, 0],
  'policy/poddisruptionbudgets': [0, 0],
};

function repeatsOf({ groupResource: { group, resource } }: ServedResource, subresource: string): Repeats {
  return (subresource === '' ? REPEATS : STATUS_REPEATS)[`${group}/${resource}`] ?? AS_CHANGE;
}

/** What is wrong with the metadata of an update, as often as the real server says it. */
export function updateMetadataErrors(
  served: ServedResource,
  subresource: string,
  next: KubeObject,
  old: KubeObject,
): FieldError[] {
  const { namespaced } = served.definition;
  const strict = hasStrictFinalizers(served);
  const asAny = validateObjectMeta(next.metadata, { namespaced, nameValidator: nameIsPathSegment });
  const asChange = validateObjectMetaUpdate(next.metadata, old.metadata);
  const finalizers = strict ? validateBuiltInFinalizers(next.metadata.finalizers, 'metadata.finalizers') : [];
  if (asAny.length === 0 && asChange.length === 0 && finalizers.length === 0) return asAny;
  const [newRepeats, changeRepeats] = repeatsOf(served, subresource);
  const asNew = validateObjectMeta(next.metadata, {
    namespaced,
    nameValidator: nameValidatorOf(served.strategy, next),
  });
  const errors = [...asAny, ...asChange];
  for (let i = 0; i < changeRepeats; i++) errors.push(...asChange, ...finalizers);
  for (let i = 0; i < newRepeats; i++) errors.push(...asNew, ...finalizers);
  return errors;
}
