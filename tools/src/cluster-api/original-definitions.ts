import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';

import { moduleDirectories } from '../builtin-types/modules.js';
import { CLUSTER_API_MODULE, CLUSTER_API_VERSION } from './module.js';

/** Where the kinds of machines are published: by Cluster API itself, and by its providers. */
const MODULES: readonly string[] = [
  `${CLUSTER_API_MODULE}@${CLUSTER_API_VERSION}`,
  'github.com/metal3-io/cluster-api-provider-metal3@v1.13.2',
  'github.com/nutanix-cloud-native/cluster-api-provider-nutanix@v1.10.3',
  'sigs.k8s.io/cluster-api-provider-aws/v2@v2.13.0',
  'sigs.k8s.io/cluster-api-provider-azure@v1.21.0',
  'sigs.k8s.io/cluster-api-provider-gcp@v1.13.1',
  'sigs.k8s.io/cluster-api-provider-ibmcloud@v0.13.1',
  'sigs.k8s.io/cluster-api-provider-openstack@v0.14.2',
  'sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1',
];

/** The CustomResourceDefinitions of the modules that can be had here. */
export interface OriginalDefinitions {
  /** By `<plural>.<group>`: the text of the file, and the module it is from. */
  readonly found: ReadonlyMap<string, { readonly module: string; readonly text: string }>;
  /** Modules that cannot be had, each with the reason. */
  readonly missing: ReadonlyMap<string, string>;
}

/** Downloads the modules, if Go has not done so before, and reads what they define. Needs Go. */
export async function originalDefinitions(modules: readonly string[] = MODULES): Promise<OriginalDefinitions> {
  const found = new Map<string, { readonly module: string; readonly text: string }>();
  const missing = new Map<string, string>();
  for (const module of modules) {
    try {
      const [directory = ''] = (await moduleDirectories([module])).values();
      for (const text of await definitionsIn(directory)) found.set(nameOf(text), { module, text });
    } catch (error) {
      // Not every proxy has every module; what it has is used all the same.
      missing.set(module, error instanceof Error ? error.message : String(error));
    }
  }
  return { found, missing };
}

async function definitionsIn(directory: string): Promise<string[]> {
  const files = await readdir(directory, { recursive: true });
  // Some publish the same kinds for tests, or for another program, next to those that are installed.
  const bases = files.filter((file) => /^config\/(?:default\/)?crd\/bases\/[^/]+\.yaml$/.test(file)).toSorted();
  return Promise.all(bases.map((file) => readFile(join(directory, file), 'utf8')));
}

function nameOf(text: string): string {
  return (parse(text) as { metadata: { name: string } }).metadata.name;
}
