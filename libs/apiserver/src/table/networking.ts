import {
  formatLabels,
  formatSelector,
  hostPort,
  listWithMore,
  loadBalancerAddresses,
  since,
  type LabelSelectorView,
} from './format.js';
import { printer, type TablePrinter, type View } from './printer.js';

interface LoadBalancer {
  readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
}

interface ServiceView extends View {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly externalIPs?: readonly string[];
    readonly externalName?: string;
    readonly ports?: readonly { readonly port: number; readonly nodePort?: number; readonly protocol?: string }[];
    readonly selector?: Readonly<Record<string, string>>;
  };
  readonly status?: LoadBalancer;
}

function externalAddress({ spec, status }: ServiceView): string {
  const external = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return external.length > 0 ? external.join(',') : '<none>';
    case 'LoadBalancer': {
      const addresses = [...loadBalancerAddresses(status?.loadBalancer), ...external];
      return addresses.length > 0 ? addresses.join(',') : '<pending>';
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

function servicePorts({ spec }: ServiceView): string {
  const ports = spec?.ports ?? [];
  if (ports.length === 0) return '<none>';
  return ports
    .map(({ port, nodePort = 0, protocol = '' }) =>
      nodePort > 0 ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
    )
    .join(',');
}

/** Services. */
export const services: TablePrinter = printer<ServiceView>(
  `Name
   Type        | string  | How the service can be reached.
   Cluster-IP  | string  | Its address inside the cluster.
   External-IP | string  | Its addresses outside the cluster.
   Port(s)     | string  | Its ports, with node ports and protocols.
   Age
   Selector    | string+`,
  (service, now) => [
    service.metadata.name ?? '',
    service.spec?.type ?? '',
    service.spec?.clusterIPs?.[0] ?? (service.spec?.clusterIP || '<none>'),
    externalAddress(service),
    servicePorts(service),
    since(service.metadata.creationTimestamp, now),
    formatLabels(service.spec?.selector),
  ],
);

interface EndpointsView extends View {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string }[];
    readonly ports?: readonly { readonly port: number }[];
  }[];
}

function formatEndpoints({ subsets }: EndpointsView): string {
  if (subsets === undefined || subsets.length === 0) return '<none>';
  const list = subsets.flatMap(({ addresses = [], ports = [] }) => {
    if (ports.length === 0) return addresses.map(({ ip }) => ip);
    return ports.flatMap(({ port }) => addresses.map(({ ip }) => hostPort(ip, port)));
  });
  return listWithMore(list, 3, '');
}

/** Endpoints. */
export const endpoints: TablePrinter = printer<EndpointsView>(
  `Name
   Endpoints | string | Addresses and ports behind the service.
   Age`,
  (object, now) => [object.metadata.name ?? '', formatEndpoints(object), since(object.metadata.creationTimestamp, now)],
);

interface EndpointSliceView extends View {
  readonly addressType?: string;
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null;
  readonly endpoints?: readonly { readonly addresses?: readonly string[] }[] | null;
}

/** Endpoint slices. */
export const endpointSlices: TablePrinter = printer<EndpointSliceView>(
  `Name
   AddressType | string | The kind of addresses in the slice.
   Ports       | string | The ports of every endpoint.
   Endpoints   | string | The addresses of the endpoints.
   Age`,
  ({ metadata, addressType, ports, endpoints: members }, now) => [
    metadata.name ?? '',
    addressType ?? '',
    listWithMore(
      (ports ?? []).map(({ name, port }) => (port === undefined ? (name ?? '*') : `${port}`)),
      3,
      '<unset>',
    ),
    listWithMore(
      (members ?? []).flatMap(({ addresses }) => addresses ?? []),
      3,
      '<unset>',
    ),
    since(metadata.creationTimestamp, now),
  ],
);

interface IngressView extends View {
  readonly spec?: {
    readonly ingressClassName?: string;
    readonly rules?: readonly { readonly host?: string }[];
    readonly tls?: readonly unknown[];
  };
  readonly status?: LoadBalancer;
}

/** Counts the rules beyond the third host seen, whether or not they name one: so does the real server. */
function formatHosts(rules: readonly { readonly host?: string }[]): string {
  const hosts: string[] = [];
  let more = false;
  for (const { host = '' } of rules) {
    if (hosts.length === 3) more = true;
    else if (host !== '') hosts.push(host);
  }
  if (hosts.length === 0) return '*';
  return more ? `${hosts.join(',')} + ${rules.length - 3} more...` : hosts.join(',');
}

/** Ingresses. */
export const ingresses: TablePrinter = printer<IngressView>(
  `Name
   Class   | string | The ingress class that serves it.
   Hosts   | string | The hosts its rules name.
   Address | string | Where the load balancer listens.
   Ports   | string | The ports it listens on.
   Age`,
  ({ metadata, spec, status }, now) => [
    metadata.name ?? '',
    spec?.ingressClassName ?? '<none>',
    formatHosts(spec?.rules ?? []),
    loadBalancerAddresses(status?.loadBalancer).join(','),
    (spec?.tls?.length ?? 0) > 0 ? '80, 443' : '80',
    since(metadata.creationTimestamp, now),
  ],
);

interface IngressClassView extends View {
  readonly spec?: {
    readonly controller?: string;
    readonly parameters?: { readonly kind: string; readonly apiGroup?: string; readonly name: string };
  };
}

/** Ingress classes. */
export const ingressClasses: TablePrinter = printer<IngressClassView>(
  `Name
   Controller | string | Who serves ingresses of this class.
   Parameters | string | The object with further settings.
   Age`,
  ({ metadata, spec }, now) => {
    const isDefault = metadata.annotations?.['ingressclass.kubernetes.io/is-default-class'] === 'true';
    const { kind, apiGroup, name } = spec?.parameters ?? {};
    return [
      `${metadata.name ?? ''}${isDefault ? ' (default)' : ''}`,
      spec?.controller ?? '',
      kind === undefined ? '<none>' : `${apiGroup === undefined ? kind : `${kind}.${apiGroup}`}/${name ?? ''}`,
      since(metadata.creationTimestamp, now),
    ];
  },
);

interface NetworkPolicyView extends View {
  readonly spec?: { readonly podSelector?: LabelSelectorView };
}

/** Network policies. */
export const networkPolicies: TablePrinter = printer<NetworkPolicyView>(
  `Name
   Pod-Selector | string | Which pods the policy is for.
   Age`,
  ({ metadata, spec }, now) => [
    metadata.name ?? '',
    formatSelector(spec?.podSelector),
    since(metadata.creationTimestamp, now),
  ],
);

interface ServiceCidrView extends View {
  readonly spec?: { readonly cidrs?: readonly string[] };
}

/** Address ranges of services. */
export const serviceCidrs: TablePrinter = printer<ServiceCidrView>(
  `Name
   CIDRs | string | The ranges.
   Age`,
  ({ metadata, spec }, now) => [
    metadata.name ?? '',
    (spec?.cidrs ?? []).join(','),
    since(metadata.creationTimestamp, now),
  ],
);

interface IpAddressView extends View {
  readonly spec?: {
    readonly parentRef?: {
      readonly group?: string;
      readonly resource?: string;
      readonly namespace?: string;
      readonly name?: string;
    };
  };
}

function parentReference({ spec }: IpAddressView): string {
  if (spec?.parentRef === undefined) return '<none>';
  const { group = '', resource = '', namespace = '', name = '' } = spec.parentRef;
  const qualified = (group === '' ? resource : `${resource}.${group}`).toLowerCase();
  return namespace === '' ? `${qualified}/${name}` : `${qualified}/${namespace}/${name}`;
}

/** Addresses in use by services. The age has a cell but no column, as on the real server. */
export const ipAddresses: TablePrinter = printer<IpAddressView>(
  `Name
   ParentRef | string | The object that holds the address.`,
  (object, now) => [object.metadata.name ?? '', parentReference(object), since(object.metadata.creationTimestamp, now)],
);
