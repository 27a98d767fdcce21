import { orElse, since, text } from './format.js';
import { printer, type TablePrinter, type View } from './printer.js';

interface NamespaceView extends View {
  readonly status?: { readonly phase?: string };
}

/** Namespaces. */
export const namespaces: TablePrinter = printer<NamespaceView>(
  `Name
   Status | string | The phase of the namespace.
   Age`,
  ({ metadata, status }, now) => [metadata.name ?? '', status?.phase ?? '', since(metadata.creationTimestamp, now)],
);

interface SecretView extends View {
  readonly type?: string;
  readonly data?: object;
}

function keyCount(map: object | undefined): number {
  return map === undefined ? 0 : Object.keys(map).length;
}

/** Secrets. */
export const secrets: TablePrinter = printer<SecretView>(
  `Name
   Type | string | What the secret is for.
   Data | string | How many keys it holds.
   Age`,
  ({ metadata, type, data }, now) => [
    metadata.name ?? '',
    type ?? '',
    keyCount(data),
    since(metadata.creationTimestamp, now),
  ],
);

interface ConfigMapView extends View {
  readonly data?: object;
  readonly binaryData?: object;
}

/** Config maps. */
export const configMaps: TablePrinter = printer<ConfigMapView>(
  `Name
   Data | string | How many keys it holds.
   Age`,
  ({ metadata, data, binaryData }, now) => [
    metadata.name ?? '',
    keyCount(data) + keyCount(binaryData),
    since(metadata.creationTimestamp, now),
  ],
);

/** Service accounts. */
export const serviceAccounts: TablePrinter = printer<View>(
  `Name
   Age`,
  ({ metadata }, now) => [metadata.name ?? '', since(metadata.creationTimestamp, now)],
);

interface NodeView extends View {
  readonly spec?: { readonly unschedulable?: boolean };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status?: string }[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly nodeInfo?: {
      readonly kubeletVersion?: string;
      readonly osImage?: string;
      readonly kernelVersion?: string;
      readonly containerRuntimeVersion?: string;
      readonly architecture?: string;
    };
  };
}

const rolePrefix = 'node-role.kubernetes.io/';

function nodeRoles(labels: Readonly<Record<string, string>>): string {
  const roles = new Set<string>();
  for (const [key, value] of Object.entries(labels)) {
    if (key.startsWith(rolePrefix)) roles.add(key.slice(rolePrefix.length));
    else if (key === 'kubernetes.io/role') roles.add(value);
  }
  roles.delete('');
  return orElse([...roles].sort().join(','), '<none>');
}

function nodeStatus({ spec, status }: NodeView): string {
  const ready = status?.conditions?.findLast(({ type }) => type === 'Ready');
  const text = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec?.unschedulable === true ? `${text},SchedulingDisabled` : text;
}

function nodeAddress({ status }: NodeView, wanted: string): string {
  return status?.addresses?.find(({ type }) => type === wanted)?.address ?? '<none>';
}

/** Nodes. */
export const nodes: TablePrinter = printer<NodeView>(
  `Name
   Status            | string  | Whether it is ready and takes pods.
   Roles             | string  | The roles its labels give it.
   Age
   Version           | string  | The version of its kubelet.
   Internal-IP       | string+ | Its address inside the cluster.
   External-IP       | string+ | Its address outside the cluster.
   OS-Image          | string+ | Its operating system.
   Kernel-Version    | string+ | Its kernel and architecture.
   Container-Runtime | string+ | Its container runtime.`,
  (node, now) => {
    const { metadata, status } = node;
    const info = status?.nodeInfo;
    const kernel = orElse(info?.kernelVersion, '<unknown>');
    return [
      metadata.name ?? '',
      nodeStatus(node),
      nodeRoles(metadata.labels ?? {}),
      since(metadata.creationTimestamp, now),
      info?.kubeletVersion ?? '',
      nodeAddress(node, 'InternalIP'),
      nodeAddress(node, 'ExternalIP'),
      orElse(info?.osImage, '<unknown>'),
      info?.architecture ? `${kernel} (${info.architecture})` : kernel,
      orElse(info?.containerRuntimeVersion, '<unknown>'),
    ];
  },
);

interface EventSource {
  readonly component?: string;
  readonly host?: string;
}

interface ObjectRef {
  readonly kind?: string;
  readonly name?: string;
  readonly fieldPath?: string;
}

/** Both views of an event; those of events.k8s.io name the older fields otherwise. */
interface EventView extends View {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly note?: string;
  readonly count?: number;
  readonly deprecatedCount?: number;
  readonly eventTime?: string | null;
  readonly firstTimestamp?: string | null;
  readonly deprecatedFirstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly deprecatedLastTimestamp?: string | null;
  readonly series?: { readonly count?: number; readonly lastObservedTime?: string };
  readonly involvedObject?: ObjectRef;
  readonly regarding?: ObjectRef;
  readonly source?: EventSource;
  readonly deprecatedSource?: EventSource;
  readonly reportingComponent?: string;
  readonly reportingController?: string;
  readonly reportingInstance?: string;
}

function eventTimes(event: EventView, now: number): [last: string, first: string] {
  const first = since(event.firstTimestamp ?? event.deprecatedFirstTimestamp ?? event.eventTime, now);
  if (event.series !== undefined) return [since(event.series.lastObservedTime, now), first];
  const last = event.lastTimestamp ?? event.deprecatedLastTimestamp;
  return [last === undefined || last === null ? first : since(last, now), first];
}

/** Events that happened once do not count. */
function eventCount({ series, count, deprecatedCount }: EventView): number {
  return series === undefined ? count || deprecatedCount || 1 : (series.count ?? 0);
}

function eventSource(event: EventView): string {
  const { component, host } = event.source ?? event.deprecatedSource ?? {};
  const from = component || event.reportingComponent || event.reportingController || '';
  const at = host || event.reportingInstance || '';
  return at === '' ? from : `${from}, ${at}`;
}

/** Events of either group. */
export const events: TablePrinter = printer<EventView>(
  `Last Seen  | string  | How long ago it last happened.
   Type       | string  | Normal or Warning.
   Reason     | string  | Why, in one word.
   Object     | string  | What it happened to.
   Subobject  | string+ | The part of that object.
   Source     | string+ | Who reported it.
   Message    | string  | What happened, for people.
   First Seen | string+ | How long ago it first happened.
   Count      | string+ | How often it happened.
   Name       | name+`,
  (event, now) => {
    const [last, first] = eventTimes(event, now);
    const { kind, name, fieldPath } = event.involvedObject ?? event.regarding ?? {};
    const object = text(kind).toLowerCase();
    return [
      last,
      text(event.type),
      text(event.reason),
      text(name) === '' ? object : `${object}/${text(name)}`,
      text(fieldPath),
      eventSource(event),
      text(event.message ?? event.note).trim(),
      first,
      eventCount(event),
      text(event.metadata.name),
    ];
  },
);

interface LeaseView extends View {
  readonly spec?: { readonly holderIdentity?: string };
}

/** Leases. */
export const leases: TablePrinter = printer<LeaseView>(
  `Name
   Holder | string | Who holds the lease.
   Age`,
  ({ metadata, spec }, now) => [
    metadata.name ?? '',
    spec?.holderIdentity ?? '',
    since(metadata.creationTimestamp, now),
  ],
);

interface ResourceQuotaView extends View {
  readonly status?: {
    readonly hard?: Readonly<Record<string, string>>;
    readonly used?: Readonly<Record<string, string>>;
  };
}

function quotaText({ status }: ResourceQuotaView, limits: boolean): string {
  const { hard = {}, used = {} } = status ?? {};
  return Object.keys(hard)
    .sort()
    .filter((resource) => resource.startsWith('limits.') === limits)
    .map((resource) => `${resource}: ${used[resource] ?? '0'}/${hard[resource] ?? '0'}`)
    .join(', ');
}

/** Resource quotas. */
export const resourceQuotas: TablePrinter = printer<ResourceQuotaView>(
  `Name
   Request | string | What may be requested and how much of it is.
   Limit   | string | What limits may sum up to and how much they do.
   Age`,
  (quota, now) => [
    quota.metadata.name ?? '',
    quotaText(quota, false),
    quotaText(quota, true),
    since(quota.metadata.creationTimestamp, now),
  ],
);

interface ComponentStatusView extends View {
  readonly conditions?: readonly {
    readonly type: string;
    readonly status?: string;
    readonly message?: string;
    readonly error?: string;
  }[];
}

/** Component statuses. */
export const componentStatuses: TablePrinter = printer<ComponentStatusView>(
  `Name
   Status  | string | Whether the component is healthy.
   Message | string | The message of its condition.
   Error   | string | What went wrong.`,
  ({ metadata, conditions }) => {
    const healthy = conditions?.find(({ type }) => type === 'Healthy');
    const status = healthy === undefined ? 'Unknown' : healthy.status === 'True' ? 'Healthy' : 'Unhealthy';
    return [metadata.name ?? '', status, healthy?.message ?? '', healthy?.error ?? ''];
  },
);
