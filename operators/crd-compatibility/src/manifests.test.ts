import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { CHECKER_NAME, checkerManifests } from './manifests.js';

const options = { namespace: 'compat', image: 'capstan:test' };
const find = (kind: string, more: object = {}): KubeObject | undefined =>
  checkerManifests({ ...options, ...more }).find((object) => object.kind === kind);

it('there are two that never go at once; on a single node there is one, and nothing keeps that from being drained', () => {
  expect(find('Deployment')).toMatchObject({
    spec: { replicas: 2, strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
  });
  expect(find('PodDisruptionBudget')).toMatchObject({ spec: { minAvailable: 1 } });
  expect(find('Deployment', { isSingleNode: true })).toMatchObject({ spec: { replicas: 1 } });
  expect(find('PodDisruptionBudget', { isSingleNode: true })).toBeUndefined();
});

it('no webhook configuration is among them, and the account comes before what runs with it', () => {
  const kinds = checkerManifests({ ...options, monitor: true }).map(({ kind }) => kind);
  expect(kinds).toEqual([
    'ServiceAccount',
    'ClusterRole',
    'ClusterRoleBinding',
    'Role',
    'RoleBinding',
    'Role',
    'RoleBinding',
    'Service',
    'Deployment',
    'PodDisruptionBudget',
    'ServiceMonitor',
  ]);
});

it('it may write no CRD but the one that is never there', () => {
  const { rules } = find('ClusterRole') as KubeObject & {
    rules: { resources: string[]; verbs: string[]; resourceNames?: string[] }[];
  };
  const writing = rules.filter(
    ({ resources, verbs }) =>
      resources.includes('customresourcedefinitions') && verbs.some((verb) => !['get', 'list', 'watch'].includes(verb)),
  );
  expect(writing.map(({ resourceNames }) => resourceNames)).toEqual([['probes.crd-compatibility.openshift.io']]);
});

it('the secret that the service CA is asked for is the one that is mounted, and pods are found', () => {
  const secretName = find('Service')?.metadata.annotations?.['service.beta.openshift.io/serving-cert-secret-name'];
  expect(secretName).toBe(`${CHECKER_NAME}-serving-cert`);
  const { selector, template } = (find('Deployment') ?? { spec: undefined })['spec'] as {
    selector: { matchLabels: Record<string, string> };
    template: { metadata: { labels: Record<string, string> }; spec: object };
  };
  expect(template.spec).toMatchObject({ volumes: [{ secret: { secretName } }] });
  expect(template.metadata.labels).toMatchObject(selector.matchLabels);
  expect(find('Service')).toMatchObject({ spec: { selector: selector.matchLabels } });
  for (const kind of ['PodDisruptionBudget', 'ServiceMonitor'])
    expect(find(kind, { monitor: true })).toMatchObject({ spec: { selector } });
});
