import { describe, expect, it } from 'vitest';
import { receivedBody, sentBody, swapAll, targetOf } from '../testing/exchange.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const REVIEWS = '/apis/authorization.k8s.io/v1';
const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';

/** What is written back identifies its object. */
const withUid = (body: string): string =>
  body.includes('"metadata":{')
    ? body.replace('"metadata":{', '"metadata":{"uid":"u",')
    : `{"metadata":{"uid":"u"},${body.slice(1)}`;

/** Translates the same whether read or written, and comes back unchanged after both. */
function bothWays(target: string, body: string): string {
  const shown = receivedBody({ target }, body);
  expect(sentBody({ target, method: 'PUT', body: withUid(body) })).toBe(withUid(shown));
  expect(sentBody({ target, method: 'PUT', body: withUid(shown) })).toBe(withUid(body));
  return shown;
}

describe('kinds that carry groups in places of their own', () => {
  it.each([
    [
      '30: a Role',
      `${RBAC}/namespaces/n/roles/x`,
      `{"kind":"Role","rules":[{"verbs":["get"],"apiGroups":["${S}","${P}","","*","multi${S}"],"resources":["machines"]}]}`,
    ],
    [
      '30: a ClusterRole that names CRDs',
      `${RBAC}/clusterroles/x`,
      `{"rules":[{"verbs":["get"],"apiGroups":["apiextensions.k8s.io"],"resources":["customresourcedefinitions"],"resourceNames":["machines.${S}","a.b"]}]}`,
    ],
    [
      'a webhook configuration',
      `${REGISTRATION}/validatingwebhookconfigurations/x`,
      `{"webhooks":[{"rules":[{"operations":["CREATE"],"apiGroups":["${S}"],"apiVersions":["v1"]}]}]}`,
    ],
    [
      'a policy',
      `${REGISTRATION}/validatingadmissionpolicies/x`,
      `{"spec":{"paramKind":{"apiVersion":"${S}/v1","kind":"X"},"matchConstraints":{"resourceRules":[{"apiGroups":["${S}"]}],"excludeResourceRules":[{"apiGroups":["${P}"]}]}}}`,
    ],
    [
      'a binding',
      '/apis/admissionregistration.k8s.io/v1alpha1/mutatingadmissionpolicybindings/x',
      `{"spec":{"matchResources":{"resourceRules":[{"apiGroups":["a.${S}"]}]}}}`,
    ],
    [
      'a flow schema',
      '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/x',
      `{"spec":{"rules":[{"resourceRules":[{"apiGroups":["${S}"]}]}]}}`,
    ],
    [
      'a quota',
      '/api/v1/namespaces/n/resourcequotas/x',
      `{"spec":{"hard":{"count/machines.${S}":"1","pods":"2"}},"status":{"hard":{"count/machines.${S}":"1"},"used":{"count/machines.${S}":"0"}}}`,
    ],
    [
      'an autoscaler',
      '/apis/autoscaling/v2/namespaces/n/horizontalpodautoscalers/x',
      `{"spec":{"scaleTargetRef":{"apiVersion":"${S}/v1beta1","kind":"MachineDeployment"},"metrics":[{"object":{"describedObject":{"apiVersion":"${S}/v1"}}}]}}`,
    ],
    [
      'a migration of storage',
      '/apis/storagemigration.k8s.io/v1beta1/storageversionmigrations/x',
      `{"spec":{"resource":{"group":"${S}","resource":"machines"}}}`,
    ],
    [
      '25: an event',
      '/api/v1/namespaces/n/events/x',
      `{"involvedObject":{"apiVersion":"${S}/v1beta2"},"related":{"apiVersion":"${S}/v1beta2"}}`,
    ],
    [
      '25: an event of the newer group',
      '/apis/events.k8s.io/v1/namespaces/n/events/x',
      `{"regarding":{"apiVersion":"${S}/v1beta2"},"related":{"apiVersion":"${P}/v1beta2"}}`,
    ],
    [
      'a claim',
      '/api/v1/namespaces/n/persistentvolumeclaims/x',
      `{"spec":{"dataSource":{"apiGroup":"${S}"},"dataSourceRef":{"apiGroup":"${S}"}}}`,
    ],
    [
      'an ingress',
      '/apis/networking.k8s.io/v1/namespaces/n/ingresses/x',
      `{"spec":{"defaultBackend":{"resource":{"apiGroup":"${S}"}},"rules":[{"http":{"paths":[{"backend":{"resource":{"apiGroup":"${S}"}}}]}}]}}`,
    ],
    [
      'a class of ingresses',
      '/apis/networking.k8s.io/v1/ingressclasses/x',
      `{"spec":{"parameters":{"apiGroup":"${S}"}}}`,
    ],
    [
      'a revision',
      '/apis/apps/v1/namespaces/n/controllerrevisions/x',
      `{"data":{"spec":{"ref":{"apiVersion":"${S}/v1"}}}}`,
    ],
    [
      'a custom resource of another group',
      '/apis/example.com/v1/namespaces/n/things/x',
      `{"apiVersion":"example.com/v1","spec":{"targetRef":{"apiVersion":"${S}/v1"},"list":[{"ref":{"apiGroup":"${S}"}}]}}`,
    ],
  ])('%s', (_, target, body) => {
    expect(bothWays(target, body)).toBe(swapAll(body));
  });

  it.each([
    [
      'names of a Role on other things',
      `${RBAC}/namespaces/n/roles/x`,
      `{"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["secrets"],"resourceNames":["x.${S}"]}]}`,
    ],
    [
      'names and conditions of webhooks',
      `${REGISTRATION}/mutatingwebhookconfigurations/x`,
      `{"webhooks":[{"name":"default.cluster.${S}","matchConditions":[{"expression":"'${S}'"}],"clientConfig":{"service":{"path":"/mutate-cluster-x-k8s-io"}}}]}`,
    ],
    [
      'expressions of policies',
      `${REGISTRATION}/validatingadmissionpolicies/x`,
      `{"spec":{"validations":[{"expression":"apiVersion == '${S}/v1'"}]}}`,
    ],
    [
      'reasons and messages of events',
      '/api/v1/namespaces/n/events/x',
      `{"reason":"${S}","message":"machines.${S} \\"x\\" not found","source":{"component":"${S}"}}`,
    ],
    [
      'names of a claim',
      '/api/v1/namespaces/n/persistentvolumeclaims/x',
      `{"spec":{"volumeName":"${S}","storageClassName":"${S}"}}`,
    ],
    [
      'the list of CRDs of the platform',
      '/apis/operator.openshift.io/v1alpha1/clusterapis/cluster',
      `{"spec":{"unmanagedCustomResourceDefinitions":["machines.${S}"]}}`,
    ],
    ['a backup', '/apis/velero.io/v1/namespaces/n/backups/x', `{"spec":{"includedResources":["machines.${S}"]}}`],
    [
      'keys of a quota that only look alike',
      '/api/v1/namespaces/n/resourcequotas/x',
      `{"spec":{"hard":{"machines.${S}":"1"},"scopes":["count/machines.${S}"]}}`,
    ],
    [
      'groups of other references',
      '/apis/cert-manager.io/v1/namespaces/n/certificates/x',
      `{"spec":{"issuerRef":{"group":"${S}"}}}`,
    ],
    [
      'data of a config map',
      '/api/v1/namespaces/n/configmaps/x',
      `{"data":{"apiVersion":"${S}/v1","x":"apiVersion: ${S}/v1"},"binaryData":{"a":"${S}"}}`,
    ],
    [
      'a lease',
      '/apis/coordination.k8s.io/v1/namespaces/n/leases/x',
      `{"metadata":{"name":"${S}"},"spec":{"holderIdentity":"${S}"}}`,
    ],
    [
      'arguments of pods',
      '/api/v1/namespaces/n/pods/x',
      `{"spec":{"containers":[{"args":["${S}/v1"],"env":[{"valueFrom":{"fieldRef":{"apiVersion":"v1"}}}]}],"tolerations":[{"key":"node.${S}/uninitialized"}]}}`,
    ],
  ])('%s stay', (_, target, body) => {
    expect(bothWays(target, body)).toBe(body);
  });

  it('30: names come before resources where a client sorts its members', () => {
    const body = (group: string): string =>
      `{"rules":[{"apiGroups":["${group}"],"resourceNames":["a.${S}"],"resources":["secrets"]},{"apiGroups":["apiextensions.k8s.io"],"resourceNames":["machines.${group}"],"resources":["customresourcedefinitions/status"],"verbs":["get"]}]}`;
    expect(sentBody({ target: `${RBAC}/clusterroles`, method: 'POST', body: body(S) })).toBe(body(P));
    const patch = (group: string): string =>
      `[{"op":"add","path":"/rules/1","value":{"apiGroups":["${group}"],"resourceNames":["machines.${group}"],"resources":["apiservices"]}},{"op":"replace","path":"/rules","value":[{"resourceNames":["a.${S}"],"resources":["pods"]},{"resourceNames":["a.${group}"],"resources":["*"]}]}]`;
    const headers = { 'content-type': 'application/json-patch+json' };
    expect(sentBody({ target: `${RBAC}/clusterroles/x`, method: 'PATCH', headers, body: patch(S) })).toBe(patch(P));
  });

  it('24: access is asked for the private group and answered for the standard one', () => {
    const review = (group: string): string =>
      `{"kind":"SelfSubjectAccessReview","apiVersion":"authorization.k8s.io/v1","metadata":{},"spec":{"resourceAttributes":{"namespace":"n","verb":"get","group":"${group}","resource":"machines","name":"x.${S}"}},"status":{"allowed":false,"reason":"${P}"}}`;
    for (const resource of [
      'selfsubjectaccessreviews',
      'subjectaccessreviews',
      'namespaces/n/localsubjectaccessreviews',
    ]) {
      const target = `${REVIEWS}/${resource}`;
      expect(sentBody({ target, method: 'POST', body: review(S) })).toBe(review(P));
      expect(receivedBody({ target, method: 'POST' }, review(P))).toBe(review(S));
    }
    const named = (group: string): string =>
      `{"spec":{"resourceAttributes":{"group":"apiextensions.k8s.io","name":"machines.${group}","resource":"customresourcedefinitions"}}}`;
    expect(sentBody({ target: `${REVIEWS}/selfsubjectaccessreviews`, method: 'POST', body: named(S) })).toBe(named(P));
  });

  it('24: rules about the hidden groups are not shown', () => {
    const review = (groups: readonly string[]): string =>
      `{"kind":"SelfSubjectRulesReview","status":{"resourceRules":[{"verbs":["*"],"apiGroups":${JSON.stringify(groups)},"resources":["machines"]}],"incomplete":false}}`;
    expect(
      receivedBody({ target: `${REVIEWS}/selfsubjectrulesreviews`, method: 'POST' }, review([S, P, 'apps', `a.${S}`])),
    ).toBe(review([S, 'apps']));
  });

  it('25: events are selected by the group they are stored with', () => {
    const query = (group: string): string =>
      `/api/v1/events?fieldSelector=involvedObject.apiVersion%3D${group}%2Fv1beta2`;
    expect(targetOf(query(S))).toBe(query(P));
    expect(targetOf(`/apis/events.k8s.io/v1/events?fieldSelector=regarding.apiVersion!=${S}/v1,reason=${S}`)).toBe(
      `/apis/events.k8s.io/v1/events?fieldSelector=regarding.apiVersion!%3D${P}%2Fv1%2Creason%3D${S}`,
    );
  });
});
