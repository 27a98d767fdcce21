import { apply } from '@capstan/kube';
import type { Client, ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { expect } from 'vitest';
import { RESOURCES } from './accounts.js';

/** As whom HyperShift's own command installs. */
const OWNER = 'hypershift';
const LABELS = { name: 'operator' };
const IMAGE_VARIABLE = { name: 'IMAGE_AGENT_CAPI_PROVIDER', value: 'registry.example.com/agent' };
const NAMESPACES: ResourceRef = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
const CONFIGURATIONS: ResourceRef = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};

const port = (name: string, containerPort: number): object => ({ name, containerPort, protocol: 'TCP' });

function deployment(namespace: string): KubeObject {
  const image = 'registry.example.com/hypershift-operator:4.21';
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'operator', namespace, labels: { ...LABELS, app: 'operator' } },
    // No strategy: the server sets a rolling update.
    spec: {
      replicas: 1,
      selector: { matchLabels: LABELS },
      template: {
        metadata: { labels: { ...LABELS, app: 'operator' } },
        spec: {
          serviceAccountName: 'operator',
          nodeSelector: { 'example.com/role': 'infra' },
          initContainers: [{ name: 'init-environment', image, command: ['/usr/bin/hypershift-operator', 'init'] }],
          containers: [
            {
              name: 'operator',
              image,
              command: ['/usr/bin/hypershift-operator'],
              args: ['run', `--namespace=${namespace}`],
              env: [IMAGE_VARIABLE],
              ports: [port('metrics', 9000), port('manager', 9443)],
              livenessProbe: { httpGet: { path: '/metrics', port: 'metrics' }, periodSeconds: 60 },
              volumeMounts: [{ name: 'trusted-ca', mountPath: '/etc/pki/trusted' }],
            },
          ],
          volumes: [{ name: 'trusted-ca', configMap: { name: 'trusted-ca' } }],
        },
      },
    },
  };
}

function service(namespace: string): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'operator', namespace, labels: LABELS },
    spec: {
      selector: LABELS,
      ports: [
        { name: 'metrics', port: 9393, protocol: 'TCP', targetPort: 'metrics' },
        { name: 'manager', port: 443, protocol: 'TCP', targetPort: 'manager' },
      ],
    },
  };
}

/** Of its own Service, and refusing what nobody answers. Of a kind that no test writes, should it be left. */
function webhooks(namespace: string): KubeObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'hypershift.openshift.io' },
    webhooks: [
      {
        name: 'hostedclusters.hypershift.openshift.io',
        clientConfig: { service: { namespace, name: 'operator', path: '/validate-hostedcluster' } },
        rules: [
          {
            apiGroups: ['hypershift.openshift.io'],
            apiVersions: ['v1beta1'],
            resources: ['hostedclusters'],
            operations: ['CREATE', 'UPDATE'],
          },
        ],
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  };
}

/** Installs the operator of HyperShift as its own command does, as far as its objects have the names of ours. */
export async function installUpstream(client: Client, namespace: string): Promise<void> {
  const how = { fieldOwner: OWNER, force: true };
  await apply(client, NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }, how);
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'operator', namespace } };
  await apply(client, RESOURCES.ServiceAccount, account, how);
  await apply(client, RESOURCES.Deployment, deployment(namespace), how);
  await apply(client, RESOURCES.Service, service(namespace), how);
  await apply(client, CONFIGURATIONS, webhooks(namespace), how);
}

interface Found extends KubeObject {
  readonly spec: object;
}

const find = (client: Client, kind: 'Deployment' | 'Service', namespace: string): Promise<Found> =>
  client.get<Found>(RESOURCES[kind], 'operator', { namespace });

/** Its specs, which a dry run must not change, nor an installation that is repeated. */
export async function specsOf(client: Client, namespace: string): Promise<readonly object[]> {
  const found = await Promise.all((['Deployment', 'Service'] as const).map((kind) => find(client, kind, namespace)));
  return found.map(({ spec }) => spec);
}

/** That nothing of it is left which would not go together with ours, and what its administrator has set is. */
export async function expectTakenOver(client: Client, namespace: string): Promise<void> {
  const { spec } = await find(client, 'Deployment', namespace);
  expect(spec).toMatchObject({
    strategy: { type: 'Recreate' },
    selector: { matchLabels: LABELS },
    template: {
      metadata: { labels: { app: 'operator', ...LABELS } },
      spec: {
        nodeSelector: { 'example.com/role': 'infra' },
        initContainers: [{ name: 'kube-apiserver-proxy' }],
        containers: [
          {
            command: ['capstan'],
            env: expect.arrayContaining([IMAGE_VARIABLE]) as object,
            ports: [{ name: 'webhook' }, { name: 'metrics', containerPort: 8080 }, { name: 'health' }],
            volumeMounts: expect.arrayContaining([{ name: 'trusted-ca', mountPath: '/etc/pki/trusted' }]) as object,
          },
        ],
      },
    },
  });
  expect(spec).not.toHaveProperty('strategy.rollingUpdate');
  // What is ours by an update would stay once it is applied no more.
  for (const kind of ['Deployment', 'Service'] as const) {
    const { managedFields = [] } = (await find(client, kind, namespace)).metadata;
    const ours = managedFields.filter(({ manager }) => manager === 'capstan-install');
    expect(ours.map(({ operation }) => operation)).toEqual(['Apply']);
  }
  expect(await find(client, 'Service', namespace)).toMatchObject({
    spec: {
      selector: { app: 'operator' },
      ports: [
        { name: 'webhook', port: 443, targetPort: 9443 },
        { name: 'metrics', port: 8080 },
      ],
    },
  });
  const { items } = await client.list(CONFIGURATIONS);
  expect(items.map(({ metadata }) => metadata.name)).not.toContain('hypershift.openshift.io');
}
