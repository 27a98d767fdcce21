import type { JsonObject, KubeObject } from '@capstan/meta';
import { SidecarError } from './errors.js';
import { allContainers } from './pod.js';
import type { PodSpec, PodTemplate } from './pod.js';
import { HEALTH_PORT_NAME, SIDECAR_NAME } from './sidecar.js';

/** Which proxies are scraped. */
export interface PodMonitorOptions {
  readonly namespace: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Default: `kube-apiserver-proxy`. */
  readonly name?: string | undefined;
}

/** Scrapes every proxy of a namespace: the name of its port is its own, so that pods need no label. */
export function proxyPodMonitor({ labels, name = SIDECAR_NAME, namespace }: PodMonitorOptions): KubeObject {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PodMonitor',
    metadata: { name, namespace, ...(labels === undefined ? {} : { labels }) },
    spec: {
      selector: {},
      podMetricsEndpoints: [{ port: HEALTH_PORT_NAME, path: '/metrics', scheme: 'http', interval: '30s' }],
    },
  };
}

/** The port of health checks and metrics of the proxy in a pod; undefined where there is none. */
export function proxyHealthPort(spec: PodSpec): number | undefined {
  const proxy = allContainers(spec).find((each) => each.name === SIDECAR_NAME);
  return proxy?.ports?.find((each) => each['name'] === HEALTH_PORT_NAME)?.containerPort;
}

/** Who may reach the health checks and metrics of a proxy. */
export interface NetworkPolicyOptions {
  /** Scrapers, and clients that check the translation; kubelets are let in by every network. */
  readonly from: readonly JsonObject[];
  /** Whether another policy selects the pods already, as in namespaces of control planes. */
  readonly isIsolated: boolean;
}

/**
 * Lets some peers to the health port of the proxy of a workload. Pods that a policy selects are closed for all that no
 * policy allows. So where no other policy selects them, the ports that the other containers declare stay open to everyone,
 * as they were; where one does, nothing but the health port is opened.
 */
export function proxyNetworkPolicy(workload: KubeObject, { from, isIsolated }: NetworkPolicyOptions): KubeObject {
  const { name = '', namespace } = workload.metadata;
  const { selector, template } = workload['spec'] as { readonly selector: JsonObject; readonly template: PodTemplate };
  const containers = allContainers(template.spec);
  // By number: networks look for the names of ports among containers that are no native sidecars.
  const health = proxyHealthPort(template.spec);
  if (health === undefined) throw new SidecarError('bad-options', `${workload.kind} ${name}: there is no proxy in it`);
  const others = containers.filter((each) => each.name !== SIDECAR_NAME).flatMap(({ ports }) => ports ?? []);
  const declared = others.map(({ containerPort, protocol = 'TCP' }) => ({ port: containerPort, protocol }));
  const open = isIsolated || declared.length === 0 ? [] : [{ ports: declared }];
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `${name}-${SIDECAR_NAME}`, ...(namespace === undefined ? {} : { namespace }) },
    spec: {
      podSelector: selector,
      policyTypes: ['Ingress'],
      ingress: [...open, { from, ports: [{ port: health, protocol: 'TCP' }] }],
    },
  };
}
