import { canonicalJson, compareBytes, pushAll } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { controllerReference } from '../workload/claim.js';
import type { Backend, BackendGroup, Service, TargetPort } from './addresses.js';

export const SERVICE_NAME = 'kubernetes.io/service-name';
export const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
export const SLICE_MANAGER = 'endpointslice-controller.k8s.io';
const HEADLESS = 'service.kubernetes.io/headless';
const SLICE_SIZE = 100;

export interface EndpointSlice extends KubeObject {
  addressType: string;
  endpoints?: SliceEndpoint[] | null;
  ports?: unknown[] | null;
}

interface SliceEndpoint {
  addresses: string[];
  targetRef?: { uid?: string };
  [field: string]: unknown;
}

function isHeadless(service: Service): boolean {
  return service.spec?.clusterIP === 'None';
}

function targetRef({ pod }: Backend): { kind: string; namespace: string; name: string; uid: string } {
  return { kind: 'Pod', ...pod };
}

function optional(backend: Backend): Record<string, string> {
  const { hostname, nodeName } = backend;
  return { ...(hostname === undefined ? {} : { hostname }), ...(nodeName === undefined ? {} : { nodeName }) };
}

/** The subsets of an Endpoints object. Unlike slices it knows nothing of pods on their way out. */
export function endpointSubsets(groups: readonly BackendGroup[], family: string): unknown[] {
  const subsets: unknown[] = [];
  for (const { backends, ports } of groups) {
    const usable = backends
      .filter((backend) => backend.family === family && (backend.ready || !backend.terminating))
      .sort((a, b) => compareBytes(a.ip, b.ip));
    if (usable.length === 0) continue;
    const address = (backend: Backend) => ({ ip: backend.ip, ...optional(backend), targetRef: targetRef(backend) });
    const ready = usable.filter((backend) => backend.ready).map(address);
    const others = usable.filter((backend) => !backend.ready).map(address);
    subsets.push({
      ...(ready.length > 0 ? { addresses: ready } : {}),
      ...(others.length > 0 ? { notReadyAddresses: others } : {}),
      ...(ports.length > 0 ? { ports: ports.map(plainPort) } : {}),
    });
  }
  return subsets;
}

function plainPort({ name, ...port }: TargetPort): unknown {
  return name === '' ? port : { name, ...port };
}

/** The labels of a service's Endpoints. */
export function endpointsLabels(service: Service): Record<string, string> {
  const labels = { ...service.metadata.labels, 'endpoints.kubernetes.io/managed-by': 'endpoint-controller' };
  return isHeadless(service) ? { ...labels, [HEADLESS]: '' } : labels;
}

function sliceLabels(service: Service): Record<string, string> {
  const labels = {
    ...service.metadata.labels,
    [SERVICE_NAME]: service.metadata.name ?? '',
    [MANAGED_BY]: SLICE_MANAGER,
  };
  return isHeadless(service) ? { ...labels, [HEADLESS]: '' } : labels;
}

function sliceEndpoint(backend: Backend): SliceEndpoint {
  const { ready, serving, terminating } = backend;
  return {
    addresses: [backend.ip],
    conditions: { ready, serving, terminating },
    ...optional(backend),
    targetRef: targetRef(backend),
  };
}

/** What is to be done about a service's slices. */
export interface SliceChanges {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly remove: EndpointSlice[];
}

/** Compares slices: endpoints stay in the slice they are in, so that few slices change. */
export function sliceChanges(
  service: Service,
  groups: readonly BackendGroup[],
  existing: readonly EndpointSlice[],
): SliceChanges {
  const changes: SliceChanges = { create: [], update: [], remove: [] };
  const unused = new Set([...existing].sort((a, b) => compareBytes(a.metadata.name ?? '', b.metadata.name ?? '')));
  for (const family of service.spec?.ipFamilies ?? ['IPv4']) {
    const mine = groups
      .map((group) => ({ ...group, backends: group.backends.filter((backend) => backend.family === family) }))
      .filter(({ backends }) => backends.length > 0);
    // A service without endpoints has one empty slice, which distinguishes it from one not reconciled yet.
    for (const group of mine.length > 0 ? mine : [{ ports: [], backends: [] }])
      reconcileGroup(service, family, group, unused, changes);
  }
  pushAll(changes.remove, unused);
  return changes;
}

// oxlint-disable-next-line max-params
function reconcileGroup(
  service: Service,
  family: string,
  group: BackendGroup,
  unused: Set<EndpointSlice>,
  changes: SliceChanges,
): void {
  const ports = canonicalJson(group.ports);
  const waiting = new Map(group.backends.map((backend) => [backend.pod.uid, backend]));
  const fitting = [...unused].filter(
    (slice) => slice.addressType === family && canonicalJson(slice.ports ?? []) === ports,
  );
  const kept = fitting.map((slice) => {
    const backends = (slice.endpoints ?? []).flatMap(({ targetRef: target }) => {
      const backend = waiting.get(target?.uid ?? '');
      waiting.delete(target?.uid ?? '');
      return backend === undefined ? [] : [backend];
    });
    return { slice, backends };
  });
  const rest = [...waiting.values()];
  const labels = sliceLabels(service);
  for (const { backends, slice } of kept) {
    pushAll(backends, rest.splice(0, Math.max(0, SLICE_SIZE - backends.length)));
    const isPlaceholder = group.backends.length === 0 && slice === kept[0]?.slice;
    if (backends.length === 0 && !isPlaceholder) continue;
    unused.delete(slice);
    const endpoints = backends.map(sliceEndpoint);
    const isSame =
      canonicalJson(slice.endpoints ?? []) === canonicalJson(endpoints) &&
      canonicalJson(slice.metadata.labels ?? {}) === canonicalJson(labels);
    if (!isSame) changes.update.push({ ...slice, metadata: { ...slice.metadata, labels }, endpoints });
  }
  const needsPlaceholder = group.backends.length === 0 && kept.length === 0;
  for (let first = true; rest.length > 0 || (first && needsPlaceholder); first = false)
    changes.create.push({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: {
        generateName: `${service.metadata.name ?? ''}-`,
        namespace: service.metadata.namespace ?? '',
        labels,
        ownerReferences: [controllerReference(service)],
      },
      addressType: family,
      endpoints: rest.splice(0, SLICE_SIZE).map(sliceEndpoint),
      ports: [...group.ports],
    });
}
