import type { HostedControlPlaneSpec } from '@capstan/api/hypershift';
import { publishingOf } from '@capstan/hosting';
import type { PublishedServiceName } from '@capstan/hosting';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { apiServerPort, hasNamedRoute } from '../spec.js';

/** Namespaces of the platform whose programs come in, by the label it gives them. */
const POLICY_GROUP = 'network.openshift.io/policy-group';
const OPENSHIFT_GROUPS: Readonly<Record<string, string>> = {
  'openshift-ingress': 'ingress',
  'openshift-monitoring': 'monitoring',
};

interface Opening {
  readonly name: string;
  readonly app: string;
  /** The port of the pods. */
  readonly port: number;
}

/** Pods that answer for a service when it is reached past the router: on nodes, or by a load balancer of its own. */
const DIRECT: readonly (Opening & { readonly service: PublishedServiceName })[] = [
  { service: 'OAuthServer', name: 'nodeport-oauth', app: 'oauth-openshift', port: 6443 },
  { service: 'Ignition', name: 'nodeport-ignition', app: 'ignition-server', port: 9090 },
  { service: 'Ignition', name: 'nodeport-ignition-proxy', app: 'ignition-server-proxy', port: 8443 },
  { service: 'Konnectivity', name: 'nodeport-konnectivity', app: 'kube-apiserver', port: 8091 },
];

function policy(name: string, podSelector: JsonObject, ingress: JsonObject): KubeObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name },
    spec: { podSelector, policyTypes: ['Ingress'], ingress: [ingress] },
  };
}

/**
 * Who may come to the pods of a control plane: those of its own namespace, the platform's routers and monitoring, and
 * anybody to what is published. Pods of other hosted clusters may not.
 */
export function networkPoliciesOf(spec: HostedControlPlaneSpec): readonly KubeObject[] {
  const openings: Opening[] = [
    { name: 'kas', app: 'kube-apiserver', port: apiServerPort(spec) },
    ...DIRECT.filter(({ service }) => {
      const type = publishingOf(spec.services, service)?.type;
      return type === 'NodePort' || type === 'LoadBalancer';
    }),
    ...(hasNamedRoute(spec.services) ? [{ name: 'private-router', app: 'router', port: 8443 }] : []),
  ];
  return [
    policy('same-namespace', {}, { from: [{ podSelector: {} }] }),
    ...Object.entries(OPENSHIFT_GROUPS).map(([name, group]) =>
      policy(name, {}, { from: [{ namespaceSelector: { matchLabels: { [POLICY_GROUP]: group } } }] }),
    ),
    ...openings.map(({ app, name, port }) =>
      policy(name, { matchLabels: { app } }, { ports: [{ port, protocol: 'TCP' }] }),
    ),
  ];
}
