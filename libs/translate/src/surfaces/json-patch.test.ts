import { describe, expect, it } from 'vitest';
import { sentBody, swapAll } from '../testing/exchange.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };

describe('JSON patches', () => {
  const target = `/apis/${S}/v1beta2/namespaces/n/machines/x`;
  const patch = (body: string): string => sentBody({ target, method: 'PATCH', headers: JSON_PATCH, body });

  it.each([
    `[{"op":"test","path":"/metadata/ownerReferences/0/apiVersion","value":"${S}/v1beta1"}]`,
    `[{"value":"${S}/v1beta1","op":"replace","path":"/apiVersion"}]`,
    `[{"op":"add","path":"/spec/infrastructureRef","value":{"apiGroup":"infrastructure.${S}"}},{"op":"add","path":"/spec/infrastructureRef/apiGroup","value":"infrastructure.${S}"}]`,
    `[{"op":"add","path":"/metadata/ownerReferences/-","value":{"apiVersion":"${S}/v1"}}]`,
    `[{"op":"replace","path":"","value":{"apiVersion":"${S}/v1","kind":"Machine"}}]`,
  ])('12: %s lands on groups', (body) => {
    expect(patch(body)).toBe(swapAll(body));
  });

  it.each([
    `[{"op":"test","path":"/metadata/labels/${S}~1cluster-name","value":"${S}/v1"}]`,
    `[{"op":"add","path":"/metadata/labels","value":{"apiVersion":"${S}/v1","${S}/x":"${S}"}}]`,
    `[{"op":"add","path":"/metadata/finalizers/-","value":"addons.${S}"}]`,
    `[{"op":"replace","path":"/kind","value":"ClusterClass"},{"op":"remove","path":"/metadata/annotations/${S}~1paused"}]`,
    `[{"op":"copy","from":"/metadata/labels/${S}~1a","path":"/metadata/labels/${S}~1b"}]`,
    `{"op":"add","path":"/apiVersion","value":"${S}/v1"}`,
    `[1, null, {"path":7,"value":"${S}/v1"}]`,
    `[{"op":"add","path":"/apiVersion","value":"${S}/v1"`,
  ])('12: %s stays', (body) => {
    expect(patch(body)).toBe(body);
  });

  it('13: managed fields are replaced with each version renamed and what they own untouched', () => {
    const body = (group: string): string =>
      `[{"op":"replace","path":"/metadata/managedFields","value":[{"apiVersion":"${group}/v1beta2","fieldsV1":{"f:${S}/x":{"apiVersion":"${S}/v1"}}},{"apiVersion":"v1"}]}]`;
    expect(patch(body(S))).toBe(body(P));
  });

  it('goes through keys that carry groups', () => {
    const body = (group: string): string =>
      `[{"op":"add","path":"/spec/hard/count~1machines.${group}","value":"3"},{"op":"move","from":"/spec/hard/count~1a.${group}","path":"/spec/hard/pods"}]`;
    expect(
      sentBody({
        target: '/api/v1/namespaces/n/resourcequotas/x',
        method: 'PATCH',
        headers: JSON_PATCH,
        body: body(S),
      }),
    ).toBe(body(P));
  });
});
