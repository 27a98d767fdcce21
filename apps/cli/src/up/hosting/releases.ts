import { releaseImages } from '@capstan/control-plane';
import type { HostingPlatform } from '@capstan/provider';
import type { FixtureRelease } from '@capstan/simulation';
import { bootImages } from './boot-images.js';

/** Images of the payload that only some platforms use. */
const OF_PLATFORMS = [
  'aws-node-termination-handler',
  'azure-cloud-node-manager',
  'csi-external-attacher',
  'csi-external-provisioner',
  'csi-external-resizer',
  'csi-external-snapshotter',
  'csi-livenessprobe',
  'csi-node-driver-registrar',
  'ibmcloud-cluster-api-controllers',
  'kubevirt-csi-driver',
  'openstack-resource-controller',
];
const ARCHITECTURES = ['amd64', 'arm64', 'ppc64le', 's390x'];

/** The releases that can be had here: two patches of a minor, and the next one. */
export function releasesOf(platforms: Iterable<HostingPlatform>): readonly FixtureRelease[] {
  const own = [...platforms].flatMap(({ key }) => [
    `${key}-cloud-controller-manager`,
    `${key}-cluster-api-controllers`,
  ]);
  const components = [
    ...new Set([...releaseImages(), 'hypershift', 'cluster-capi-controllers', ...OF_PLATFORMS, ...own]),
  ];
  const release = (version: string, kubernetesVersion: string): FixtureRelease => ({
    version,
    kubernetesVersion,
    components,
    architectures: ARCHITECTURES,
    bootImages: bootImages(version),
  });
  return [release('4.22.0', '1.35.2'), release('4.22.1', '1.35.3'), release('5.0.0', '1.36.1')];
}
