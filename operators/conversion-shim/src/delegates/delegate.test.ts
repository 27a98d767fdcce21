import { describe, expect, it } from 'vitest';
import { CLUSTER_API_RULES, GroupMapping } from '@capstan/translate';
import { delegateOf, readDelegates } from './delegate.js';

const mapping = new GroupMapping(CLUSTER_API_RULES);

describe('delegates that are named', () => {
  it.each([
    [
      'cluster.x-k8s.io=https://host/convert',
      { name: 'https://host/convert', server: 'https://host', path: '/convert' },
    ],
    ['cluster.x-k8s.io=ns/name', { name: 'ns/name', server: 'https://name.ns.svc:443', path: '/convert' }],
    ['cluster.x-k8s.io=ns/name:9443/c', { name: 'ns/name', server: 'https://name.ns.svc:9443', path: '/c' }],
    [
      'cluster.hypershift.openshift.io=ns/name',
      { name: 'ns/name', server: 'https://name.ns.svc:443', path: '/convert' },
    ],
  ])('%s', (text, delegate) => {
    expect([...readDelegates([text], mapping)]).toEqual([['cluster.x-k8s.io', delegate]]);
  });

  it.each([
    [['apps=ns/name'], 'apps=ns/name: "apps" is no group with a private name'],
    [['ns/name'], 'ns/name: "" is no group with a private name'],
    [
      ['cluster.x-k8s.io=http://host/'],
      'cluster.x-k8s.io=http://host/: "http://host/" is neither a URL with https nor a service as namespace/name[:port][/path]',
    ],
    [
      ['cluster.x-k8s.io=a/b', 'cluster.hypershift.openshift.io=c/d'],
      'cluster.hypershift.openshift.io=c/d: cluster.x-k8s.io has a delegate already',
    ],
  ])('%s are refused', (texts, message) => {
    expect(() => readDelegates(texts, mapping)).toThrow(message);
  });
});

describe('delegates that CRDs name', () => {
  const pem = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n';
  const caBundle = Buffer.from(pem).toString('base64');
  it.each([
    [
      { url: 'https://h:1/p', caBundle },
      { name: 'https://h:1/p', server: 'https://h:1', path: '/p', caPem: pem },
    ],
    [
      // Nobody has filled the bundle in yet.
      { service: { namespace: 'n', name: 's', path: 'p', port: 9443 }, caBundle: 'Cg==' },
      { name: 'n/s', server: 'https://s.n.svc:9443', path: '/p' },
    ],
    [{ url: 'https://user@h/' }, undefined],
    [{ url: 'nonsense' }, undefined],
  ])('%j', (config, delegate) => {
    expect(delegateOf(config)).toEqual(delegate);
  });
});
