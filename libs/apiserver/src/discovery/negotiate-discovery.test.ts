import { describe, expect, it } from 'vitest';
import { negotiateDiscovery } from './index.js';

const v2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const v2beta1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

describe('negotiateDiscovery', () => {
  it.each([
    [undefined, 'legacy'],
    ['', 'legacy'],
    ['application/json', 'legacy'],
    [`${v2},${v2beta1},application/json`, 'v2'],
    [`${v2beta1},application/json`, 'v2beta1'],
    [`${v2beta1},${v2}`, 'v2beta1'],
    [`application/json,${v2}`, 'v2'],
    [`application/json,${v2};q=0.1`, 'v2'],
    ['application/json;as=APIGroupDiscoveryList;v=v3;g=apidiscovery.k8s.io,application/json', 'legacy'],
    ['application/json;as=APIGroupDiscoveryList;v=v2', 'legacy'],
    [
      'application/vnd.kubernetes.protobuf;as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io,application/json',
      'legacy',
    ],
    [`${v2};profile=nopeer`, 'v2'],
    ['text/html', 'legacy'],
  ])('takes %s for %s', (accept, shape) => {
    expect(negotiateDiscovery(accept)).toBe(shape);
  });
});
