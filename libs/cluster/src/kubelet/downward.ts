import { quantityFromJson, scaledQuantity } from '@capstan/meta';
import { specOf } from '../workload/pod-spec.js';
import type { ResourceFieldRef } from '../workload/pod-spec.js';
import type { Pod } from '../workload/resources.js';

/** What is known of a pod before its status has it. */
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
  return FIELDS.get(fieldPath)?.(pod, place);
}

const FIELDS: ReadonlyMap<string, (pod: Pod, place: PodPlace) => string> = new Map([
  ['metadata.name', ({ metadata }: Pod) => metadata.name ?? ''],
  ['metadata.namespace', ({ metadata }: Pod) => metadata.namespace ?? ''],
  ['metadata.uid', ({ metadata }: Pod) => metadata.uid ?? ''],
  ['metadata.labels', ({ metadata }: Pod) => mapText(metadata.labels ?? {})],
  ['metadata.annotations', ({ metadata }: Pod) => mapText(metadata.annotations ?? {})],
  ['spec.nodeName', (pod: Pod) => specOf(pod).nodeName ?? ''],
  ['spec.serviceAccountName', (pod: Pod) => specOf(pod).serviceAccountName ?? ''],
  ['status.hostIP', (_: Pod, place: PodPlace) => place.hostIp],
  ['status.hostIPs', (_: Pod, place: PodPlace) => place.hostIp],
  ['status.podIP', (_: Pod, place: PodPlace) => place.podIp],
  ['status.podIPs', (_: Pod, place: PodPlace) => place.podIp],
]);

function mapText(map: Readonly<Record<string, string>>): string {
  return Object.entries(map)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}

/** The number a `resourceFieldRef` gives; a limit that is not set is what the node has. */
export function resourceText(pod: Pod, ref: ResourceFieldRef, container: string, place: PodPlace): string {
  const { containerName = container, divisor = '1', resource } = ref;
  const amount = amountOf(pod, containerName, resource, place);
  // Zero stands for one, as the server stores a divisor that is not given.
  const unit = billionths(divisor) || 1_000_000_000n;
  const units = (billionths(amount) + unit - 1n) / unit;
  return String(units > MOST ? MOST : units);
}

/** Programs read 64 bits; clients may write any amount. */
const MOST = 2n ** 63n - 1n;

function billionths(value: string | number): bigint {
  return scaledQuantity(quantityFromJson(value), -9);
}

function amountOf(pod: Pod, container: string, resource: string, place: PodPlace): string | number {
  const { containers, initContainers = [] } = specOf(pod);
  const { resources = {} } = [...containers, ...initContainers].find(({ name }) => name === container) ?? {};
  const [kind = '', ...rest] = resource.split('.');
  const name = rest.join('.');
  if (kind === 'limits') return resources.limits?.[name] ?? place.allocatable[name] ?? '0';
  return resources.requests?.[name] ?? '0';
}
