// Drafted by tools/src/api-kinds/draft from github.com/metal3-io/cluster-api-provider-metal3@v1.13.2; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import {
  anyObject,
  anything,
  array,
  boolean,
  int32,
  integer,
  kind,
  map,
  named,
  object,
  optional,
  string,
  time,
} from '../../../model/index.js';
import { meanings } from '../meanings.table.js';

const fromPoolAnnotationV1Beta1Shape = object({ annotation: string(), object: string({ enum: ['machine', 'metal3machine', 'baremetalhost'] }) });

/** A value of the shape FromPoolAnnotation in v1beta1. */
export interface FromPoolAnnotationV1Beta1 extends Infer<typeof fromPoolAnnotationV1Beta1Shape> {}

/** The shape FromPoolAnnotation in v1beta1. */
export const fromPoolAnnotationV1Beta1: Schema<FromPoolAnnotationV1Beta1> = named('FromPoolAnnotation', fromPoolAnnotationV1Beta1Shape);

const gatewaysFromIpPoolV1Beta1Shape = object({ apiGroup: string(), key: string(), kind: string(), name: string() });

/** A value of the shape GatewaysFromIPPool in v1beta1. */
export interface GatewaysFromIPPoolV1Beta1 extends Infer<typeof gatewaysFromIpPoolV1Beta1Shape> {}

/** The shape GatewaysFromIPPool in v1beta1. */
export const gatewaysFromIpPoolV1Beta1: Schema<GatewaysFromIPPoolV1Beta1> = named('GatewaysFromIPPool', gatewaysFromIpPoolV1Beta1Shape);

const fromPoolAnnotationShape = object({
  annotation: string({ maxLength: 512, minLength: 1 }),
  object: string({ enum: ['machine', 'metal3machine', 'baremetalhost'] }),
});

/** A value of the shape FromPoolAnnotation. */
export interface FromPoolAnnotation extends Infer<typeof fromPoolAnnotationShape> {}

/** The shape FromPoolAnnotation. */
export const fromPoolAnnotation: Schema<FromPoolAnnotation> = named('FromPoolAnnotation', fromPoolAnnotationShape);

const fromPoolRefV1Beta1Shape = object(
  { apiGroup: optional(string()), kind: string(), name: string() },
  { mapType: 'atomic' },
);

/** A value of the shape FromPoolRef in v1beta1. */
export interface FromPoolRefV1Beta1 extends Infer<typeof fromPoolRefV1Beta1Shape> {}

/** The shape FromPoolRef in v1beta1. */
export const fromPoolRefV1Beta1: Schema<FromPoolRefV1Beta1> = named('FromPoolRef', fromPoolRefV1Beta1Shape);

const metal3DataTemplateStatusV1Beta1Shape = object({ indexes: optional(map(integer())), lastUpdated: optional(time()) });

/** A value of the shape Metal3DataTemplateStatus in v1beta1. */
export interface Metal3DataTemplateStatusV1Beta1 extends Infer<typeof metal3DataTemplateStatusV1Beta1Shape> {}

/** The shape Metal3DataTemplateStatus in v1beta1. */
export const metal3DataTemplateStatusV1Beta1: Schema<Metal3DataTemplateStatusV1Beta1> = named('Metal3DataTemplateStatus', metal3DataTemplateStatusV1Beta1Shape);

const macAddressV1Beta1Shape = object({
  fromAnnotation: optional(fromPoolAnnotationV1Beta1),
  fromHostInterface: optional(string()),
  string: optional(string()),
});

/** A value of the shape MacAddress in v1beta1. */
export interface MacAddressV1Beta1 extends Infer<typeof macAddressV1Beta1Shape> {}

/** The shape MacAddress in v1beta1. */
export const macAddressV1Beta1: Schema<MacAddressV1Beta1> = named('MacAddress', macAddressV1Beta1Shape);

const gatewaysFromPoolShape = object({
  apiGroup: optional(string({ default: 'ipam.metal3.io', maxLength: 512, minLength: 1 })),
  key: string({ maxLength: 512, minLength: 1 }),
  kind: optional(string({ default: 'IPPool', maxLength: 512, minLength: 1 })),
  name: string({ maxLength: 512, minLength: 1 }),
});

/** A value of the shape GatewaysFromPool. */
export interface GatewaysFromPool extends Infer<typeof gatewaysFromPoolShape> {}

/** The shape GatewaysFromPool. */
export const gatewaysFromPool: Schema<GatewaysFromPool> = named('GatewaysFromPool', gatewaysFromPoolShape);

const macAddressShape = object({
  fromAnnotation: optional(fromPoolAnnotation),
  fromHostInterface: optional(string({ maxLength: 512, minLength: 1 })),
  string: optional(string({ maxLength: 512, minLength: 1 })),
});

/** A value of the shape MacAddress. */
export interface MacAddress extends Infer<typeof macAddressShape> {}

/** The shape MacAddress. */
export const macAddress: Schema<MacAddress> = named('MacAddress', macAddressShape);

const metal3DataTemplateStatusShape = object({
  indexes: optional(array(
    object({ index: int32({ minimum: 0 }), name: string({ maxLength: 512, minLength: 1 }) }),
    { maxItems: 512, minItems: 1, listMapKeys: ['index'], listType: 'map' },
  )),
  lastUpdated: optional(time()),
});

/** A value of the shape Metal3DataTemplateStatus. */
export interface Metal3DataTemplateStatus extends Infer<typeof metal3DataTemplateStatusShape> {}

/** The shape Metal3DataTemplateStatus. */
export const metal3DataTemplateStatus: Schema<Metal3DataTemplateStatus> = named('Metal3DataTemplateStatus', metal3DataTemplateStatusShape);

const fromPoolRefShape = object({
  apiGroup: optional(string({
    default: 'ipam.metal3.io',
    maxLength: 253,
    minLength: 1,
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  })),
  kind: optional(string({ default: 'IPPool', maxLength: 63, minLength: 1, pattern: '^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$' })),
  name: string({
    maxLength: 253,
    minLength: 1,
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  }),
});

/** A value of the shape FromPoolRef. */
export interface FromPoolRef extends Infer<typeof fromPoolRefShape> {}

/** The shape FromPoolRef. */
export const fromPoolRef: Schema<FromPoolRef> = named('FromPoolRef', fromPoolRefShape);

const routeV1Beta1Shape = object({
  gateway: object({
    fromIPPool: optional(string()),
    fromPoolAnnotation: optional(fromPoolAnnotationV1Beta1),
    fromPoolRef: optional(fromPoolRefV1Beta1),
    string: optional(string({
      pattern: '^((([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]))$',
    })),
  }),
  network: string({
    pattern: '^((([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]))$',
  }),
  prefix: optional(integer({ maximum: 32 })),
  services: optional(object({
    dns: optional(array(string({
      pattern: '^((([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]))$',
    }))),
    dnsFromIPPool: optional(string()),
  })),
});

/** A value of the shape Route in v1beta1. */
export interface RouteV1Beta1 extends Infer<typeof routeV1Beta1Shape> {}

/** The shape Route in v1beta1. */
export const routeV1Beta1: Schema<RouteV1Beta1> = named('Route', routeV1Beta1Shape);

const routeShape = object({
  gateway: object({
    fromIPPool: optional(string({ maxLength: 512, minLength: 1 })),
    fromPoolAnnotation: optional(fromPoolAnnotation),
    fromPoolRef: optional(fromPoolRef),
    string: optional(string({
      pattern: '^((([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]))$',
    })),
  }),
  network: string({
    pattern: '^((([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]))$',
  }),
  prefix: optional(int32({ maximum: 32, minimum: 0 })),
  services: optional(object({
    dns: optional(array(
      string({
        pattern: '^((([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]))$',
      }),
      { maxItems: 512, minItems: 1, listType: 'set' },
    )),
    dnsFromIPPool: optional(string({ maxLength: 512, minLength: 1 })),
  })),
});

/** A value of the shape Route. */
export interface Route extends Infer<typeof routeShape> {}

/** The shape Route. */
export const route: Schema<Route> = named('Route', routeShape);

const ipv6RouteV1Beta1Shape = object({
  gateway: object({
    fromIPPool: optional(string()),
    fromPoolAnnotation: optional(fromPoolAnnotationV1Beta1),
    fromPoolRef: optional(fromPoolRefV1Beta1),
    string: optional(string({
      pattern: '^(([0-9a-fA-F]{1,4}:){7,7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$',
    })),
  }),
  network: string({
    pattern: '^(([0-9a-fA-F]{1,4}:){7,7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$',
  }),
  prefix: optional(integer({ maximum: 128 })),
  services: optional(object({
    dns: optional(array(string({
      pattern: '^(([0-9a-fA-F]{1,4}:){7,7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$',
    }))),
    dnsFromIPPool: optional(string()),
  })),
});

/** A value of the shape Ipv6Route in v1beta1. */
export interface Ipv6RouteV1Beta1 extends Infer<typeof ipv6RouteV1Beta1Shape> {}

/** The shape Ipv6Route in v1beta1. */
export const ipv6RouteV1Beta1: Schema<Ipv6RouteV1Beta1> = named('Ipv6Route', ipv6RouteV1Beta1Shape);

const ipv6Dhcpv1Beta1Shape = object({ id: string(), link: string(), routes: optional(array(ipv6RouteV1Beta1)) });

/** A value of the shape Ipv6DHCP in v1beta1. */
export interface Ipv6DHCPV1Beta1 extends Infer<typeof ipv6Dhcpv1Beta1Shape> {}

/** The shape Ipv6DHCP in v1beta1. */
export const ipv6Dhcpv1Beta1: Schema<Ipv6DHCPV1Beta1> = named('Ipv6DHCP', ipv6Dhcpv1Beta1Shape);

const ipv6RouteShape = object({
  gateway: object({
    fromIPPool: optional(string({ maxLength: 512, minLength: 1 })),
    fromPoolAnnotation: optional(fromPoolAnnotation),
    fromPoolRef: optional(fromPoolRef),
    string: optional(string({
      pattern: '^(([0-9a-fA-F]{1,4}:){7,7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$',
    })),
  }),
  network: string({
    pattern: '^(([0-9a-fA-F]{1,4}:){7,7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$',
  }),
  prefix: optional(int32({ maximum: 128, minimum: 0 })),
  services: optional(object({
    dns: optional(array(
      string({
        pattern: '^(([0-9a-fA-F]{1,4}:){7,7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$',
      }),
      { maxItems: 512, minItems: 1, listType: 'set' },
    )),
    dnsFromIPPool: optional(string({ maxLength: 512, minLength: 1 })),
  })),
});

/** A value of the shape Ipv6Route. */
export interface Ipv6Route extends Infer<typeof ipv6RouteShape> {}

/** The shape Ipv6Route. */
export const ipv6Route: Schema<Ipv6Route> = named('Ipv6Route', ipv6RouteShape);

const ipv6DhcpShape = object({
  id: string({ maxLength: 512, minLength: 1 }),
  link: string({ maxLength: 512, minLength: 1 }),
  routes: optional(array(ipv6Route, { maxItems: 512, minItems: 1, listMapKeys: ['network'], listType: 'map' })),
});

/** A value of the shape Ipv6DHCP. */
export interface Ipv6DHCP extends Infer<typeof ipv6DhcpShape> {}

/** The shape Ipv6DHCP. */
export const ipv6Dhcp: Schema<Ipv6DHCP> = named('Ipv6DHCP', ipv6DhcpShape);

const metal3DataTemplateSpecV1Beta1Shape = object({
  clusterName: string({ minLength: 1 }),
  metaData: optional(object({
    dnsServersFromIPPool: optional(array(gatewaysFromIpPoolV1Beta1)),
    fromAnnotations: optional(array(object({
      annotation: string(),
      key: string(),
      object: string({ enum: ['machine', 'metal3machine', 'baremetalhost'] }),
    }))),
    fromHostInterfaces: optional(array(object({ fromBootMAC: optional(boolean()), interface: optional(string()), key: string() }))),
    fromLabels: optional(array(object({ key: string(), label: string(), object: string({ enum: ['machine', 'metal3machine', 'baremetalhost'] }) }))),
    gatewaysFromIPPool: optional(array(gatewaysFromIpPoolV1Beta1)),
    indexes: optional(array(object({
      key: string(),
      offset: optional(integer()),
      prefix: optional(string()),
      step: optional(integer({ default: 1 })),
      suffix: optional(string()),
    }))),
    ipAddressesFromIPPool: optional(array(gatewaysFromIpPoolV1Beta1)),
    namespaces: optional(array(object({ key: string() }))),
    objectNames: optional(array(object({ key: string(), object: string({ enum: ['machine', 'metal3machine', 'baremetalhost'] }) }))),
    prefixesFromIPPool: optional(array(gatewaysFromIpPoolV1Beta1)),
    strings: optional(array(object({ key: string(), value: string() }))),
  })),
  networkData: optional(object({
    links: optional(object({
      bonds: optional(array(object({
        bondLinks: optional(array(string())),
        bondMode: string({
          enum: ['balance-rr', 'active-backup', 'balance-xor', 'broadcast', 'balance-tlb', 'balance-alb', '802.3ad'],
        }),
        bondXmitHashPolicy: optional(string({ enum: ['layer2', 'layer3+4', 'layer2+3'] })),
        id: string(),
        macAddress: macAddressV1Beta1,
        mtu: optional(integer({ default: 1500, maximum: 9000 })),
        name: optional(string({ maxLength: 15, pattern: '^[a-zA-Z][a-zA-Z0-9._-]*$' })),
        parameters: optional(map(anything())),
      }))),
      ethernets: optional(array(object({
        id: string(),
        macAddress: macAddressV1Beta1,
        mtu: optional(integer({ default: 1500, maximum: 9000 })),
        name: optional(string({ maxLength: 15, pattern: '^[a-zA-Z][a-zA-Z0-9._-]*$' })),
        type: string({ enum: ['bridge', 'dvs', 'hw_veb', 'hyperv', 'ovs', 'tap', 'vhostuser', 'vif', 'phy'] }),
      }))),
      vlans: optional(array(object({
        id: string(),
        macAddress: macAddressV1Beta1,
        mtu: optional(integer({ default: 1500, maximum: 9000 })),
        name: optional(string({ maxLength: 15, pattern: '^[a-zA-Z][a-zA-Z0-9._-]*$' })),
        vlanID: integer({ maximum: 4096 }),
        vlanLink: string(),
      }))),
    })),
    networks: optional(object({
      ipv4: optional(array(object({
        fromPoolAnnotation: optional(fromPoolAnnotationV1Beta1),
        fromPoolRef: optional(fromPoolRefV1Beta1),
        id: string(),
        ipAddressFromIPPool: optional(string()),
        link: string(),
        routes: optional(array(routeV1Beta1)),
      }))),
      ipv4DHCP: optional(array(object({ id: string(), link: string(), routes: optional(array(routeV1Beta1)) }))),
      ipv6: optional(array(object({
        fromPoolAnnotation: optional(fromPoolAnnotationV1Beta1),
        fromPoolRef: optional(fromPoolRefV1Beta1),
        id: string(),
        ipAddressFromIPPool: string(),
        link: string(),
        routes: optional(array(ipv6RouteV1Beta1)),
      }))),
      ipv6DHCP: optional(array(ipv6Dhcpv1Beta1)),
      ipv6SLAAC: optional(array(ipv6Dhcpv1Beta1)),
    })),
    services: optional(object({
      dns: optional(array(string({
        pattern: '((^((([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]))$)|(^(([0-9a-fA-F]{1,4}:){7,7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$))',
      }))),
      dnsFromIPPool: optional(string()),
    })),
  })),
  templateReference: optional(string()),
});

/** A value of the shape Metal3DataTemplateSpec in v1beta1. */
export interface Metal3DataTemplateSpecV1Beta1 extends Infer<typeof metal3DataTemplateSpecV1Beta1Shape> {}

/** The shape Metal3DataTemplateSpec in v1beta1. */
export const metal3DataTemplateSpecV1Beta1: Schema<Metal3DataTemplateSpecV1Beta1> = named('Metal3DataTemplateSpec', metal3DataTemplateSpecV1Beta1Shape);

const metal3DataTemplateSpecShape = object({
  clusterName: string({ maxLength: 512, minLength: 1 }),
  metaData: optional(object({
    dnsServersFromPool: optional(array(gatewaysFromPool, { maxItems: 512, minItems: 1, listMapKeys: ['key'], listType: 'map' })),
    fromAnnotations: optional(array(
      object({
        annotation: string({ maxLength: 512, minLength: 1 }),
        key: string({ maxLength: 512, minLength: 1 }),
        object: string({ enum: ['machine', 'metal3machine', 'baremetalhost'] }),
      }),
      { maxItems: 512, minItems: 1, listMapKeys: ['key'], listType: 'map' },
    )),
    fromHostInterfaces: optional(array(
      object({
        fromBootMAC: optional(boolean()),
        interface: optional(string({ maxLength: 512, minLength: 1 })),
        key: string({ maxLength: 512, minLength: 1 }),
      }),
      { maxItems: 512, minItems: 1, listMapKeys: ['key'], listType: 'map' },
    )),
    fromLabels: optional(array(
      object({
        key: string({ maxLength: 512, minLength: 1 }),
        label: string({ maxLength: 512, minLength: 1 }),
        object: string({ enum: ['machine', 'metal3machine', 'baremetalhost'] }),
      }),
      { maxItems: 512, minItems: 1, listMapKeys: ['key'], listType: 'map' },
    )),
    gatewaysFromPool: optional(array(gatewaysFromPool, { maxItems: 512, minItems: 1, listMapKeys: ['key'], listType: 'map' })),
    indexes: optional(array(
      object({
        key: string({ maxLength: 512, minLength: 1 }),
        offset: optional(int32({ minimum: 0 })),
        prefix: optional(string({ maxLength: 512, minLength: 1 })),
        step: optional(int32({ default: 1, minimum: 1 })),
        suffix: optional(string({ maxLength: 512, minLength: 1 })),
      }),
      { maxItems: 512, minItems: 1, listMapKeys: ['key'], listType: 'map' },
    )),
    ipAddressesFromPool: optional(array(gatewaysFromPool, { maxItems: 512, minItems: 1, listMapKeys: ['key'], listType: 'map' })),
    namespaces: optional(array(
      object({ key: string({ maxLength: 512, minLength: 1 }) }),
      { maxItems: 512, minItems: 1, listMapKeys: ['key'], listType: 'map' },
    )),
    objectNames: optional(array(
      object({
        key: string({ maxLength: 512, minLength: 1 }),
        object: string({ enum: ['machine', 'metal3machine', 'baremetalhost'] }),
      }),
      { maxItems: 512, minItems: 1, listMapKeys: ['key'], listType: 'map' },
    )),
    prefixesFromPool: optional(array(gatewaysFromPool, { maxItems: 512, minItems: 1, listMapKeys: ['key'], listType: 'map' })),
    strings: optional(array(
      object({ key: string({ maxLength: 512, minLength: 1 }), value: string({ maxLength: 512, minLength: 1 }) }),
      { maxItems: 512, minItems: 1, listMapKeys: ['key'], listType: 'map' },
    )),
  })),
  networkData: optional(object({
    links: optional(object({
      bonds: optional(array(
        object({
          bondLinks: optional(array(string({ maxLength: 512, minLength: 1 }), { maxItems: 512, listType: 'set' })),
          bondMode: string({
            enum: ['balance-rr', 'active-backup', 'balance-xor', 'broadcast', 'balance-tlb', 'balance-alb', '802.3ad'],
          }),
          bondXmitHashPolicy: optional(string({ enum: ['layer2', 'layer3+4', 'layer2+3'] })),
          id: string({ maxLength: 512, minLength: 1 }),
          macAddress: macAddress,
          mtu: optional(int32({ default: 1500, maximum: 9000, minimum: 1280 })),
          name: optional(string({ maxLength: 15, minLength: 1, pattern: '^[a-zA-Z][a-zA-Z0-9._-]*$' })),
          parameters: array(
            object({ name: string({ maxLength: 512, minLength: 1 }), value: optional(anyObject()) }),
            { maxItems: 512, minItems: 1, listMapKeys: ['name'], listType: 'map' },
          ),
        }),
        { maxItems: 512, minItems: 1, listMapKeys: ['id'], listType: 'map' },
      )),
      ethernets: optional(array(
        object({
          id: string({ maxLength: 512, minLength: 1 }),
          macAddress: macAddress,
          mtu: optional(int32({ default: 1500, maximum: 9000, minimum: 1280 })),
          name: optional(string({ maxLength: 15, minLength: 1, pattern: '^[a-zA-Z][a-zA-Z0-9._-]*$' })),
          type: string({ enum: ['bridge', 'dvs', 'hw_veb', 'hyperv', 'ovs', 'tap', 'vhostuser', 'vif', 'phy'] }),
        }),
        { maxItems: 32, minItems: 1, listMapKeys: ['id'], listType: 'map' },
      )),
      vlans: optional(array(
        object({
          id: string({ maxLength: 512, minLength: 1 }),
          macAddress: macAddress,
          mtu: optional(int32({ default: 1500, maximum: 9000, minimum: 1280 })),
          name: optional(string({ maxLength: 15, minLength: 1, pattern: '^[a-zA-Z][a-zA-Z0-9._-]*$' })),
          vlanID: int32({ maximum: 4096, minimum: 0 }),
          vlanLink: string({ maxLength: 512, minLength: 1 }),
        }),
        { maxItems: 512, minItems: 1, listMapKeys: ['vlanID'], listType: 'map' },
      )),
    })),
    networks: optional(object({
      ipv4: optional(array(
        object({
          fromPoolAnnotation: optional(fromPoolAnnotation),
          fromPoolRef: optional(fromPoolRef),
          id: string({ maxLength: 512, minLength: 1 }),
          ipAddressFromIPPool: optional(string({ maxLength: 512, minLength: 1 })),
          link: string({ maxLength: 512, minLength: 1 }),
          routes: optional(array(route, { maxItems: 512, minItems: 1, listMapKeys: ['network'], listType: 'map' })),
        }),
        { maxItems: 512, minItems: 1, listMapKeys: ['id'], listType: 'map' },
      )),
      ipv4DHCP: optional(array(
        object({
          id: string({ maxLength: 512, minLength: 1 }),
          link: string({ maxLength: 512, minLength: 1 }),
          routes: optional(array(route, { maxItems: 512, minItems: 1, listMapKeys: ['network'], listType: 'map' })),
        }),
        { maxItems: 512, minItems: 1, listMapKeys: ['id'], listType: 'map' },
      )),
      ipv6: optional(array(
        object({
          fromPoolAnnotation: optional(fromPoolAnnotation),
          fromPoolRef: optional(fromPoolRef),
          id: string({ maxLength: 512, minLength: 1 }),
          ipAddressFromIPPool: optional(string({ maxLength: 512, minLength: 1 })),
          link: string({ maxLength: 512, minLength: 1 }),
          routes: optional(array(ipv6Route, { maxItems: 512, minItems: 1, listMapKeys: ['network'], listType: 'map' })),
        }),
        { maxItems: 512, minItems: 1, listMapKeys: ['id'], listType: 'map' },
      )),
      ipv6DHCP: optional(array(ipv6Dhcp, { maxItems: 512, minItems: 1, listMapKeys: ['id'], listType: 'map' })),
      ipv6SLAAC: optional(array(ipv6Dhcp, { maxItems: 512, minItems: 1, listMapKeys: ['id'], listType: 'map' })),
    })),
    services: optional(object({
      dns: optional(array(
        string({
          pattern: '((^((([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])\\.){3}([0-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5]))$)|(^(([0-9a-fA-F]{1,4}:){7,7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$))',
        }),
        { maxItems: 512, minItems: 1, listType: 'set' },
      )),
      dnsFromIPPool: optional(string({ maxLength: 512, minLength: 1 })),
    })),
  })),
});

/** A value of the shape Metal3DataTemplateSpec. */
export interface Metal3DataTemplateSpec extends Infer<typeof metal3DataTemplateSpecShape> {}

/** The shape Metal3DataTemplateSpec. */
export const metal3DataTemplateSpec: Schema<Metal3DataTemplateSpec> = named('Metal3DataTemplateSpec', metal3DataTemplateSpecShape);

/** The kind Metal3DataTemplate. */
export const metal3DataTemplate = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'Metal3DataTemplate',
  plural: 'metal3datatemplates',
  shortNames: ['m3dt', 'm3datatemplate', 'm3datatemplates', 'metal3dt', 'metal3datatemplate'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: {
    'cluster.x-k8s.io/v1beta1': 'v1beta1',
    'cluster.x-k8s.io/v1beta2': 'v1beta2',
    'cluster.x-k8s.io/provider': 'infrastructure-metal3',
  },
  conversion: {
    service: { namespace: 'capm3-system', name: 'capm3-webhook-service', path: '/convert' },
    reviewVersions: ['v1', 'v1beta1'],
  },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      deprecated: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(metal3DataTemplateSpecV1Beta1), status: optional(metal3DataTemplateStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(metal3DataTemplateSpec), status: optional(metal3DataTemplateStatus) }),
    },
  ],
});

/** Metal3DataTemplate in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type Metal3DataTemplateV1Beta1 = KindOf<typeof metal3DataTemplate, 'v1beta1'>;

/** Metal3DataTemplate in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type Metal3DataTemplate = KindOf<typeof metal3DataTemplate, 'v1beta2'>;
