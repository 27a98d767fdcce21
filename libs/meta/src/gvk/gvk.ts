/** Names of API groups, versions, kinds and resources, and the strings they travel as. */
import { compareBytes } from '../json/compare-bytes.js';

export interface GroupVersion {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
}

export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}

export interface GroupResource {
  readonly group: string;
  /** Plural, lower case. */
  readonly resource: string;
}

export interface GroupVersionKind extends GroupVersion {
  readonly kind: string;
}

export interface GroupVersionResource extends GroupVersion {
  readonly resource: string;
}

/** An apiVersion with more than one slash. */
export class GroupVersionError extends Error {
  override readonly name = 'GroupVersionError';
  constructor(apiVersion: string) {
    super(`unexpected GroupVersion string: ${apiVersion}`);
  }
}

/** The parts of an apiVersion; an empty one has empty parts. Throws {@link GroupVersionError}. */
export function parseApiVersion(apiVersion: string): GroupVersion {
  if (apiVersion === '' || apiVersion === '/') return { group: '', version: '' };
  const slash = apiVersion.indexOf('/');
  if (slash < 0) return { group: '', version: apiVersion };
  if (apiVersion.includes('/', slash + 1)) throw new GroupVersionError(apiVersion);
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** `apps` + `v1` → `apps/v1`; the core group → `v1`. */
export function formatApiVersion(gv: GroupVersion): string {
  return gv.group === '' ? gv.version : `${gv.group}/${gv.version}`;
}

/** The kind an object declares. Throws {@link GroupVersionError}. */
export function gvkOf(object: { readonly apiVersion: string; readonly kind: string }): GroupVersionKind {
  const { group, version } = parseApiVersion(object.apiVersion);
  return { group, version, kind: object.kind };
}

/** As {@link gvkOf}, but an unreadable apiVersion counts as empty, as it does in owner references. */
export function looseGvk(apiVersion: string, kind: string): GroupVersionKind {
  const slash = apiVersion.indexOf('/');
  if (slash >= 0 && apiVersion.includes('/', slash + 1)) return { group: '', version: '', kind };
  const { group, version } = parseApiVersion(apiVersion);
  return { group, version, kind };
}

/** `Widget.example.com`; the core group → `Pod`. */
export function formatGroupKind(gk: GroupKind): string {
  return gk.group === '' ? gk.kind : `${gk.kind}.${gk.group}`;
}

/** `widgets.example.com`; the core group → `pods`. */
export function formatGroupResource(gr: GroupResource): string {
  return gr.group === '' ? gr.resource : `${gr.resource}.${gr.group}`;
}

/** `example.com/v1, Kind=Widget`; the core group keeps its slash: `/v1, Kind=Pod`. */
export function formatGvk(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}, Kind=${gvk.kind}`;
}

/** `example.com/v1, Resource=widgets`; the core group keeps its slash. */
export function formatGvr(gvr: GroupVersionResource): string {
  return `${gvr.group}/${gvr.version}, Resource=${gvr.resource}`;
}

/** `widgets.example.com` → its parts; a name without a dot is of the core group. */
export function parseGroupResource(text: string): GroupResource {
  const dot = text.indexOf('.');
  return dot < 0 ? { group: '', resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

/** `Widget.example.com` → its parts; a name without a dot is of the core group. */
export function parseGroupKind(text: string): GroupKind {
  const { group, resource } = parseGroupResource(text);
  return { group, kind: resource };
}

/** Whether two kinds are the same whatever their versions. */
export function sameGroupKind(a: GroupKind, b: GroupKind): boolean {
  return a.kind === b.kind && a.group === b.group;
}

const kubeVersion = /^v([0-9]+)(?:(alpha|beta)([0-9]+))?$/;
const maxInt64 = 2n ** 63n - 1n;

interface KubeVersion {
  /** 2 stable, 1 beta, 0 alpha. */
  readonly stability: number;
  readonly major: bigint;
  readonly minor: bigint;
}

function parseKubeVersion(version: string): KubeVersion | undefined {
  const match = kubeVersion.exec(version);
  if (match === null) return undefined;
  const major = BigInt(match[1] ?? '0');
  const minor = BigInt(match[3] ?? '0');
  // Numbers beyond an int are no version numbers to the server, so such a name is merely a name.
  if (major > maxInt64 || minor > maxInt64) return undefined;
  return { stability: match[2] === undefined ? 2 : match[2] === 'beta' ? 1 : 0, major, minor };
}

/**
 * Orders version names by priority, the preferred first: stable, beta, alpha; within each the higher number first;
 * names that are no Kubernetes versions last, in lexical order.
 */
export function compareVersionPriority(a: string, b: string): number {
  if (a === b) return 0;
  const x = parseKubeVersion(a);
  const y = parseKubeVersion(b);
  if (x === undefined || y === undefined) {
    if (x !== undefined) return -1;
    return y !== undefined ? 1 : compareBytes(a, b);
  }
  if (x.stability !== y.stability) return y.stability - x.stability;
  if (x.major !== y.major) return x.major > y.major ? -1 : 1;
  return x.minor === y.minor ? 0 : x.minor > y.minor ? -1 : 1;
}
