import {
  nameIsPathSegment,
  validateBuiltInFinalizers,
  validateObjectMeta,
  validateObjectMetaUpdate,
  pushAll,
} from '@capstan/meta';
import type { FieldError, KubeObject, ObjectMeta } from '@capstan/meta';
import { hasStrictFinalizers, nameValidatorOf } from './metadata.js';
import type { ServedResource } from './served-resource.js';

/*
 * The real server checks the metadata of an update once as that of any object, once as a change, and then lets the kind
 * check again what it likes. The sentence of the answer names each trouble once; its causes count them all.
 */

/** The checks a kind repeats, in its order; `within` where it places them among its own complaints. */
type Repeats = readonly ('new' | 'change')[] | 'within';

const NONE: Repeats = [];
const AS_CHANGE: Repeats = ['change'];
const AS_NEW: Repeats = ['new'];
const CHANGE_FIRST: Repeats = ['change', 'new'];

/** By group and plural; kinds not named repeat the checks of a change. */
const REPEATS: Readonly<Record<string, Repeats>> = {
  '/namespaces': 'within',
  '/nodes': 'within',
  '/configmaps': 'within',
  '/secrets': 'within',
  '/serviceaccounts': CHANGE_FIRST,
  '/pods': CHANGE_FIRST,
  '/endpoints': CHANGE_FIRST,
  '/persistentvolumeclaims': CHANGE_FIRST,
  '/persistentvolumes': 'within',
  '/limitranges': AS_NEW,
  '/events': NONE,
  'apps/controllerrevisions': CHANGE_FIRST,
  'batch/jobs': 'within',
  'certificates.k8s.io/certificatesigningrequests': 'within',
  'events.k8s.io/events': 'within',
  'policy/poddisruptionbudgets': NONE,
  'networking.k8s.io/ingresses': CHANGE_FIRST,
  'networking.k8s.io/ingressclasses': 'within',
  'networking.k8s.io/ipaddresses': 'within',
  'discovery.k8s.io/endpointslices': AS_NEW,
  'node.k8s.io/runtimeclasses': 'within',
  'rbac.authorization.k8s.io/roles': 'within',
  'rbac.authorization.k8s.io/rolebindings': 'within',
  'rbac.authorization.k8s.io/clusterroles': 'within',
  'rbac.authorization.k8s.io/clusterrolebindings': 'within',
  'storage.k8s.io/storageclasses': 'within',
  'storage.k8s.io/csistoragecapacities': 'within',
  'storage.k8s.io/csinodes': AS_NEW,
  'storage.k8s.io/volumeattachments': AS_NEW,
  'apiregistration.k8s.io/apiservices': CHANGE_FIRST,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': AS_NEW,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': AS_NEW,
  'admissionregistration.k8s.io/validatingadmissionpolicies': AS_NEW,
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': AS_NEW,
};

/** Status updates are checked as changes, but for these. */
const STATUS_REPEATS: Readonly<Record<string, Repeats>> = {
  'batch/cronjobs': NONE,
  'certificates.k8s.io/certificatesigningrequests': 'within',
  'policy/poddisruptionbudgets': NONE,
};

function repeatsOf({ groupResource: { group, resource } }: ServedResource, subresource: string): Repeats {
  return (subresource === '' ? REPEATS : STATUS_REPEATS)[`${group}/${resource}`] ?? AS_CHANGE;
}

/** What is wrong with the metadata of an update. */
export interface MetadataTrouble {
  /** Errors that are reported before those of the kind. */
  readonly first: readonly FieldError[];
  /** What kinds that place it themselves say again. */
  readonly repeated: { readonly asNew: readonly FieldError[]; readonly asChange: readonly FieldError[] };
}

const NO_TROUBLE: MetadataTrouble = { first: [], repeated: { asNew: [], asChange: [] } };

/** What is written. */
export interface MetadataWrite {
  readonly served: ServedResource;
  readonly subresource: string;
  /** Metadata that was found in order before. */
  readonly since: ObjectMeta | undefined;
}

/** The errors of an update's metadata, as often as the real server repeats them. */
export function updateMetadataErrors(
  { served, subresource, since }: MetadataWrite,
  next: KubeObject,
  old: KubeObject,
): MetadataTrouble {
  const { namespaced } = served.definition;
  const strict = hasStrictFinalizers(served);
  const asAny = validateObjectMeta(next.metadata, { namespaced, nameValidator: nameIsPathSegment, since });
  const change = validateObjectMetaUpdate(next.metadata, old.metadata, 'metadata', { isSound: asAny.length === 0 });
  const finalizers = strict ? validateBuiltInFinalizers(next.metadata.finalizers, 'metadata.finalizers') : [];
  const isFlawless = asAny.length === 0 && change.length === 0 && finalizers.length === 0;
  // The name cannot change, so that only what names are generated from is left to be validated again.
  if (isFlawless && !next.metadata.generateName) return NO_TROUBLE;
  const repeats = repeatsOf(served, subresource);
  if (isFlawless && repeats !== 'within' && !repeats.includes('new')) return NO_TROUBLE;
  const nameValidator = nameValidatorOf(served.strategy, next);
  const asNew = [...validateObjectMeta(next.metadata, { namespaced, nameValidator }), ...finalizers];
  const asChange = [...change, ...finalizers];
  const first = [...asAny, ...change];
  if (repeats !== 'within') for (const check of repeats) pushAll(first, check === 'new' ? asNew : asChange);
  return { first, repeated: { asNew, asChange } };
}
