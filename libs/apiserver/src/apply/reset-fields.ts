/** The fields the built-in strategies reset, and which therefore nobody owns by writing there. */
import { ANY_ELEMENT, excludeFields, includeFields } from './field-filter.js';
import type { FieldFilter } from './field-filter.js';

const wholeStatus = excludeFields(['status']);
const wholeSpec = excludeFields(['spec']);
const specAndMetadata = excludeFields(['spec'], ['metadata']);

interface ResetFields {
  readonly '': FieldFilter;
  readonly [subresource: string]: FieldFilter;
}

const SPEC_AND_STATUS: ResetFields = { '': wholeStatus, status: wholeSpec };
const STATUS_ONLY: ResetFields = { '': wholeStatus, status: specAndMetadata };

const BUILT_IN: Readonly<Record<string, ResetFields>> = {
  'admissionregistration.k8s.io/validatingadmissionpolicies': STATUS_ONLY,
  'apiextensions.k8s.io/customresourcedefinitions': SPEC_AND_STATUS,
  'apiregistration.k8s.io/apiservices': STATUS_ONLY,
  'apps/daemonsets': SPEC_AND_STATUS,
  'apps/deployments': { '': wholeStatus, status: excludeFields(['spec'], ['metadata', 'labels']) },
  'apps/replicasets': SPEC_AND_STATUS,
  'apps/statefulsets': SPEC_AND_STATUS,
  'autoscaling/horizontalpodautoscalers': SPEC_AND_STATUS,
  'batch/cronjobs': SPEC_AND_STATUS,
  'batch/jobs': SPEC_AND_STATUS,
  'certificates.k8s.io/certificatesigningrequests': {
    '': excludeFields(['spec'], ['status']),
    status: excludeFields(['spec'], ['status', 'conditions']),
    approval: excludeFields(['spec'], ['status', 'certificate']),
  },
  '/namespaces': { '': wholeStatus, status: wholeSpec, finalize: wholeStatus },
  '/nodes': SPEC_AND_STATUS,
  '/persistentvolumes': SPEC_AND_STATUS,
  '/persistentvolumeclaims': SPEC_AND_STATUS,
  '/pods': {
    '': wholeStatus,
    status: excludeFields(['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']),
    ephemeralcontainers: includeFields(['spec', 'ephemeralContainers']),
    resize: includeFields(
      ['spec', 'containers', ANY_ELEMENT, 'resources'],
      ['spec', 'containers', ANY_ELEMENT, 'resizePolicy'],
      ['spec', 'initContainers', ANY_ELEMENT, 'resources'],
      ['spec', 'initContainers', ANY_ELEMENT, 'resizePolicy'],
    ),
  },
  '/replicationcontrollers': SPEC_AND_STATUS,
  '/resourcequotas': SPEC_AND_STATUS,
  '/services': SPEC_AND_STATUS,
  'flowcontrol.apiserver.k8s.io/flowschemas': STATUS_ONLY,
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations': STATUS_ONLY,
  'networking.k8s.io/ingresses': SPEC_AND_STATUS,
  'networking.k8s.io/servicecidrs': STATUS_ONLY,
  'policy/poddisruptionbudgets': SPEC_AND_STATUS,
  'resource.k8s.io/resourceclaims': STATUS_ONLY,
  'storage.k8s.io/volumeattachments': STATUS_ONLY,
};

/** What a write to a built-in resource (by its plural) or one of its subresources cannot own. */
export function builtinFieldFilter(group: string, plural: string, subresource: string): FieldFilter | undefined {
  const key = `${group}/${plural}`;
  const reset = Object.hasOwn(BUILT_IN, key) ? BUILT_IN[key] : undefined;
  return reset !== undefined && Object.hasOwn(reset, subresource) ? reset[subresource] : undefined;
}

/**
 * What a write to a custom resource cannot own; `hasStatus`: it has the status subresource. The server filters the main
 * resource only in the version of the request, status in every version.
 */
export function customFieldFilter(subresource: string, hasStatus: boolean): FieldFilter | undefined {
  if (subresource === 'status') return specAndMetadata;
  return hasStatus ? wholeStatus : undefined;
}
