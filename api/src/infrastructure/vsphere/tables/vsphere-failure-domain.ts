// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { addressesFromPool, addressesFromPoolV1Beta1, dhcp4Overrides, dhcp4OverridesV1Beta1 } from './shared.js';

const zoneShape = object({
  name: string({ maxLength: 1024, minLength: 1 }),
  tagCategory: string({ maxLength: 1024, minLength: 1 }),
  type: string({ enum: ['Datacenter', 'ComputeCluster', 'HostGroup'] }),
});

/** A value of the shape Zone. */
export interface Zone extends Infer<typeof zoneShape> {}

/** The shape Zone. */
export const zone: Schema<Zone> = named('Zone', zoneShape);

const zoneV1Beta1Shape = object({
  autoConfigure: optional(boolean()),
  name: string(),
  tagCategory: string(),
  type: string({ enum: ['Datacenter', 'ComputeCluster', 'HostGroup'] }),
});

/** A value of the shape Zone in v1beta1. */
export interface ZoneV1Beta1 extends Infer<typeof zoneV1Beta1Shape> {}

/** The shape Zone in v1beta1. */
export const zoneV1Beta1: Schema<ZoneV1Beta1> = named('Zone', zoneV1Beta1Shape);

const vsphereFailureDomainSpecV1Beta1Shape = object({
  region: zoneV1Beta1,
  topology: object({
    computeCluster: optional(string()),
    datacenter: string(),
    datastore: optional(string()),
    hosts: optional(object({ hostGroupName: string(), vmGroupName: string() })),
    networkConfigurations: optional(array(
      object({
        addressesFromPools: optional(array(addressesFromPoolV1Beta1)),
        dhcp4: optional(boolean()),
        dhcp4Overrides: optional(dhcp4OverridesV1Beta1),
        dhcp6: optional(boolean()),
        dhcp6Overrides: optional(dhcp4OverridesV1Beta1),
        nameservers: optional(array(string())),
        networkName: string(),
        searchDomains: optional(array(string())),
      }),
      { listMapKeys: ['networkName'], listType: 'map' },
    )),
    networks: optional(array(string())),
  }),
  zone: zoneV1Beta1,
});

/** A value of the shape VSphereFailureDomainSpec in v1beta1. */
export interface VSphereFailureDomainSpecV1Beta1 extends Infer<typeof vsphereFailureDomainSpecV1Beta1Shape> {}

/** The shape VSphereFailureDomainSpec in v1beta1. */
export const vsphereFailureDomainSpecV1Beta1: Schema<VSphereFailureDomainSpecV1Beta1> = named('VSphereFailureDomainSpec', vsphereFailureDomainSpecV1Beta1Shape);

const vsphereFailureDomainSpecShape = object({
  region: zone,
  topology: object({
    computeCluster: optional(string({ maxLength: 2048, minLength: 1 })),
    datacenter: string({ maxLength: 2048, minLength: 1 }),
    datastore: optional(string({ maxLength: 2048, minLength: 1 })),
    hosts: optional(object({
      hostGroupName: string({ maxLength: 2048, minLength: 1 }),
      vmGroupName: string({ maxLength: 2048, minLength: 1 }),
    })),
    networkConfigurations: optional(array(
      object({
        addressesFromPools: optional(array(addressesFromPool, { maxItems: 128, listType: 'atomic' })),
        dhcp4: optional(boolean()),
        dhcp4Overrides: optional(dhcp4Overrides),
        dhcp6: optional(boolean()),
        dhcp6Overrides: optional(dhcp4Overrides),
        nameservers: optional(array(string({ maxLength: 64, minLength: 1 }), { maxItems: 128, listType: 'atomic' })),
        networkName: string({ maxLength: 2048, minLength: 1 }),
        searchDomains: optional(array(string({ maxLength: 1024, minLength: 1 }), { maxItems: 128, listType: 'atomic' })),
      }),
      { maxItems: 128, listMapKeys: ['networkName'], listType: 'map' },
    )),
    networks: optional(array(string({ maxLength: 2048, minLength: 1 }), { maxItems: 128, listType: 'atomic' })),
  }),
  zone: zone,
});

/** A value of the shape VSphereFailureDomainSpec. */
export interface VSphereFailureDomainSpec extends Infer<typeof vsphereFailureDomainSpecShape> {}

/** The shape VSphereFailureDomainSpec. */
export const vsphereFailureDomainSpec: Schema<VSphereFailureDomainSpec> = named('VSphereFailureDomainSpec', vsphereFailureDomainSpecShape);

/** The kind VSphereFailureDomain. */
export const vsphereFailureDomain = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'VSphereFailureDomain',
  plural: 'vspherefailuredomains',
  categories: ['cluster-api'],
  scope: 'Cluster',
  labels: {
    'cluster.x-k8s.io/v1beta1': 'v1beta1',
    'cluster.x-k8s.io/v1beta2': 'v1beta2',
    'cluster.x-k8s.io/provider': 'infrastructure-vsphere',
  },
  conversion: { service: { namespace: 'capv-system', name: 'capv-webhook-service', path: '/convert' } },
  meanings: meanings,
  versions: [
    { name: 'v1beta1', deprecated: true, schema: object({ spec: optional(vsphereFailureDomainSpecV1Beta1) }) },
    { name: 'v1beta2', storage: true, schema: object({ spec: vsphereFailureDomainSpec }) },
  ],
});

/** VSphereFailureDomain in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type VSphereFailureDomainV1Beta1 = KindOf<typeof vsphereFailureDomain, 'v1beta1'>;

/** VSphereFailureDomain in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type VSphereFailureDomain = KindOf<typeof vsphereFailureDomain, 'v1beta2'>;
