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

/** Of a key nobody has kept. */
const CERTIFICATE_REQUEST =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITU1ITUNBUUF3RVRFUE1BMEdBMVVFQXd3R2JtOWliMlI1TUZrd0V3WUhLb1pJemowQ0FRWUlLb1pJemowRApBUWNEUWdBRTNiRExTQldBdnhpSUZEeng3OHdsc3ljK0RPQUlBVWwxRG1MTURaY28xcnYydXB4cTJLRWJDU0VuCkE4bGJMTklHdW9RUmVkRHJxbnNFcnNZUklLOUN4NkFBTUFvR0NDcUdTTTQ5QkFNQ0Ewa0FNRVlDSVFEYXY4c2EKYWFmRGx3ZjF5RnBsNFRIV1VDRXIzYzF5b2FySzZoWlJ0UzhBbWdJaEFKY1RlOEdyWG04T1JBY2xJTWdsSkZsbwpCaUZaaEQ0UUplSHF4RldNVnpFRQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K';

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
  {
    name: 'selfsubjectrulesreviews',
    collection: `/apis/${authorization}/selfsubjectrulesreviews`,
    good: [
      { apiVersion: authorization, kind: 'SelfSubjectRulesReview', metadata: {}, spec: { namespace: 'nobody-{ns}' } },
    ],
    isPostedOnly: true,
  },
  {
    name: 'selfsubjectreviews',
    collection: '/apis/authentication.k8s.io/v1/selfsubjectreviews',
    good: [{ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview', metadata: {} }],
    isPostedOnly: true,
  },
  {
    name: 'certificatesigningrequests',
    collection: '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    good: [
      {
        apiVersion: 'certificates.k8s.io/v1',
        kind: 'CertificateSigningRequest',
        metadata: { name: 'x-{ns}' },
        spec: {
          request: CERTIFICATE_REQUEST,
          signerName: 'example.com/nobody',
          usages: ['digital signature', 'client auth'],
          expirationSeconds: 3600,
        },
      },
    ],
  },
  {
    name: 'ipaddresses',
    collection: '/apis/networking.k8s.io/v1/ipaddresses',
    good: [
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'IPAddress',
        metadata: { name: '192.0.2.1' },
        spec: { parentRef: { resource: 'services', namespace: '{ns}', name: 's' } },
      },
    ],
    isPostedOnly: true,
  },
  {
    name: 'servicecidrs',
    collection: '/apis/networking.k8s.io/v1/servicecidrs',
    good: [
      {
        apiVersion: 'networking.k8s.io/v1',
        kind: 'ServiceCIDR',
        metadata: { name: 'x-{ns}' },
        spec: { cidrs: ['192.0.2.0/24'] },
      },
    ],
    isPostedOnly: true,
  },
  {
    name: 'events.k8s.io events',
    collection: '/apis/events.k8s.io/v1/namespaces/{ns}/events',
    good: [
      {
        apiVersion: 'events.k8s.io/v1',
        kind: 'Event',
        metadata: { name: 'x-new' },
        eventTime: '2020-01-01T00:00:00.000000Z',
        reportingController: 'example.com/c',
        reportingInstance: 'i',
        action: 'A',
        reason: 'R',
        type: 'Normal',
        note: 'n',
        regarding: { kind: 'Pod', namespace: '{ns}', name: 'p' },
        series: { count: 2, lastObservedTime: '2020-01-01T00:00:01.000000Z' },
      },
    ],
  },
];
