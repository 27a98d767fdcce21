import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CLUSTER_API_MODULE, CLUSTER_API_VERSION } from './module.js';

/** Modules that publish CRDs of Cluster API: its own and those of providers. */
const MODULES: readonly string[] = [
  `${CLUSTER_API_MODULE}@${CLUSTER_API_VERSION}`,
  'sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0',
  'sigs.k8s.io/cluster-api-provider-azure@v1.22.0',
  'sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1',
  'github.com/metal3-io/cluster-api-provider-metal3@v1.13.2',
  'github.com/nutanix-cloud-native/cluster-api-provider-nutanix@v1.10.3',
];

/** A module and its CRDs, where it is at hand. */
export interface CachedModule {
  readonly module: string;
  /** Files of YAML by their path in the module; undefined where Go has not downloaded it. */
  readonly definitions: ReadonlyMap<string, string> | undefined;
}

/** What Go's module cache holds of them. Nothing is downloaded. */
export function cachedDefinitions(
  env: Readonly<Record<string, string | undefined>> = process.env,
  modules: readonly string[] = MODULES,
): CachedModule[] {
  const cache = env['GOMODCACHE'] ?? join(env['GOPATH'] ?? join(homedir(), 'go'), 'pkg', 'mod');
  return modules.map((module) => {
    const folder = join(cache, escaped(module));
    return { module, definitions: existsSync(folder) ? definitionsIn(folder) : undefined };
  });
}

function definitionsIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const definitions = files.filter((file) => /(?:^|\/)crd\/bases\/[^/]+\.yaml$/.test(file)).toSorted();
  return new Map(definitions.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

/** As in the cache, for file systems that ignore case. */
function escaped(module: string): string {
  return module.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
}
