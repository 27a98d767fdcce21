import type { JsonObject, KubeObject } from '@capstan/meta';
import { SidecarError } from './errors.js';
import { allContainers } from './pod.js';
import type { PodTemplate } from './pod.js';
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

/** Who may reach the health checks and metrics of a proxy. */
export interface NetworkPolicyOptions {
  /** Scrapers, and clients that check the translation; kubelets are let in by every network. */
  readonly from: readonly JsonObject[];
}

/**
 * Lets only some peers to the health port of the proxy of a workload. Pods that a policy selects are closed for all that
 * no policy allows, so the ports that the other containers declare stay open to everyone, as they were.
 */
export function proxyNetworkPolicy(workload: KubeObject, { from }: NetworkPolicyOptions): KubeObject {
  const { name = '', namespace } = workload.metadata;
  const { selector, template } = workload['spec'] as { readonly selector: JsonObject; readonly template: PodTemplate };
  const containers = allContainers(template.spec);
  if (containers.every((each) => each.name !== SIDECAR_NAME))
    throw new SidecarError('bad-options', `${workload.kind} ${name}: there is no proxy in it`);
  const others = containers.filter((each) => each.name !== SIDECAR_NAME).flatMap(({ ports }) => ports ?? []);
  const open = others.map((port) => ({
    port: port.containerPort,
    protocol: (port as { readonly protocol?: string }).protocol ?? 'TCP',
  }));
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `${name}-${SIDECAR_NAME}`, ...(namespace === undefined ? {} : { namespace }) },
    spec: {
      podSelector: selector,
      policyTypes: ['Ingress'],
      ingress: [
        ...(open.length === 0 ? [] : [{ ports: open }]),
        { from, ports: [{ port: HEALTH_PORT_NAME, protocol: 'TCP' }] },
      ],
    },
  };
}
