import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { shimManifests, SHIM_NAME } from './manifests.js';

const options = { namespace: 'private', image: 'capstan:test' };
const find = (kind: string, more: object = {}): KubeObject => {
  const found = shimManifests({ ...options, ...more }).find((object) => object.kind === kind);
  return found ?? expect.fail(`there is no ${kind}`);
};

it('everything with a namespace is in the one that was chosen', () => {
  expect(
    shimManifests({ ...options, monitor: true }).map(({ kind, metadata }) => [kind, metadata.name, metadata.namespace]),
  ).toEqual([
    ['ServiceAccount', SHIM_NAME, 'private'],
    ['ClusterRole', SHIM_NAME, undefined],
    ['ClusterRoleBinding', `${SHIM_NAME}-private`, undefined],
    ['Service', SHIM_NAME, 'private'],
    ['Deployment', SHIM_NAME, 'private'],
    ['PodDisruptionBudget', SHIM_NAME, 'private'],
    ['ServiceMonitor', SHIM_NAME, 'private'],
  ]);
});

it('there are two that never go at once, and addresses are published before they are ready', () => {
  expect(find('Deployment')).toMatchObject({
    spec: { replicas: 2, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
  });
  expect(find('PodDisruptionBudget')).toMatchObject({ spec: { minAvailable: 1 } });
  expect(find('Service')).toMatchObject({ spec: { publishNotReadyAddresses: true } });
});

it('the secret that the service CA is asked for is the one that is mounted', () => {
  const { annotations = {} } = find('Service').metadata;
  const secretName = annotations['service.beta.openshift.io/serving-cert-secret-name'];
  expect(secretName).toBe(`${SHIM_NAME}-serving-cert`);
  expect(find('Deployment')).toMatchObject({
    spec: { template: { spec: { volumes: [{ name: 'serving-cert', secret: { secretName } }] } } },
  });
});

it('the Service, the budget, the monitor and the Deployment select the pods that are made', () => {
  const { selector, template } = find('Deployment')['spec'] as {
    selector: { matchLabels: Record<string, string> };
    template: { metadata: { labels: Record<string, string> } };
  };
  expect(template.metadata.labels).toMatchObject(selector.matchLabels);
  expect(find('Service')).toMatchObject({ metadata: { labels: selector.matchLabels } });
  expect(find('Service')).toMatchObject({ spec: { selector: selector.matchLabels } });
  for (const kind of ['PodDisruptionBudget', 'ServiceMonitor'])
    expect(find(kind, { monitor: true })).toMatchObject({ spec: { selector } });
});

it('delegates and pairs of groups become arguments', () => {
  const more = { delegates: ['a.cluster.x-k8s.io=ns/name'], groupPairs: ['b.io=c.io'] };
  const { template } = find('Deployment', more)['spec'] as {
    template: { spec: { containers: readonly [{ args: readonly string[] }] } };
  };
  expect(template.spec.containers[0].args.slice(-2)).toEqual([
    '--group-pair=b.io=c.io',
    '--delegate=a.cluster.x-k8s.io=ns/name',
  ]);
});
