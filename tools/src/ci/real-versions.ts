import type { RealKubeAssets } from '../real-kube/index.js';
import { KUBE_VERSIONS, locateRealKube } from '../real-kube/index.js';

/** The kube-apiservers that are ready to start, oldest first, each version once. Builds nothing. */
export function presentRealKubes(locate: typeof locateRealKube = locateRealKube): RealKubeAssets[] {
  const found = new Map<string, RealKubeAssets>();
  // Without a version the search also answers with what KUBEBUILDER_ASSETS holds, pinned or not.
  for (const version of [undefined, ...KUBE_VERSIONS]) {
    const assets = locate(version);
    if (assets !== undefined && !found.has(assets.version)) found.set(assets.version, assets);
  }
  return [...found.values()].toSorted((a, b) => compareVersions(a.version, b.version));
}

function compareVersions(a: string, b: string): number {
  const numbers = (version: string): number[] => version.replace(/^v/, '').split(/[.+-]/).map(Number);
  const [left, right] = [numbers(a), numbers(b)];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}
