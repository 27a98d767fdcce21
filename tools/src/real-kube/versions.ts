/**
 * The one place that names what is built and run. Newest first: the first
 * entry is what a caller gets when it names no version.
 */
export const KUBE_VERSIONS = ['v1.36.3', 'v1.30.14'] as const;

export type KubeVersion = (typeof KUBE_VERSIONS)[number];

/** One kubectl serves every server version; it is only a convenience for people. */
export const KUBECTL_VERSION: KubeVersion = 'v1.36.3';

export const KUBERNETES_MODULE = 'k8s.io/kubernetes';

/** The 3.6 line is what the newest pinned kube-apiserver is released with; 1.30 speaks to it as well. */
export const ETCD_VERSION = 'v3.6.16';

export const ETCD_MODULE = 'go.etcd.io/etcd/server/v3';

/** True when `actual` ("v1.30.14") is what `wanted` ("1.30", "v1.30" or "v1.30.14") asks for. */
export function versionMatches(wanted: string, actual: string): boolean {
  const bare = (version: string): string => version.replace(/^v/, '');
  return bare(actual) === bare(wanted) || bare(actual).startsWith(`${bare(wanted)}.`);
}

/** The pinned version behind "1.30", "v1.30" or "v1.30.14"; undefined when none is pinned. */
export function pinnedVersion(wanted: string): KubeVersion | undefined {
  return KUBE_VERSIONS.find((version) => versionMatches(wanted, version));
}
