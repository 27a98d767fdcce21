import { describe, expect, it } from 'vitest';
import { MAPPING, refusedWith, run, sentBody } from '../testing/exchange.js';
import { translate } from '../requests/translator.js';
import { refusalOf } from '../requests/refusal.js';
import { yamlBodies } from '../yaml/rewrite.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';
const APPLY = 'application/apply-patch+yaml';
const withYaml = translate(MAPPING, { yaml: yamlBodies(MAPPING) });

const MESSAGE = (group: string, standard: string): string =>
  `forbidden: the API group "${group}" is not served here: write "${standard}"; what was read is written back by a patch, or with its metadata.uid`;

/** A body, by the group it names, and where it is created and changed. */
const NAMING: readonly (readonly [name: string, collection: string, body: (group: string) => string])[] = [
  [
    'a rule of a Role',
    `${RBAC}/namespaces/n/roles`,
    (g) => `{"rules":[{"apiGroups":["${g}"],"resources":["machines"]}]}`,
  ],
  [
    'a CRD by name in a ClusterRole',
    `${RBAC}/clusterroles`,
    (g) => `{"rules":[{"resources":["customresourcedefinitions"],"resourceNames":["machines.${g}"]}]}`,
  ],
  [
    'a webhook configuration',
    `${REGISTRATION}/validatingwebhookconfigurations`,
    (g) => `{"webhooks":[{"rules":[{"apiGroups":["${g}"]}]}]}`,
  ],
  [
    'an admission policy',
    `${REGISTRATION}/validatingadmissionpolicies`,
    (g) => `{"spec":{"matchConstraints":{"resourceRules":[{"apiGroups":["${g}"]}]}}}`,
  ],
  [
    'an autoscaler',
    '/apis/autoscaling/v2/namespaces/n/horizontalpodautoscalers',
    (g) => `{"spec":{"scaleTargetRef":{"apiVersion":"${g}/v1beta2","kind":"MachineDeployment"}}}`,
  ],
  [
    'an owner',
    '/api/v1/namespaces/n/secrets',
    (g) => `{"metadata":{"ownerReferences":[{"apiVersion":"${g}/v1beta2","kind":"Cluster"}]}}`,
  ],
  [
    'an owner of a lease',
    '/apis/coordination.k8s.io/v1/namespaces/n/leases',
    (g) => `{"metadata":{"ownerReferences":[{"apiVersion":"${g}/v1"}]}}`,
  ],
  ['an event', '/api/v1/namespaces/n/events', (g) => `{"involvedObject":{"apiVersion":"${g}/v1beta2"}}`],
  ['a quota', '/api/v1/namespaces/n/resourcequotas', (g) => `{"spec":{"hard":{"count/machines.${g}":"1"}}}`],
  [
    'a reference of Cluster API',
    `/apis/${S}/v1beta2/namespaces/n/machines`,
    (g) =>
      `{"spec":{"infrastructureRef":{"apiGroup":"${g}","kind":"M"},"bootstrap":{"configRef":{"apiGroup":"${g}"}}}}`,
  ],
  [
    'an older reference of Cluster API',
    `/apis/${S}/v1beta1/namespaces/n/machines`,
    (g) => `{"apiVersion":"${g}/v1beta1","spec":{"infrastructureRef":{"apiVersion":"${g}/v1beta1"}}}`,
  ],
  [
    'a CustomResourceDefinition',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    (g) => `{"metadata":{"ownerReferences":[{"apiVersion":"${g}/v1"}]},"spec":{"group":"x.example.com"}}`,
  ],
];

/** The body with the UID that reading showed. */
function asRead(body: string): string {
  const { metadata = {}, ...rest } = JSON.parse(body) as { metadata?: object };
  // Last, so that names come before it.
  return JSON.stringify({ ...rest, metadata: { ...metadata, uid: 'u' } });
}

describe.each(NAMING)('%s that names a private group', (_, collection, body) => {
  const object = `${collection}/x`;

  it('is not created', () => {
    const refused = { code: 403, reason: 'Forbidden', message: MESSAGE(P, S) };
    expect(refusedWith({ target: collection, method: 'POST', body: body(P) })).toMatchObject(refused);
    expect(refusedWith({ target: object, method: 'PUT', body: body(P) })).toMatchObject(refused);
    expect(sentBody({ target: collection, method: 'POST', body: body(S) })).toBe(body(P));
  });

  it('is written back', () => {
    expect(sentBody({ target: object, method: 'PUT', body: asRead(body(P)) })).toBe(asRead(body(S)));
    const headers = { 'content-type': 'application/merge-patch+json' };
    expect(sentBody({ target: object, method: 'PATCH', headers, body: body(P) })).toBe(body(S));
    // Nothing was remembered of what was allowed.
    expect(refusedWith({ target: object, method: 'PUT', body: body(P) })).toMatchObject({ code: 403 });
  });

  it.each(['JSON', 'YAML'])('is applied as %s only to what was read', (form) => {
    const apply = (text: string): unknown => {
      const request = withYaml.request({ method: 'PATCH', target: object, headers: { 'content-type': APPLY } });
      if ('refuse' in request) throw new TypeError('refused');
      try {
        return run(request.body(), [Buffer.from(form === 'JSON' ? text : `# x\n${text}`)]).toString();
      } catch (error) {
        return refusalOf(error)?.status;
      }
    };
    const sent = (text: string): string => (form === 'JSON' ? text : `# x\n${text}`);
    expect(apply(body(P))).toBe(403);
    expect(apply(body(S))).toBe(sent(body(P)));
    expect(apply(asRead(body(P)))).toBe(sent(asRead(body(S))));
    expect(apply(asRead(body(P)).replace('"uid":"u"', '"uid":""'))).toBe(403);
    // A reader may take the last of two, and then there is no UID.
    expect(apply(asRead(body(P)).replace(/\}$/, ',"metadata":{}}'))).toBe(403);
  });
});

describe('private names that give nothing', () => {
  it('stay in what managers of fields wrote', () => {
    const body = (g: string): string => `{"metadata":{"managedFields":[{"apiVersion":"${g}/v1"}]}}`;
    expect(sentBody({ target: '/api/v1/namespaces/n/secrets', method: 'POST', body: body(P) })).toBe(body(S));
  });

  it('may be asked about', () => {
    const body = (g: string): string => `{"spec":{"resourceAttributes":{"group":"${g}","resource":"machines"}}}`;
    const target = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    expect(sentBody({ target, method: 'POST', body: body(P) })).toBe(body(S));
  });
});

describe('JSON patches', () => {
  const headers = { 'content-type': 'application/json-patch+json' };
  const operation = (op: string, from: string, path: string): string => JSON.stringify([{ op, from, path }]);
  const ROLE = `${RBAC}/namespaces/n/roles/x`;
  const MACHINE = `/apis/${S}/v1beta2/namespaces/n/machines/x`;

  it.each([
    [ROLE, '/metadata/annotations/a', '/rules/0/apiGroups/0'],
    [ROLE, '/rules/0/apiGroups', '/metadata/annotations/a'],
    [ROLE, '/rules/0/resourceNames', '/rules/1/resourceNames'],
    [ROLE, '/rules/0/resources', '/rules/1/resources'],
    [ROLE, '/metadata/annotations/a', '/rules/-1/apiGroups/-1'],
    [ROLE, '/metadata/annotations', ''],
    [MACHINE, '/metadata/labels/a', '/metadata/ownerReferences/0/apiVersion'],
    [MACHINE, '/metadata/annotations', '/spec/infrastructureRef'],
    [MACHINE, '/spec/infrastructureRef/apiGroup', '/spec/clusterName'],
    [MACHINE, '/spec/clusterName', '/spec/infrastructureRef/apiGroup'],
    ['/api/v1/namespaces/n/resourcequotas/x', '/spec/hard', '/metadata/annotations'],
    ['/apis/apiextensions.k8s.io/v1/customresourcedefinitions/a.b', '/metadata/annotations/a', '/spec/group'],
  ])('%s: nothing is carried from %s to %s', (target, from, path) => {
    for (const op of ['copy', 'move'])
      expect(refusedWith({ target, method: 'PATCH', headers, body: operation(op, from, path) })).toMatchObject({
        code: 403,
        message: `forbidden: ${op} from ${JSON.stringify(from)} to ${JSON.stringify(path)} leads from where API groups are translated to where they are not, or back: write the value with add or replace`,
      });
  });

  it.each([
    [ROLE, '/rules/0', '/rules/1'],
    [ROLE, '/rules/0/apiGroups', '/rules/1/apiGroups'],
    [ROLE, '/metadata/labels/a', '/metadata/annotations/b'],
    [MACHINE, '/metadata/ownerReferences/0', '/metadata/ownerReferences/-'],
    [MACHINE, '/spec/a', '/spec/b'],
    [MACHINE, '/spec/infrastructureRef/apiGroup', '/spec/bootstrap/configRef/apiGroup'],
    ['/api/v1/namespaces/n/configmaps/x', '/data/a', '/data/b'],
  ])('%s: %s and %s are alike', (target, from, path) => {
    const body = operation('move', from, path);
    expect(sentBody({ target, method: 'PATCH', headers, body })).toBe(body);
  });

  it.each(['-1', '+0', '00', '-'])('the element %s is one', (index) => {
    const body = (g: string): string =>
      `[{"op":"add","path":"/metadata/ownerReferences/${index}/apiVersion","value":"${g}/v1"},{"op":"test","path":"/metadata/ownerReferences/${index}","value":{"apiVersion":"${g}/v1"}}]`;
    expect(sentBody({ target: MACHINE, method: 'PATCH', headers, body: body(S) })).toBe(body(P));
    const ofRole = (g: string): string =>
      `[{"op":"replace","path":"/rules/${index}/apiGroups/${index}","value":"${g}"}]`;
    expect(sentBody({ target: ROLE, method: 'PATCH', headers, body: ofRole(S) })).toBe(ofRole(P));
  });
});
