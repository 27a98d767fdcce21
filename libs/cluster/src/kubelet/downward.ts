import { quantityFromJson, scaledQuantity } from '@capstan/meta';
import { specOf } from '../workload/pod-spec.js';
import type { ResourceFieldRef } from '../workload/pod-spec.js';
import type { Pod } from '../workload/resources.js';

/** What is known of a pod before its status says so. */
export interface PodPlace {
  readonly podIp: string;
  readonly hostIp: string;
  /** Of the node, for limits that are not set. */
  readonly allocatable: Readonly<Record<string, string>>;
}

/** The text of a field, as `fieldRef` gives it; undefined for a field there is none of. */
export function fieldText(pod: Pod, fieldPath: string, place: PodPlace): string | undefined {
  const subscript = /^metadata\.(annotations|labels)\['(.*)'\]$/.exec(fieldPath);
  if (subscript !== null) {
    const [, kind, key = ''] = subscript;
    return (kind === 'labels' ? pod.metadata.labels : pod.metadata.annotations)?.[key] ?? '';
  }
  const { name = '', namespace = '', uid = '' } = pod.metadata;
  const spec = specOf(pod);
  switch (fieldPath) {
    case 'metadata.name':
      return name;
    case 'metadata.namespace':
      return namespace;
    case 'metadata.uid':
      return uid;
    case 'metadata.labels':
      return mapText(pod.metadata.labels ?? {});
    case 'metadata.annotations':
      return mapText(pod.metadata.annotations ?? {});
    case 'spec.nodeName':
      return spec.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec.serviceAccountName ?? '';
    case 'status.hostIP':
    case 'status.hostIPs':
      return place.hostIp;
    case 'status.podIP':
    case 'status.podIPs':
      return place.podIp;
    default:
      return undefined;
  }
}

function mapText(map: Readonly<Record<string, string>>): string {
  return Object.entries(map)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}

/** The number a `resourceFieldRef` gives; a limit that is not set is what the node has. */
export function resourceText(pod: Pod, ref: ResourceFieldRef, container: string, place: PodPlace): string {
  const { containerName = container, divisor = '1', resource } = ref;
  const { containers, initContainers = [] } = specOf(pod);
  const owner = [...containers, ...initContainers].find(({ name }) => name === containerName);
  const [kind = '', ...rest] = resource.split('.');
  const name = rest.join('.');
  const list = kind === 'limits' ? owner?.resources?.limits : owner?.resources?.requests;
  const amount = list?.[name] ?? (kind === 'limits' ? place.allocatable[name] : undefined) ?? '0';
  const scaled = (value: string | number): number => Number(scaledQuantity(quantityFromJson(value), -9));
  const unit = scaled(divisor === '0' || divisor === 0 ? '1' : divisor);
  return String(Math.ceil(scaled(amount) / unit));
}
