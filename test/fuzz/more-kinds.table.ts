import type { Sample } from './samples.js';

const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] };
/** Matches nothing of anybody else. */
const own = { matchLabels: { 'kubernetes.io/metadata.name': 'nobody-{ns}' } };
const webhook = {
  name: 'w.example.com',
  clientConfig: { service: { namespace: '{ns}', name: 's', path: '/p', port: 443 } },
  rules: [rule],
  namespaceSelector: own,
  objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  timeoutSeconds: 1,
  matchConditions: [{ name: 'c', expression: 'object.metadata.name != "x"' }],
};
const registration = 'admissionregistration.k8s.io/v1';
const authorization = 'authorization.k8s.io/v1';
const attributes = { namespace: '{ns}', verb: 'get', group: 'apps', resource: 'deployments', name: 'x' };

/** Built-in kinds that the table of kinds has no sample of. */
export const MORE_KINDS: readonly Sample[] = [
  {
    name: 'validatingwebhookconfigurations',
    collection: `/apis/${registration}/validatingwebhookconfigurations`,
    good: [
      {
        apiVersion: registration,
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'x-{ns}' },
        webhooks: [webhook],
      },
    ],
    isPostedOnly: true,
  },
  {
    name: 'mutatingwebhookconfigurations',
    collection: `/apis/${registration}/mutatingwebhookconfigurations`,
    good: [
      {
        apiVersion: registration,
        kind: 'MutatingWebhookConfiguration',
        metadata: { name: 'x-{ns}' },
        webhooks: [{ ...webhook, reinvocationPolicy: 'IfNeeded' }],
      },
    ],
    isPostedOnly: true,
  },
  {
    name: 'validatingadmissionpolicies',
    collection: `/apis/${registration}/validatingadmissionpolicies`,
    good: [
      {
        apiVersion: registration,
        kind: 'ValidatingAdmissionPolicy',
        metadata: { name: 'x-{ns}' },
        spec: {
          paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
          matchConstraints: { namespaceSelector: own, resourceRules: [rule] },
          matchConditions: [{ name: 'c', expression: 'true' }],
          variables: [{ name: 'v', expression: 'object.spec.replicas' }],
          validations: [{ expression: 'variables.v < 5', message: 'm', reason: 'Forbidden' }],
          auditAnnotations: [{ key: 'k', valueExpression: '"v"' }],
        },
      },
    ],
  },
  {
    name: 'validatingadmissionpolicybindings',
    collection: `/apis/${registration}/validatingadmissionpolicybindings`,
    good: [
      {
        apiVersion: registration,
        kind: 'ValidatingAdmissionPolicyBinding',
        metadata: { name: 'x-{ns}' },
        spec: {
          policyName: 'nobody-{ns}',
          paramRef: { name: 'p', namespace: '{ns}', parameterNotFoundAction: 'Deny' },
          validationActions: ['Deny'],
          matchResources: { namespaceSelector: own },
        },
      },
    ],
  },
  {
    name: 'csidrivers',
    collection: '/apis/storage.k8s.io/v1/csidrivers',
    good: [
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: 'x-{ns}' },
        spec: { volumeLifecycleModes: ['Persistent'], tokenRequests: [{ audience: 'a', expirationSeconds: 600 }] },
      },
    ],
  },
  {
    name: 'csinodes',
    collection: '/apis/storage.k8s.io/v1/csinodes',
    good: [
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSINode',
        metadata: { name: 'x-{ns}' },
        spec: { drivers: [{ name: 'd', nodeID: 'n', topologyKeys: ['zone'], allocatable: { count: 3 } }] },
      },
    ],
  },
  {
    name: 'csistoragecapacities',
    collection: '/apis/storage.k8s.io/v1/namespaces/{ns}/csistoragecapacities',
    good: [
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIStorageCapacity',
        metadata: { name: 'x' },
        storageClassName: 's',
        nodeTopology: { matchLabels: { zone: 'a' } },
        capacity: '1Gi',
        maximumVolumeSize: '100Mi',
      },
    ],
  },
  {
    name: 'volumeattachments',
    collection: '/apis/storage.k8s.io/v1/volumeattachments',
    good: [
      {
        apiVersion: 'storage.k8s.io/v1',
        kind: 'VolumeAttachment',
        metadata: { name: 'x-{ns}' },
        spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'p' } },
      },
    ],
  },
  {
    name: 'apiservices',
    collection: '/apis/apiregistration.k8s.io/v1/apiservices',
    good: [
      {
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: 'v1.{ns}.example.org' },
        spec: {
          group: '{ns}.example.org',
          version: 'v1',
          groupPriorityMinimum: 100,
          versionPriority: 10,
          insecureSkipTLSVerify: true,
          service: { namespace: '{ns}', name: 's', port: 443 },
        },
      },
    ],
    isPostedOnly: true,
  },
  {
    name: 'tokenreviews',
    collection: '/apis/authentication.k8s.io/v1/tokenreviews',
    good: [
      {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        metadata: {},
        spec: { token: 'nobody', audiences: ['a'] },
      },
    ],
    isPostedOnly: true,
  },
  {
    name: 'subjectaccessreviews',
    collection: `/apis/${authorization}/subjectaccessreviews`,
    good: [
      {
        apiVersion: authorization,
        kind: 'SubjectAccessReview',
        metadata: {},
        spec: { user: 'u', groups: ['g'], extra: { k: ['v'] }, resourceAttributes: attributes },
      },
    ],
    isPostedOnly: true,
  },
  {
    name: 'selfsubjectaccessreviews',
    collection: `/apis/${authorization}/selfsubjectaccessreviews`,
    good: [
      {
        apiVersion: authorization,
        kind: 'SelfSubjectAccessReview',
        metadata: {},
        spec: { resourceAttributes: attributes },
      },
      {
        apiVersion: authorization,
        kind: 'SelfSubjectAccessReview',
        metadata: {},
        spec: { nonResourceAttributes: { path: '/x', verb: 'get' } },
      },
    ],
    isPostedOnly: true,
  },
  {
    name: 'localsubjectaccessreviews',
    collection: `/apis/${authorization}/namespaces/{ns}/localsubjectaccessreviews`,
    good: [
      {
        apiVersion: authorization,
        kind: 'LocalSubjectAccessReview',
        metadata: { namespace: '{ns}' },
        spec: { user: 'u', resourceAttributes: attributes },
      },
    ],
    isPostedOnly: true,
  },
];
