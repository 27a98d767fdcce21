import { canonicalJson, compareBytes } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { isFinished, isReady } from '../workload/pods.js';
import type { Pod } from '../workload/resources.js';

export interface ServicePort {
  name?: string;
  protocol?: string;
  port: number;
  targetPort?: number | string;
  appProtocol?: string;
}

export interface Service extends KubeObject {
  spec?: {
    type?: string;
    clusterIP?: string;
    selector?: Record<string, string>;
    ports?: ServicePort[];
    ipFamilies?: string[];
    publishNotReadyAddresses?: boolean;
  };
}

/** A port where a pod serves. */
export interface TargetPort {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  readonly appProtocol?: string;
}

/** A pod behind a service. */
export interface Backend {
  readonly ip: string;
  readonly family: 'IPv4' | 'IPv6';
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly nodeName: string | undefined;
  readonly hostname: string | undefined;
  readonly pod: { readonly namespace: string; readonly name: string; readonly uid: string };
}

/** The backends that serve at the same ports. */
export interface BackendGroup {
  readonly ports: readonly TargetPort[];
  readonly backends: Backend[];
}

interface Container {
  ports?: { name?: string; containerPort: number; protocol?: string }[];
}

/** True of a service whose endpoints follow its selector. */
export function hasSelector(service: Service): boolean {
  return service.spec?.selector !== undefined && Object.keys(service.spec.selector).length > 0;
}

function targetPort(pod: Pod, port: ServicePort): number | undefined {
  const { protocol = 'TCP', targetPort: target = port.port } = port;
  if (typeof target === 'number') return target === 0 ? port.port : target;
  const containers = (pod.spec?.['containers'] ?? []) as Container[];
  return containers
    .flatMap(({ ports = [] }) => ports)
    .find((candidate) => candidate.name === target && (candidate.protocol ?? 'TCP') === protocol)?.containerPort;
}

function targetPorts(service: Service, pod: Pod): TargetPort[] {
  const ports: TargetPort[] = [];
  for (const port of service.spec?.ports ?? []) {
    const number = targetPort(pod, port);
    // A named port the pod does not have is left out, not an error.
    if (number === undefined) continue;
    const { appProtocol, name = '', protocol = 'TCP' } = port;
    ports.push({ name, protocol, port: number, ...(appProtocol === undefined ? {} : { appProtocol }) });
  }
  return ports;
}

/** The pods with an address, by the ports they serve at; every order is fixed, so that equal inputs give equal slices. */
export function backendGroups(service: Service, pods: readonly Pod[]): BackendGroup[] {
  const groups = new Map<string, BackendGroup>();
  const publishes = service.spec?.publishNotReadyAddresses === true;
  for (const pod of pods) {
    const ip = pod.status?.podIP ?? '';
    if (ip === '' || isFinished(pod)) continue;
    const terminating = pod.metadata.deletionTimestamp != null;
    const serving = isReady(pod);
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    const { hostname = '', nodeName, subdomain } = pod.spec ?? {};
    const ports = targetPorts(service, pod);
    const key = canonicalJson(ports);
    const group = groups.get(key) ?? { ports, backends: [] };
    groups.set(key, group);
    group.backends.push({
      ip,
      family: ip.includes(':') ? 'IPv6' : 'IPv4',
      ready: publishes || (serving && !terminating),
      serving,
      terminating,
      nodeName,
      hostname: hostname !== '' && subdomain === service.metadata.name ? hostname : undefined,
      pod: { namespace, name, uid },
    });
  }
  for (const { backends } of groups.values()) backends.sort((a, b) => compareBytes(a.pod.uid, b.pod.uid));
  return [...groups].sort(([a], [b]) => compareBytes(a, b)).map(([, group]) => group);
}
