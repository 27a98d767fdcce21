import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { sidecarInjection } from './injection.js';

const PROXY = sidecarInjection({ image: 'proxy:1', native: true });
const NAMES = [
  'control-plane-operator',
  'cluster-api',
  'capi-provider',
  'cluster-autoscaler',
  'machine-approver',
  'hosted-cluster-config-operator',
  'karpenter-operator',
];

function deployment(name: string, container: object = {}): KubeObject {
  const template = {
    metadata: { labels: { app: name } },
    spec: { containers: [{ name, image: 'i', args: ['run'], ...container }] },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: { replicas: 1, template },
  } as KubeObject;
}

function environmentOf(object: KubeObject): readonly { readonly name: string; readonly value?: string }[] {
  const { template } = object['spec'] as { template: { spec: { containers: { env?: { name: string }[] }[] } } };
  return template.spec.containers[0]?.env ?? [];
}

describe('the proxy of a Deployment', () => {
  it.each(NAMES)('is added to %s, and removed to the byte', (name) => {
    for (const container of [{}, { env: [] }, { env: [{ name: 'A', value: 'a' }] }]) {
      const before = deployment(name, container);
      const after = PROXY.add(before);
      expect([PROXY.has(before), PROXY.has(after)]).toEqual([false, true]);
      expect(JSON.stringify(PROXY.remove(after))).toBe(JSON.stringify(before));
      expect(JSON.stringify(PROXY.add(after))).toBe(JSON.stringify(after));
    }
  });

  it('comes with a signal to the control plane operator, which has none after the removal', () => {
    const before = deployment('control-plane-operator', { env: [{ name: 'A', value: 'a' }] });
    const after = PROXY.add(before);
    expect(environmentOf(after)).toMatchObject([
      { name: 'A' },
      { name: 'KUBECONFIG' },
      { name: 'PRIVATE_CAPI_TYPES', value: 'true' },
      { name: 'PROXY_IMAGE', value: 'proxy:1' },
      { name: 'PROXY_NATIVE', value: 'true' },
    ]);
    expect(environmentOf(PROXY.remove(after))).toEqual([{ name: 'A', value: 'a' }]);
  });

  it('is not a signal to any other component', () => {
    const names = environmentOf(PROXY.add(deployment('cluster-api'))).map(({ name }) => name);
    expect(names).toEqual(['KUBECONFIG']);
  });
});
