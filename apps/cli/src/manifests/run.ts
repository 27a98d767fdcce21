import type { KubeObject } from '@capstan/meta';
import { shimManifests } from '@capstan/conversion-shim/manifests';
import { mappingFrom } from '@capstan/proxy';
import { printJson, printYaml } from '@capstan/translate/mirror';
import {
  isRole,
  privateRole,
  sidecarPatch,
  takesSidecar,
  withoutSidecar,
  withSidecar,
} from '@capstan/translate/sidecar';
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
  readonly remove?: boolean | undefined;
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
  const { component, container, filename, groupPair = [], image, native, output, port, sharedGroup } = options;
  const mapping = withCliError(() => mappingFrom(groupPair, sharedGroup));
  const inject: AddOptions = {
    image,
    native,
    component,
    port,
    healthPort: options.healthPort,
    groupPairs: groupPair,
    sharedGroups: sharedGroup,
    containers: container,
  };
  if (filename === undefined) {
    refuseWithoutFiles(options);
    return io.out(await formatObject(sidecarPatch(inject), output));
  }
  const change = (each: KubeObject): KubeObject => {
    if (takesSidecar(each)) return options.remove === true ? withoutSidecar(each) : withSidecar(each, inject);
    return isRole(each) && options.remove !== true ? privateRole(each, mapping) : each;
  };
  const changed = (await readSources(filename, io)).map(({ object, where }) =>
    withCliError(() => change(object as KubeObject), `${where}: `),
  );
  return io.out(output === 'json' ? printJson(changed) : printYaml(changed));
}

/** A patch knows nothing of the workload that it is for. */
function refuseWithoutFiles({ component, remove }: SidecarManifestsOptions): void {
  const flag = component === undefined ? (remove === true ? '--remove' : undefined) : '--component';
  if (flag !== undefined)
    throw new UsageError(
      `${flag} depends on what the workload has: give the workload with -f`,
      "See 'capstan manifests proxy-sidecar --help' for usage.",
    );
}

/** Options that cannot work, proxies that were added by other means, and roles that name a private group themselves. */
const REFUSALS: ReadonlySet<unknown> = new Set(['bad-options', 'not-recorded', 'HIDDEN']);

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
