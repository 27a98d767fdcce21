import { humanDuration } from '@capstan/meta';

/** A label selector as objects carry it. */
export interface LabelSelectorView {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** The part of a pod template that tables show. */
export interface TemplateView {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: {
    readonly containers?: readonly ContainerView[];
    readonly nodeSelector?: Readonly<Record<string, string>>;
  };
}

/** The part of a container that tables show. */
export interface ContainerView {
  readonly name: string;
  readonly image?: string;
}

/** How long ago something was, as kubectl prints an age. */
export function since(timestamp: string | null | undefined, now: number): string {
  return timestamp === undefined || timestamp === null ? '<unknown>' : humanDuration(now - Date.parse(timestamp));
}

/** Names and images of containers, each joined by commas. */
export function containerCells(containers: readonly ContainerView[] | undefined): [names: string, images: string] {
  if (containers === undefined) return ['', ''];
  return [containers.map(({ name }) => name).join(','), containers.map(({ image }) => image ?? '').join(',')];
}

/** Label pairs in order of their keys, or `<none>`. */
export function formatLabels(labels: Readonly<Record<string, string>> | undefined): string {
  if (labels === undefined) return '<none>';
  const keys = Object.keys(labels).sort();
  return keys.length === 0 ? '<none>' : keys.map((key) => `${key}=${labels[key] ?? ''}`).join(',');
}

function requirement(key: string, operator: string, values: readonly string[]): string | undefined {
  switch (operator) {
    case 'In':
      return `${key} in (${[...values].sort().join(',')})`;
    case 'NotIn':
      return `${key} notin (${[...values].sort().join(',')})`;
    case 'Exists':
      return key;
    case 'DoesNotExist':
      return `!${key}`;
    default:
      return undefined;
  }
}

/** A selector in its text form, empty for none and for everything, `undefined` where it is not valid. */
export function selectorText(selector: LabelSelectorView | undefined): string | undefined {
  const parts: [string, string][] = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => [
    key,
    `${key}=${value}`,
  ]);
  for (const { key, operator, values } of selector?.matchExpressions ?? []) {
    const written = requirement(key, operator, values ?? []);
    if (written === undefined) return undefined;
    parts.push([key, written]);
  }
  return parts
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, written]) => written)
    .join(',');
}

/** A selector for a cell. */
export function formatSelector(selector: LabelSelectorView | undefined): string {
  return orElse(selectorText(selector) ?? '<error>', '<none>');
}

/** The first few of a list, and how many more there are. */
export function listWithMore(items: readonly string[], max: number, empty: string): string {
  if (items.length > max) return `${items.slice(0, max).join(',')} + ${items.length - max} more...`;
  return orElse(items.join(','), empty);
}

/** Address and port as one dials them. */
export function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** The distinct addresses of a load balancer, in order. */
export function loadBalancerAddresses(
  status: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] } | undefined,
): string[] {
  const addresses = new Set<string>();
  for (const { ip, hostname } of status?.ingress ?? []) {
    const address = ip || hostname;
    if (address) addresses.add(address);
  }
  return [...addresses].sort();
}

/** A count, none where it is absent. */
export function count(value: number | undefined): number {
  return value ?? 0;
}

/** A text, empty where it is absent. */
export function text(value: string | undefined): string {
  return value ?? '';
}

/** The text, or a stand-in where it is absent or empty. */
export function orElse(value: string | undefined, otherwise: string): string {
  return value === undefined || value === '' ? otherwise : value;
}
