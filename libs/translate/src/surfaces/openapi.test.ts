import { describe, expect, it } from 'vitest';
import { headersOf, MAPPING, receivedBody, receivedHeaders, refusedWith, targetOf } from '../testing/exchange.js';
import { swapCamel, swapSchemaName } from './openapi.js';

const S = 'cluster.x-k8s.io';
const P = 'cluster.hypershift.openshift.io';

interface Spelling {
  readonly group: string;
  readonly reversed: string;
  readonly camel: string;
  readonly tag: string;
}

const STANDARD: Spelling = {
  group: `t1.${S}`,
  reversed: 'io.x-k8s.cluster.t1',
  camel: 'T1ClusterXK8sIo',
  tag: 't1ClusterXK8sIo',
};
const PRIVATE: Spelling = {
  group: `t1.${P}`,
  reversed: 'io.openshift.hypershift.cluster.t1',
  camel: 'T1ClusterHypershiftOpenshiftIo',
  tag: 't1ClusterHypershiftOpenshiftIo',
};

const schemas = ({ group, reversed }: Spelling, root: string): string =>
  `"${reversed}.v1beta1.Gadget":{"description":"${P}","type":"object","properties":{"apiVersion":{"description":"x","type":"string"},"$ref":{"type":"string","default":"#/${root}/${PRIVATE.reversed}.v1.X"},"metadata":{"allOf":[{"$ref":"#/${root}/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}],"default":{"$ref":"#/x/${PRIVATE.reversed}.v1.X"}},"default":{"$ref":"#/${root}/${reversed}.v1beta1.Inner"}},"x-kubernetes-group-version-kind":[{"group":"${group}","version":"v1beta1","kind":"Gadget"}]},"${reversed}.v1beta1.GadgetList":{"properties":{"items":{"items":{"$ref":"#/${root}/${reversed}.v1beta1.Gadget"}}}}`;

const paths = ({ group, reversed, camel, tag }: Spelling, root: string): string =>
  `"/apis/${group}/v1beta1/namespaces/{namespace}/gadgets":{"get":{"tags":["${tag}_v1beta1"],"operationId":"list${camel}V1beta1NamespacedGadget","responses":{"200":{"schema":{"$ref":"#/${root}/${reversed}.v1beta1.GadgetList"}}},"x-kubernetes-action":"list","x-kubernetes-group-version-kind":{"group":"${group}","version":"v1beta1","kind":"Gadget"}},"parameters":[{"name":"${P}","in":"query"}]}`;

describe('OpenAPI', () => {
  it('lists the documents of the private groups by their standard names, and none of the platform', () => {
    const entry = (group: string, hash: string): string =>
      `"apis/${group}/v1":{"serverRelativeURL":"/openapi/v3/apis/${group}/v1?hash=${hash}"}`;
    const index = (entries: readonly string[]): string => `{"paths":{${entries.join()}}}`;
    const mixed = (hash: string): string => `${hash}-${MAPPING.hash}`;
    const given = index([
      entry(S, '1'),
      entry('apps', '2'),
      entry(P, '3'),
      entry(`ipam.${S}`, '4'),
      '".well-known/openid-configuration":{"serverRelativeURL":"/x"}',
    ]);
    const shown = index([
      entry('apps', mixed('2')),
      entry(S, mixed('3')),
      '".well-known/openid-configuration":{"serverRelativeURL":"/x"}',
    ]);
    // Servers send it as plain text.
    for (const type of ['application/json', 'text/plain; charset=utf-8'])
      expect(receivedBody({ target: '/openapi/v3' }, given, { headers: { 'content-type': type } })).toBe(shown);
  });

  it('renames all four spellings in a document', () => {
    const document = (spelling: Spelling): string =>
      `{"openapi":"3.0.0","info":{"title":"${P}"},"paths":{${paths(spelling, 'components/schemas')}},"components":{"schemas":{${schemas(spelling, 'components/schemas')}},"securitySchemes":{}}}`;
    expect(receivedBody({ target: `/openapi/v3/apis/t1.${S}/v1beta1` }, document(PRIVATE))).toBe(document(STANDARD));
  });

  it('leaves what is of the platform out of the old document', () => {
    const document = (spellings: readonly Spelling[]): string =>
      `{"swagger":"2.0","paths":{${spellings.map((spelling) => paths(spelling, 'definitions')).join()}},"definitions":{${spellings.map((spelling) => schemas(spelling, 'definitions')).join()}}}`;
    const other: Spelling = { group: 'apps', reversed: 'io.k8s.api.apps', camel: 'Apps', tag: 'apps' };
    const given = document([STANDARD, other, PRIVATE]);
    expect(receivedBody({ target: '/openapi/v2', headers: { accept: 'application/json' } }, given)).toBe(
      document([other, STANDARD]),
    );
  });

  it('moves to documents by their standard names, and asks for no protobuf', () => {
    const target = `/openapi/v3/apis/t1.${S}/v1beta1?hash=AA`;
    const headers = receivedHeaders(
      { target },
      { location: `/openapi/v3/apis/t1.${P}/v1beta1?hash=BB`, etag: '"BB"', 'content-length': '0' },
      301,
    );
    expect(headers).toEqual({
      location: `/openapi/v3/apis/t1.${S}/v1beta1?hash=BB-${MAPPING.hash}`,
      etag: `"BB-${MAPPING.hash}"`,
      'content-length': '0',
    });
    const protobuf = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    expect(headersOf({ target, headers: { accept: `${protobuf},application/json` } }).accept).toBe('application/json');
    expect(refusedWith({ target: '/openapi/v2', headers: { accept: protobuf } })).toMatchObject({
      code: 406,
      reason: 'NotAcceptable',
    });
  });

  it('names documents by their hash and the rules, for clients keep them for a year', () => {
    const target = (hash: string): string => `/openapi/v3/apis/t1.${S}/v1beta1?hash=${hash}&x=1`;
    expect(targetOf(target(`AB-${MAPPING.hash}`))).toBe(`/openapi/v3/apis/t1.${P}/v1beta1?hash=AB&x=1`);
    expect(targetOf(target('AB-0123'))).toBe(`/openapi/v3/apis/t1.${P}/v1beta1?hash=AB-0123&x=1`);
  });

  it.each([
    ['listClusterHypershiftOpenshiftIoV1beta1Machine', 'listClusterXK8sIoV1beta1Machine'],
    ['clusterXK8sIo_v1beta1', 'clusterHypershiftOpenshiftIo_v1beta1'],
    ['multiclusterXK8sIo_v1', 'multiclusterXK8sIo_v1'],
    ['listMulticlusterXK8sIoV1alpha1ServiceExport', 'listMulticlusterXK8sIoV1alpha1ServiceExport'],
    ['apps_v1', 'apps_v1'],
  ])('%s in camel case is %s', (text, expected) => {
    expect(swapCamel(MAPPING, text)).toBe(expected);
    expect(swapCamel(MAPPING, expected)).toBe(text);
  });

  it.each([
    ['io.x-k8s.cluster.v1beta1.Machine', 'io.openshift.hypershift.cluster.v1beta1.Machine'],
    ['io.x-k8s.multicluster.v1.X', 'io.x-k8s.multicluster.v1.X'],
    ['io.k8s.api.core.v1.Pod', 'io.k8s.api.core.v1.Pod'],
    ['Pod', 'Pod'],
  ])('%s as a schema is %s', (name, expected) => {
    expect(swapSchemaName(MAPPING, name)).toBe(expected);
    expect(swapSchemaName(MAPPING, expected)).toBe(name);
  });
});
