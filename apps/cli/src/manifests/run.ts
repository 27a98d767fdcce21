import type { KubeObject } from '@capstan/meta';
import { shimManifests } from '@capstan/conversion-shim/manifests';
import { mappingFrom } from '@capstan/proxy';
import { printJson, printYaml } from '@capstan/translate/mirror';
import { isRole, privateRole, sidecarPatch, takesSidecar, withSidecar } from '@capstan/translate/sidecar';
import type { AddOptions, ComponentName } from '@capstan/translate/sidecar';
import { readSources } from '../crds/read.js';
import { readGroupPairs } from '../crds/settings.js';
import { UsageError } from '../errors.js';
import type { Io } from '../io.js';
import { formatObject } from '../output.js';

interface CommonOptions {
  readonly image: string;
  readonly groupPair?: readonly string[] | undefined;
  readonly output: 'json' | 'yaml';
}

/** Options of `capstan manifests conversion-shim`. */
export interface ShimManifestsOptions extends CommonOptions {
  readonly namespace: string;
  readonly delegate?: readonly string[] | undefined;
  readonly serviceMonitor?: boolean | undefined;
}

/** Options of `capstan manifests proxy-sidecar`. */
export interface SidecarManifestsOptions extends CommonOptions {
  readonly filename?: readonly string[] | undefined;
  readonly container?: readonly string[] | undefined;
  readonly component?: ComponentName | undefined;
  readonly native: boolean;
  readonly port?: number | undefined;
  readonly healthPort?: number | undefined;
  readonly sharedGroup?: readonly string[] | undefined;
}

/** Prints what runs the conversion shim. */
export async function runShimManifests(options: ShimManifestsOptions, io: Io): Promise<void> {
  const { delegate, groupPair, image, namespace, output, serviceMonitor } = options;
  readGroupPairs(groupPair ?? []);
  const manifests = shimManifests({
    namespace,
    image,
    groupPairs: groupPair,
    delegates: delegate,
    monitor: serviceMonitor,
  });
  io.out(output === 'json' ? printJson(manifests) : printYaml(manifests));
}

/** Prints workloads with the proxy as a sidecar, or the patch that adds it. */
export async function runSidecarManifests(options: SidecarManifestsOptions, io: Io): Promise<void> {
  const {
    component,
    container,
    filename,
    groupPair = [],
    healthPort,
    image,
    native,
    output,
    port,
    sharedGroup,
  } = options;
  const mapping = withCliError(() => mappingFrom(groupPair, sharedGroup));
  const inject: AddOptions = {
    image,
    native,
    component,
    port,
    healthPort,
    groupPairs: groupPair,
    sharedGroups: sharedGroup,
    containers: container,
  };
  if (filename === undefined) return io.out(await formatObject(sidecarPatch(inject), output));
  const changed = (await readSources(filename, io)).map(({ object, where }): KubeObject => {
    const each = object as KubeObject;
    if (isRole(each)) return withCliError(() => privateRole(each, mapping), `${where}: `);
    return takesSidecar(each) ? withCliError(() => withSidecar(each, inject), `${where}: `) : each;
  });
  return io.out(output === 'json' ? printJson(changed) : printYaml(changed));
}

/** Options that cannot work, and roles that name a private group themselves. */
const REFUSALS: ReadonlySet<unknown> = new Set(['bad-options', 'HIDDEN']);

/** What the proxy refuses, in the words of the command line. */
function withCliError<T>(make: () => T, where = ''): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && REFUSALS.has(error.code))) throw error;
    throw new UsageError(`${where}${error.message}`, "See 'capstan manifests proxy-sidecar --help' for usage.", {
      cause: error,
    });
  }
}
