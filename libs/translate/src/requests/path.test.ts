import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAPPING, receivedBody, refusedWith, swapAll, targetOf } from '../testing/exchange.js';
import { translate } from './translator.js';

const translator = translate(MAPPING);

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** What becomes of a target, or the code it is refused with. */
function sentOrRefused(target: string): string | number {
  const request = translator.request({ method: 'GET', target, headers: {} });
  return 'refuse' in request ? request.refuse.status : request.target;
}

describe('paths', () => {
  it('1: a list of machines is asked of the private group, and each of its items shown as standard', () => {
    const target = `/apis/${S}/v1beta2/namespaces/n/machines?limit=2`;
    expect(targetOf(target)).toBe(`/apis/${P}/v1beta2/namespaces/n/machines?limit=2`);
    const list = `{"apiVersion":"${P}/v1beta2","items":[{"apiVersion":"${P}/v1beta2","kind":"Machine"},{"apiVersion":"${P}/v1beta2","kind":"Machine"}],"kind":"MachineList","metadata":{"resourceVersion":"1"}}`;
    expect(receivedBody({ target }, list)).toBe(swapAll(list));
  });

  it.each([
    '/api/v1/constructor',
    '/api/v1/namespaces/n/toString/x',
    '/apis/apps/v1/namespaces/n/__proto__/x/valueOf',
    '/apis/multicluster.x-k8s.io/v1alpha1/serviceexports',
    '/apis/xcluster.x-k8s.io/v1',
    '/apis/cluster.x-k8s.io.example.com/v1',
    '/api/v1/namespaces/n/pods?labelSelector=cluster.x-k8s.io%2Fcluster-name%3Dc',
    '/apis/apps/v1/deployments?fieldSelector=metadata.name%3Dmachines.cluster.x-k8s.io',
    '/version',
    '/healthz?verbose',
    '/',
    '/api',
  ])('2, 4: %s goes as it is', (target) => {
    expect(targetOf(target)).toBe(target);
  });

  it.each([
    [`/apis/infrastructure.${S}/v1beta2/awsmachines`, `/apis/infrastructure.${P}/v1beta2/awsmachines`],
    [`/apis/a.b.${S}/v1`, `/apis/a.b.${P}/v1`],
    [`/apis/${S}`, `/apis/${P}`],
    [`/apis/${S}/`, `/apis/${P}/`],
    [`//apis//${S}/v1beta2`, `/apis/${P}/v1beta2`],
    ['/apis/cluster%2Ex-k8s.io/v1beta2', `/apis/${P}/v1beta2`],
    ['/%61pis%2Fcluster.x-k8s.io/v1beta2', `/apis/${P}/v1beta2`],
    [`/apis/apps/../${S}/./v1beta2`, `/apis/${P}/v1beta2`],
    [`${CRDS}/machines.${S}`, `${CRDS}/machines.${P}`],
    [`${CRDS}/machines.${S}/status`, `${CRDS}/machines.${P}/status`],
    [`${CRDS}/machines.multi${S}`, `${CRDS}/machines.multi${S}`],
    [
      `/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.${S}`,
      `/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.${P}`,
    ],
    [
      `/apis/internal.apiserver.k8s.io/v1alpha1/storageversions/${S}.machines`,
      `/apis/internal.apiserver.k8s.io/v1alpha1/storageversions/${P}.machines`,
    ],
    [
      `/apis/${S}/v1beta2/namespaces/n/machines/m/status?fieldManager=${S}&force=true`,
      `/apis/${P}/v1beta2/namespaces/n/machines/m/status?fieldManager=${S}&force=true`,
    ],
    [`/apis/${S}/v1beta2/machines/?limit=%31`, `/apis/${P}/v1beta2/machines/?limit=1`],
    [`/openapi/v3/apis/${S}/v1beta2?hash=AB`, `/openapi/v3/apis/${P}/v1beta2?hash=AB`],
    [
      '/apis/capi-provider.agent-install.openshift.io/v1beta1',
      '/apis/capi-provider.agent-install.private.hypershift.openshift.io/v1beta1',
    ],
  ])('3: %s is asked as %s', (target, expected) => {
    expect(targetOf(target)).toBe(expected);
  });

  it.each([
    ['fieldSelector=metadata.name%3Dmachines.cluster.x-k8s.io', `fieldSelector=metadata.name%3Dmachines.${P}`],
    [
      'limit=5&fieldSelector=metadata.name==machines.cluster.x-k8s.io&watch=1',
      `limit=5&fieldSelector=metadata.name%3D%3Dmachines.${P}&watch=1`,
    ],
    [
      'fieldSelector=metadata.name!=machines.cluster.x-k8s.io,metadata.name!=x',
      `fieldSelector=metadata.name!%3Dmachines.${P}%2Cmetadata.name!%3Dx`,
    ],
    [
      String.raw`fieldSelector=metadata.name=a\,b,metadata.name=m.cluster.x-k8s.io`,
      `fieldSelector=metadata.name%3Da%5C%2Cb%2Cmetadata.name%3Dm.${P}`,
    ],
    [
      'labelSelector=metadata.name%3Dmachines.cluster.x-k8s.io',
      'labelSelector=metadata.name%3Dmachines.cluster.x-k8s.io',
    ],
    [
      'continue=cluster.x-k8s.io&fieldManager=cluster.x-k8s.io',
      'continue=cluster.x-k8s.io&fieldManager=cluster.x-k8s.io',
    ],
    ['field%53elector=metadata.name%3Dmachines.cluster.x-k8s.io', `fieldSelector=metadata.name%3Dmachines.${P}`],
  ])('the query %s of CRDs is asked as %s', (query, expected) => {
    expect(targetOf(`${CRDS}?${query}`)).toBe(`${CRDS}?${expected}`);
  });

  it.each([
    `/apis/${P}`,
    `/apis/${P}/v1beta2/machines`,
    `/openapi/v3/apis/${P}/v1beta2`,
    `/apis//infrastructure.${P}/v1`,
    '/apis/cluster%2Ehypershift.openshift.io/v1',
  ])('17: %s does not exist here', (target) => {
    expect(refusedWith({ target })).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'the server could not find the requested resource',
      reason: 'NotFound',
      details: {},
      code: 404,
    });
  });

  it.each([
    [`/apis/${S}/v1beta1/watch/namespaces/n/machines`],
    [`/apis/${S}/v1beta1/namespaces/n/machines?watch=1`],
    [`/apis/${S}/v1beta1/namespaces/n/machines?watch=true`],
    [`/apis/${S}/v1beta1/namespaces/n/machines?watch`],
  ])('22: %s is a watch', (target) => {
    expect(targetOf(target)).toBe(target.replace(S, P));
    const events = `{"type":"ADDED","object":{"apiVersion":"${P}/v1beta1","kind":"Machine"}}\n`.repeat(2);
    expect(receivedBody({ target }, events)).toBe(swapAll(events));
  });

  it('22: a plain no is no watch', () => {
    const target = `/apis/${S}/v1beta1/machines?watch=false`;
    const event = `{"type":"ADDED","object":{"apiVersion":"${P}/v1beta1"}}\n`;
    expect(receivedBody({ target }, event)).toBe(event);
  });
});

describe('A path that is written in one way only', () => {
  const segment = fc.oneof(
    fc.constantFrom('v1', 'namespaces', 'n', 'machines', 'configmaps', 'status', 'watch', 'm-1', 'apis', 'a:b'),
    fc.constantFrom('.', '..', '', '...', '%2e', '%2F', 'a%20b', 'a,b', 'a;b', '%', '\u00e9', '.a', S, P),
  );
  const start = fc.constantFrom(
    '/api/',
    '/apis/',
    `/apis/${S}/`,
    `/apis/x.${S}/`,
    '/apis/apps/',
    `${CRDS}/`,
    '//apis/',
  );

  it('is sent as any other would be', () => {
    fc.assert(
      fc.property(start, fc.array(segment, { maxLength: 6 }), fc.boolean(), (first, segments, hasSlash) => {
        const path = `${first}${segments.join('/')}${hasSlash ? '/' : ''}`;
        // With a query, if only an empty one, paths are put together from their segments.
        const known = sentOrRefused(path);
        expect(sentOrRefused(`${path}?`)).toBe(typeof known === 'number' ? known : `${known}?`);
      }),
      { numRuns: 2000 },
    );
  });
});
