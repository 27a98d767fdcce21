import { describe, expect, it } from 'vitest';
import { headersOf, MAPPING, receivedBody, receivedHeaders } from '../testing/exchange.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';

describe('discovery', () => {
  const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  const resource = (group: string): string =>
    `{"resource":"machinesets","responseKind":{"group":"${group}","version":"v1beta1","kind":"MachineSet"},"subresources":[{"subresource":"scale","responseKind":{"group":"autoscaling","version":"v1","kind":"Scale"},"acceptedTypes":[{"group":"${group}","version":"v1","kind":"X"}]}]}`;
  const item = (group: string, order: readonly string[], of = group): string =>
    `{"metadata":{"name":"${group}","creationTimestamp":null},"versions":[${order.map((version) => `{"version":"${version}","resources":[${resource(of)}],"freshness":"${version === 'v1beta1' ? 'Stale' : 'Current'}"}`).join()}]}`;

  it('16: shows one standard group, in the order and freshness of the private one', () => {
    const list = (items: readonly string[]): string =>
      `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[${items.join()}]}`;
    const other = item('multicluster.x-k8s.io', ['v1']);
    const given = list([
      item(S, ['v1beta2', 'v1beta1']),
      other,
      item(P, ['v1beta1', 'v1beta2']),
      item(`ipam.${S}`, ['v1']),
    ]);
    expect(
      receivedBody({ target: '/apis', headers: { accept: AGGREGATED } }, given, {
        headers: { 'content-type': AGGREGATED },
      }),
    ).toBe(list([other, item(S, ['v1beta1', 'v1beta2'])]));
    expect(
      headersOf({
        target: '/apis',
        headers: { accept: `${AGGREGATED},application/vnd.kubernetes.protobuf,application/json` },
      }).accept,
    ).toBe(`${AGGREGATED},application/json`);
  });

  it('16: mixes the rules into ETags, and takes them out of questions', () => {
    const sent = { target: '/apis', headers: { 'if-none-match': `"AB-${MAPPING.hash}", "CD", "EF-0123"` } };
    expect(headersOf(sent)['if-none-match']).toBe('"AB"');
    expect(headersOf({ ...sent, headers: { 'if-none-match': '"CD"' } })).not.toHaveProperty('if-none-match');
    const headers = receivedHeaders(sent, {
      etag: '"AB"',
      'content-type': AGGREGATED,
      'content-length': '7',
      vary: 'Accept',
    });
    expect(headers).toEqual({ etag: `"AB-${MAPPING.hash}"`, 'content-type': AGGREGATED, vary: 'Accept' });
    expect(receivedHeaders(sent, { etag: '"AB"' }, 304)).toEqual({ etag: `"AB-${MAPPING.hash}"` });
    const other = { target: '/api/v1/pods', headers: { 'if-none-match': '"x"' } };
    expect(headersOf(other)['if-none-match']).toBe('"x"');
    expect(receivedHeaders(other, { etag: '"x"' })).toEqual({ etag: '"x"' });
  });

  it('17: the older lists show the same', () => {
    const group = (name: string): string =>
      `{"name":"${name}","versions":[{"groupVersion":"${name}/v1beta1","version":"v1beta1"}],"preferredVersion":{"groupVersion":"${name}/v1beta1","version":"v1beta1"}}`;
    const list = (groups: readonly string[]): string =>
      `{"kind":"APIGroupList","apiVersion":"v1","groups":[${groups.join()}]}`;
    expect(receivedBody({ target: '/apis' }, list([group('apps'), group(S), group(P)]))).toBe(
      list([group('apps'), group(S)]),
    );
    expect(receivedBody({ target: `/apis/${S}` }, `{"kind":"APIGroup","apiVersion":"v1",${group(P).slice(1)}`)).toBe(
      `{"kind":"APIGroup","apiVersion":"v1",${group(S).slice(1)}`,
    );
    const resources = (name: string): string =>
      `{"kind":"APIResourceList","apiVersion":"v1","groupVersion":"${name}/v1beta1","resources":[{"name":"machinesets/scale","group":"autoscaling","version":"v1","kind":"Scale"},{"name":"x","group":"a.${name}","storageVersionHash":"4FJrk4U/j/o="}]}`;
    expect(receivedBody({ target: `/apis/${S}/v1beta1` }, resources(P))).toBe(resources(S));
  });
});
