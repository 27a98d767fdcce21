import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { takenOver } from './take-over.js';

const OWNER = 'capstan-install';

function object(kind: string, spec: object, manager = 'hypershift'): KubeObject {
  const managedFields = [{ manager, operation: 'Apply', apiVersion: 'v1' }];
  const metadata = { name: 'operator', resourceVersion: '7', labels: { a: 'there', b: 'there' }, managedFields };
  return { apiVersion: 'v1', kind, metadata, spec } as KubeObject;
}

function wanted(kind: string, spec: object): KubeObject {
  return {
    apiVersion: 'v1',
    kind,
    metadata: { name: 'operator', labels: { a: 'wanted' }, annotations: { c: 'wanted' } },
    spec,
  };
}

const pod = (spec: object): object => ({ template: { metadata: {}, spec } });

describe('An object of another installer', () => {
  it('is left to applying where it has been applied by this one', () => {
    expect(takenOver(object('Service', {}, OWNER), wanted('Service', {}), OWNER)).toBeUndefined();
    expect(takenOver(object('ConfigMap', {}), wanted('ConfigMap', {}), OWNER)).toBeUndefined();
  });

  it('is replaced in the version that was read, with the labels of both', () => {
    const ports = [{ name: 'webhook', port: 443 }];
    const there = object('Service', { clusterIP: '10.0.0.1', ports: [{ name: 'metrics', port: 9393 }] });
    expect(takenOver(there, wanted('Service', { ports }), OWNER)).toEqual({
      ...there,
      metadata: {
        name: 'operator',
        resourceVersion: '7',
        labels: { a: 'wanted', b: 'there' },
        annotations: { c: 'wanted' },
      },
      spec: { clusterIP: '10.0.0.1', ports },
    });
  });

  it('loses the programs that it ran, and keeps what its administrator has set', () => {
    const there = object('Deployment', {
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%' } },
      ...pod({
        nodeSelector: { role: 'infra' },
        imagePullSecrets: [{ name: 'pull' }],
        hostNetwork: true,
        initContainers: [{ name: 'init' }],
        containers: [
          {
            name: 'operator',
            ports: [{ name: 'metrics', containerPort: 9000 }],
            env: [
              { name: 'KUBECONFIG', value: 'theirs' },
              { name: 'MODE', value: 'theirs' },
              { name: 'IMAGE', value: 'theirs' },
            ],
            envFrom: [{ secretRef: { name: 'env' } }],
            volumeMounts: [
              { name: 'certs', mountPath: '/etc/serving' },
              { name: 'ca', mountPath: '/etc/ca' },
            ],
          },
          { name: 'sidecar' },
        ],
        volumes: [
          { name: 'certs', secret: { secretName: 'theirs' } },
          { name: 'ca', configMap: { name: 'ca' } },
        ],
      }),
    });
    const mine = {
      strategy: { type: 'Recreate' },
      ...pod({
        containers: [
          {
            name: 'operator',
            ports: [{ name: 'metrics', containerPort: 8080 }],
            env: [{ name: 'MODE', value: 'ours' }],
            volumeMounts: [{ name: 'certs', mountPath: '/etc/serving' }],
          },
        ],
        volumes: [{ name: 'certs', secret: { secretName: 'ours' } }],
      }),
    };
    expect(takenOver(there, wanted('Deployment', mine), OWNER)?.['spec']).toEqual({
      strategy: { type: 'Recreate' },
      ...pod({
        nodeSelector: { role: 'infra' },
        imagePullSecrets: [{ name: 'pull' }],
        containers: [
          {
            name: 'operator',
            ports: [{ name: 'metrics', containerPort: 8080 }],
            env: [
              { name: 'MODE', value: 'ours' },
              { name: 'IMAGE', value: 'theirs' },
            ],
            envFrom: [{ secretRef: { name: 'env' } }],
            volumeMounts: [
              { name: 'certs', mountPath: '/etc/serving' },
              { name: 'ca', mountPath: '/etc/ca' },
            ],
          },
        ],
        volumes: [
          { name: 'certs', secret: { secretName: 'ours' } },
          { name: 'ca', configMap: { name: 'ca' } },
        ],
      }),
    });
  });
});
