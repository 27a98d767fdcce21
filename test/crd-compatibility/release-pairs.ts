import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readObjects } from '@capstan/translate/mirror';

/** Modules that publish CRDs, and releases of each, the older first. */
export const RELEASES: Readonly<Record<string, readonly string[]>> = {
  'sigs.k8s.io/cluster-api': ['v1.5.0', 'v1.7.0', 'v1.9.0', 'v1.11.0', 'v1.12.0', 'v1.13.6'],
  'sigs.k8s.io/cluster-api-provider-aws/v2': ['v2.0.0', 'v2.5.0', 'v2.9.0', 'v2.13.0'],
  'sigs.k8s.io/cluster-api-provider-vsphere': ['v1.10.0', 'v1.16.1'],
  'sigs.k8s.io/gateway-api': ['v0.8.0', 'v1.0.0', 'v1.1.0', 'v1.2.0', 'v1.3.0'],
  'sigs.k8s.io/jobset': ['v0.2.0', 'v0.8.0'],
  'sigs.k8s.io/karpenter': ['v0.36.0', 'v1.0.0', 'v1.5.0'],
  'sigs.k8s.io/kueue': ['v0.6.0', 'v0.9.0'],
  'github.com/cloudnative-pg/cloudnative-pg': ['v1.23.0', 'v1.26.0'],
  'github.com/kedacore/keda/v2': ['v2.10.0', 'v2.16.0'],
  'github.com/vmware-tanzu/velero': ['v1.10.0', 'v1.13.0', 'v1.16.0'],
};

/** One CRD of a release, and the same of the release after it or before it. */
export interface ReleasePair {
  readonly name: string;
  readonly required: object;
  readonly live: object;
}

interface Crd {
  readonly kind?: string;
  readonly metadata: { readonly name: string };
  readonly spec?: { readonly names?: { readonly kind?: string } };
}

const isOther = /(?:^|\/)(?:design|docs|examples|experimental|internal|test|testdata|tests|vendor)\//;

/** Patches of CRDs have no names. */
function isWhole({ kind, spec }: Crd): boolean {
  return kind === 'CustomResourceDefinition' && spec?.names?.kind !== undefined;
}

/** The CRDs of a release by their names; undefined where Go has not downloaded it. */
function crdsOf(cache: string, module: string): ReadonlyMap<string, object> | undefined {
  const folder = join(cache, module);
  if (!existsSync(folder)) return undefined;
  const found = new Map<string, object>();
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.ya?ml$/.test(file) || isOther.test(file)) continue;
    const text = readFileSync(join(folder, file), 'utf8');
    // Templates are no YAML.
    if (!/^kind: CustomResourceDefinition/m.test(text) || text.includes('{{')) continue;
    for (const { object } of readObjects(text, file)) {
      if (isWhole(object as Crd)) found.set((object as Crd).metadata.name, object as Crd);
    }
  }
  return found;
}

/** Every CRD that differs between neighbouring releases in Go's module cache, both ways; and the releases that are not there. */
export function releasePairs(env: Readonly<Record<string, string | undefined>>): {
  readonly pairs: readonly ReleasePair[];
  readonly missing: readonly string[];
} {
  const cache = env['GOMODCACHE'] ?? join(env['GOPATH'] ?? join(homedir(), 'go'), 'pkg', 'mod');
  const pairs: ReleasePair[] = [];
  const missing: string[] = [];
  for (const [module, releases] of Object.entries(RELEASES)) {
    let last: { readonly release: string; readonly crds: ReadonlyMap<string, object> } | undefined;
    for (const release of releases) {
      const crds = crdsOf(cache, `${module}@${release}`);
      if (crds === undefined) {
        missing.push(`${module}@${release}`);
        continue;
      }
      for (const [name, newer] of crds) {
        const older = last?.crds.get(name);
        if (last === undefined || older === undefined || JSON.stringify(older) === JSON.stringify(newer)) continue;
        pairs.push({ name: `${name} ${last.release} → ${release}`, required: older, live: newer });
        pairs.push({ name: `${name} ${release} → ${last.release}`, required: newer, live: older });
      }
      last = { release, crds };
    }
  }
  return { pairs, missing };
}
