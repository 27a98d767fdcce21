import { describe, expect, it } from 'vitest';
import { headersOf, receivedBody, refusedWith, sentBody, targetOf } from '../testing/exchange.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const MERGE = { 'content-type': 'application/merge-patch+json' };

describe('objects', () => {
  it('8, 9: a secret changes its references alone, and is the same when it is written back', () => {
    const target = '/api/v1/namespaces/n/secrets/x';
    const secret = `{"kind":"Secret","apiVersion":"v1","metadata":{"name":"x","uid":"u","labels":{"${S}/cluster-name":"c"},"annotations":{"a":"${S}/v1"},"finalizers":["addons.${S}"],"ownerReferences":[{"apiVersion":"${S}/v1beta2","kind":"Cluster"},{"apiVersion":"${P}/v1beta2","kind":"Cluster"}],"managedFields":[{"manager":"m","apiVersion":"${P}/v1","fieldsV1":{"f:metadata":{"f:apiVersion":{"${P}/v1":"${P}/v1"}}}}]},"data":{"apiVersion":"${S}/v1"},"stringData":{"ownerReferences":"${S}"},"type":"${S}/secret"}`;
    const shown = secret
      .replace(`"apiVersion":"${S}/v1beta2","kind"`, `"apiVersion":"#/v1beta2","kind"`)
      .replace(`"apiVersion":"${P}/v1beta2","kind"`, `"apiVersion":"${S}/v1beta2","kind"`)
      .replace('"apiVersion":"#/v1beta2"', `"apiVersion":"${P}/v1beta2"`)
      .replace(`"manager":"m","apiVersion":"${P}/v1"`, `"manager":"m","apiVersion":"${S}/v1"`);
    expect(receivedBody({ target }, secret)).toBe(shown);
    expect(sentBody({ target, method: 'PUT', body: shown })).toBe(secret);
  });

  it('10, 11: finalizers stay, whatever they look like', () => {
    const body = (group: string): string =>
      `{"apiVersion":"addons.${group}/v1beta2","kind":"ClusterResourceSet","metadata":{"finalizers":["addons.${S}","awsmanagedmachinepools.infrastructure.${S}"],"name":"x"}}`;
    expect(receivedBody({ target: `/apis/addons.${S}/v1beta2/namespaces/n/clusterresourcesets/x` }, body(P))).toBe(
      body(S),
    );
  });

  it('references are found anywhere, but not in what users keep for other clusters', () => {
    const body = (group: string): string =>
      `{"apiVersion":"${group}/v1beta2","kind":"ClusterClass","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\\"apiVersion\\":\\"${S}/v1\\"}","${S}/conversion-data":"{\\"apiGroup\\":\\"${S}\\"}","${S}/cloned-from-groupkind":"A.${S}"}},"spec":{"infrastructure":{"templateRef":{"apiVersion":"infrastructure.${group}/v1beta2"}},"patches":[{"definitions":[{"selector":{"apiVersion":"infrastructure.${group}/v1"},"jsonPatches":[{"op":"add","value":{"apiVersion":"${S}/v1"}}]}]}],"variables":[{"schema":{"openAPIV3Schema":{"default":{"apiVersion":"${S}/v1"}}}}]},"status":{"conditions":[{"type":"${S}","message":"${S}/v1"}]}}`;
    expect(receivedBody({ target: `/apis/${S}/v1beta2/namespaces/n/clusterclasses/x` }, body(P))).toBe(body(S));
    const machine = (group: string): string =>
      `{"apiVersion":"${group}/v1beta2","kind":"Machine","spec":{"bootstrap":{"configRef":{"apiGroup":"bootstrap.${group}","kind":"KubeadmConfig"}},"infrastructureRef":{"apiGroup":"infrastructure.${group}"},"taints":[{"key":"node.${S}/uninitialized"}],"template":{"metadata":{"labels":{"apiGroup":"${S}"}}}},"status":{"nodeRef":{"apiVersion":"v1"}}}`;
    expect(receivedBody({ target: `/apis/${S}/v1beta2/namespaces/n/machines/x` }, machine(P))).toBe(machine(S));
    const hooks = (group: string): string =>
      `{"apiVersion":"runtime.${group}/v1beta2","kind":"ExtensionConfig","status":{"handlers":[{"requestHook":{"apiVersion":"hooks.runtime.${S}/v1alpha1"}}]}}`;
    expect(receivedBody({ target: `/apis/runtime.${S}/v1beta2/extensionconfigs/x` }, hooks(P))).toBe(hooks(S));
  });

  it('14: a merge patch is translated as the object is', () => {
    const body = (group: string): string =>
      `{"apiVersion":"${group}/v1beta2","kind":"Machine","metadata":{"resourceVersion":"1"},"spec":{"infrastructureRef":{"apiGroup":"infrastructure.${group}"},"x":null}}`;
    expect(
      sentBody({
        target: `/apis/${S}/v1beta2/namespaces/n/machines/x`,
        method: 'PATCH',
        headers: MERGE,
        body: body(S),
      }),
    ).toBe(body(P));
  });

  it('14: so are a strategic one and an apply in JSON', () => {
    const target = '/api/v1/namespaces/n/secrets/x';
    const body = (group: string): string =>
      `{"metadata":{"$setElementOrder/ownerReferences":[{"uid":"1"}],"ownerReferences":[{"apiVersion":"${group}/v1","uid":"1"}]}}`;
    for (const type of ['application/strategic-merge-patch+json', 'application/apply-patch+yaml'])
      expect(sentBody({ target, method: 'PATCH', headers: { 'content-type': type }, body: body(S) })).toBe(body(P));
  });

  it('26: a scale goes to the private group and stays a scale', () => {
    const target = `/apis/${S}/v1beta2/namespaces/n/machinedeployments/x/scale`;
    expect(targetOf(target)).toBe(target.replace(S, P));
    const scale =
      '{"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"x"},"spec":{"replicas":3},"status":{"replicas":1,"selector":"cluster.x-k8s.io/cluster-name=c"}}';
    expect(receivedBody({ target }, scale)).toBe(scale);
    expect(sentBody({ target, method: 'PATCH', headers: MERGE, body: '{"spec":{"replicas":3}}' })).toBe(
      '{"spec":{"replicas":3}}',
    );
  });

  it('28: large numbers, fractions, escapes and keys that come twice keep their bytes', () => {
    const body = (version: string): string =>
      String.raw`{"apiVersion":"${version}","x":9007199254740993,"y":1.0,"y":-0,"z":"\u003c\ud83d\ude00é","spec":{"apiGroup":"${version.split('/')[0] ?? ''}"}}`;
    const target = `/apis/${S}/v1beta2/namespaces/n/machines/x`;
    expect(receivedBody({ target }, body(`${P}/v1`))).toBe(body(`${S}/v1`));
    expect(receivedBody({ target }, body(String.raw`cluster\u002ehypershift.openshift.io/v1`))).toBe(body(`${S}/v1`));
  });

  it('29: what is tunnelled stays as it is', () => {
    for (const path of [
      'pods/x/exec',
      'pods/x/portforward',
      'pods/x/log',
      `pods/x/proxy/apis/${P}`,
      'services/x/proxy',
      'pods/x/attach',
    ]) {
      const target = `/api/v1/namespaces/n/${path}?container=c`;
      const headers = { upgrade: 'SPDY/3.1', 'content-length': '3' };
      expect(headersOf({ target, method: 'POST', headers })).toBe(headers);
      expect(sentBody({ target, method: 'POST', body: `{"apiVersion":"${S}/v1"}` })).toBe(`{"apiVersion":"${S}/v1"}`);
      expect(receivedBody({ target }, `{"apiVersion":"${P}/v1"}`)).toBe(`{"apiVersion":"${P}/v1"}`);
    }
    expect(
      refusedWith({ target: `/apis/${S}/v1beta2/machines?watch=1`, headers: { upgrade: 'websocket' } }),
    ).toMatchObject({ code: 400 });
  });
});
