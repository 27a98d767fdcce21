import { expect, it } from 'vitest';
import { singularOf } from './metrics.js';

it.each([
  ['machines', 'machine'],
  ['machinehealthchecks', 'machinehealthcheck'],
  ['ipaddresses', 'ipaddress'],
  ['ingresses', 'ingress'],
  ['networkpolicies', 'networkpolicy'],
  ['clusterclasses', 'clusterclass'],
  ['leases', 'lease'],
  ['prefixes', 'prefix'],
  ['dnsclass', 'dnsclass'],
  ['sheep', 'sheep'],
])('%s are counted as %s', (plural, singular) => {
  expect(singularOf(plural)).toBe(singular);
});
