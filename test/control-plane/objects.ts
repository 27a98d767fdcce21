import type { HostedControlPlane } from '@capstan/api/hypershift';
import { controlPlaneComponent, hostedControlPlane } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import { releaseImages } from '@capstan/control-plane';
import { CLUSTER_ANNOTATION } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { admittingPlatform, testPlatform } from '@capstan/provider/testing';
import type { ReleasePayload } from '@capstan/release';

export const NAMESPACE = 'clusters-one';
export const NAME = 'one';
export const IMAGE = 'registry.example.com/release:4.22.0';

/** CRDs of the kinds of control planes, with the made-up platform among the platforms. */
export function definitions(): KubeObject[] {
  return [admittingPlatform(withoutNewRules(crd(hostedControlPlane)), testPlatform()), crd(controlPlaneComponent)];
}

/** Servers before 1.31 do not know these functions, and refuse the whole CRD for them. */
const NEW_FUNCTIONS = /\b(?:isCIDR|cidr|isIP|ip)\(/;

function withoutNewRules<T>(value: T): T {
  const isKnown = (rule: unknown): boolean => !NEW_FUNCTIONS.test((rule as { rule?: string }).rule ?? '');
  return JSON.parse(JSON.stringify(value), (key, item: unknown) =>
    key === 'x-kubernetes-validations' && Array.isArray(item) ? item.filter(isKnown) : item,
  ) as T;
}

/** A control plane of one replica each, whose API server is published by a load balancer. */
export function controlPlane(spec: object = {}, metadata: Partial<KubeObject['metadata']> = {}): HostedControlPlane {
  const strategy = (service: string, type: string): object => ({ service, servicePublishingStrategy: { type } });
  const plane: unknown = {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedControlPlane',
    metadata: { name: NAME, namespace: NAMESPACE, annotations: { [CLUSTER_ANNOTATION]: 'clusters/one' }, ...metadata },
    spec: {
      controllerAvailabilityPolicy: 'SingleReplica',
      dns: { baseDomain: 'example.com' },
      etcd: {
        managementType: 'Managed',
        managed: { storage: { type: 'PersistentVolume', persistentVolume: { size: '8Gi' } } },
      },
      infraID: 'one-x7k2p',
      issuerURL: 'https://one.example.com',
      networking: { serviceNetwork: [{ cidr: '172.31.0.0/16' }], clusterNetwork: [{ cidr: '10.132.0.0/14' }] },
      platform: { type: 'Harbour', harbour: { port: 'rotterdam' } },
      pullSecret: { name: 'pull-secret' },
      releaseImage: IMAGE,
      services: [
        strategy('APIServer', 'LoadBalancer'),
        strategy('OAuthServer', 'Route'),
        strategy('Konnectivity', 'Route'),
        strategy('Ignition', 'Route'),
      ],
      sshKey: { name: 'ssh-key' },
      ...spec,
    },
  };
  return plane as HostedControlPlane;
}

/** A release whose payload has every component but those left out. */
export function payload(version = '4.22.0', without: readonly string[] = []): ReleasePayload {
  const images = [...releaseImages(), 'harbour-cloud-controller-manager'];
  return {
    reference: `registry.example.com/release:${version}`,
    pullSpec: `registry.example.com/release@sha256:${version}`,
    version,
    kubernetesVersion: '1.35.2',
    architectures: ['amd64'],
    components: images,
    image: (name) =>
      images.includes(name) && !without.includes(name)
        ? `registry.example.com/${name}@sha256:${version.replaceAll('.', '')}`
        : undefined,
  };
}
