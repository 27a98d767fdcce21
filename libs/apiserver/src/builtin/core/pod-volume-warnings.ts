/** The server's warnings about volumes that it accepts all the same. */
import { goQuote } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { fields, record, records, text } from '../shared/json.js';
import { isWhole } from '../shared/quantity.js';
import { OverlappingPaths, type PathOf } from './overlapping-paths.js';

/** The pairs of paths of which one hides the other, each path next to those before it. */
function overlaps(paths: readonly PathOf[]): string[] {
  const known = new OverlappingPaths();
  return paths.flatMap((path) => known.add(path));
}

function itemsOf(source: Readonly<JsonObject>, name: string): PathOf[] {
  return records(source['items']).map((item) => ({ path: text(item['path']), source: name }));
}

const CERTIFICATE_PATHS: readonly (readonly [string, string])[] = [
  ['certificateChainPath', 'PodCertificate chain'],
  ['keyPath', 'PodCertificate key'],
  ['credentialBundlePath', 'PodCertificate credential bundle'],
];

/** The paths of one source of a projected volume; of several in one place only the first counts. */
function projectedPaths(source: Readonly<JsonObject>): PathOf[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
  const has = (holder: unknown): boolean => Array.isArray(fields(holder)['items']);
  if (has(configMap)) return itemsOf(fields(configMap), `ConfigMap ${goQuote(text(fields(configMap)['name']))}`);
  if (has(secret)) return itemsOf(fields(secret), `Secret ${goQuote(text(fields(secret)['name']))}`);
  if (has(downwardAPI)) return itemsOf(fields(downwardAPI), 'DownwardAPI');
  if (record(serviceAccountToken))
    return [{ path: text(fields(serviceAccountToken)['path']), source: 'ServiceAccountToken' }];
  if (record(clusterTrustBundle)) {
    const { path, name, signerName } = fields(clusterTrustBundle);
    return [{ path: text(path), source: `ClusterTrustBundle ${goQuote(text(name ?? signerName))}` }];
  }
  const paths = CERTIFICATE_PATHS.map(([key, name]) => ({ path: text(fields(podCertificate)[key]), source: name }));
  return paths.filter(({ path }) => path !== '');
}

const SOURCES = ['configMap', 'secret', 'downwardAPI', 'serviceAccountToken', 'clusterTrustBundle', 'podCertificate'];

function warnProjected(out: string[], name: string, sources: readonly JsonObject[]): void {
  const known = new OverlappingPaths();
  for (const source of sources) {
    if (!SOURCES.some((key) => record(source[key]))) {
      out.push(`volume ${name} (Projected) has no sources provided`);
      continue;
    }
    for (const overlap of projectedPaths(source).flatMap((path) => known.add(path)))
      out.push(`volume ${name} (Projected): overlapping paths: ${overlap}`);
  }
}

/** Warns of files of a volume that hide each other, and of sources without content. */
export function warnVolumePaths(out: string[], volumes: readonly JsonObject[]): void {
  for (const volume of volumes) {
    const name = goQuote(text(volume['name']));
    const { configMap, secret, downwardAPI, projected } = volume;
    const warn = (holder: unknown, described: () => string): void => {
      for (const overlap of overlaps(itemsOf(fields(holder), '')))
        out.push(`volume ${name} (${described()}): overlapping paths: ${overlap}`);
    };
    warn(configMap, () => `ConfigMap ${goQuote(text(fields(configMap)['name']))}`);
    warn(secret, () => `Secret ${goQuote(text(fields(secret)['secretName']))}`);
    warn(downwardAPI, () => 'DownwardAPI');
    warnProjected(out, name, records(fields(projected)['sources']));
  }
}

/** Warns of a claim template that asks for a fraction of a byte. */
export function warnClaimTemplate(out: string[], path: string, volume: Readonly<JsonObject>): void {
  const template = record(fields(volume['ephemeral'])['volumeClaimTemplate']);
  if (!template) return;
  const resources = fields(fields(template['spec'])['resources']);
  for (const list of ['requests', 'limits']) {
    const storage = fields(resources[list])['storage'];
    if (storage === undefined || isWhole(storage)) continue;
    const at = `${path}.ephemeral.volumeClaimTemplate.spec.resources.${list}[storage]`;
    out.push(`${at}: fractional byte value ${goQuote(text(storage))} is invalid, must be an integer`);
  }
}
