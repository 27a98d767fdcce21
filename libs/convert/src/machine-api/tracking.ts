/** Labels and annotations by which other tools track the objects that they applied: they never go to a counterpart. */

const trackingLabels: ReadonlySet<string> = new Set([
  'app.kubernetes.io/instance',
  'argocd.argoproj.io/instance',
  'kustomize.toolkit.fluxcd.io/name',
  'kustomize.toolkit.fluxcd.io/namespace',
  'helm.toolkit.fluxcd.io/name',
  'helm.toolkit.fluxcd.io/namespace',
]);

const trackingAnnotations: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'argocd.argoproj.io/tracking-id',
  'argocd.argoproj.io/installation-id',
  'config.k8s.io/owning-inventory',
  'kustomize.toolkit.fluxcd.io/checksum',
  'meta.helm.sh/release-name',
  'meta.helm.sh/release-namespace',
  'objectset.rio.cattle.io/applied',
  'objectset.rio.cattle.io/id',
]);

/** Whether a tool would take an object with this label for its own, and delete it as unknown. */
export function isTrackingLabel(key: string): boolean {
  return trackingLabels.has(key);
}

/** Whether the annotation describes how a tool applied the object. */
export function isTrackingAnnotation(key: string): boolean {
  return trackingAnnotations.has(key);
}
