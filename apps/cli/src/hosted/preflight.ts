import {
  CLUSTER_ANNOTATION,
  controlPlaneNamespace,
  HOSTED_CLUSTERS,
  placeProblems,
  versionProblem,
} from '@capstan/hosting';
import type { ClusterPlace } from '@capstan/hosting';
import { systemClock } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { isForbidden, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { RegistryReleases, ReleaseError, socketTransport } from '@capstan/release';
import { CliError } from '../errors.js';
import { registryCas } from '../operators/run.js';
import type { ClusterPlan } from './plan.js';

const NAMESPACES = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
/** The option that sets a field. */
const OPTIONS: Readonly<Record<string, string>> = { 'metadata.name': '--name', 'spec.infraID': '--infra-id' };
const NOTHING_MADE = 'nothing was created: change what the message names and try again';

/** What is checked in addition to the plan. */
export interface PreflightOptions {
  readonly releaseCheck: boolean;
  readonly registryCaFile?: string | undefined;
}

/** Refuses a cluster that could not come up, in the operator's words and before anything is made. */
export async function preflight(client: Client, plan: ClusterPlan, options: PreflightOptions): Promise<void> {
  const problems = placeProblems(await placeOf(client, plan));
  if (problems.length > 0) {
    const lines = problems.map(({ message, path }) => `${OPTIONS[path] ?? path}: ${message}`);
    throw new CliError(lines.join('\nerror: '), NOTHING_MADE);
  }
  if (options.releaseCheck) await releaseOf(plan, options);
}

async function placeOf(client: Client, { infraID, name, namespace }: ClusterPlan): Promise<ClusterPlace> {
  const own = controlPlaneNamespace(namespace, name);
  const there = await mayLook(() => client.get(NAMESPACES, own), undefined);
  const clusters = await mayLook(async () => (await client.list(HOSTED_CLUSTERS)).items, []);
  const rival = clusters.find((cluster) => (cluster as { spec?: { infraID?: string } }).spec?.infraID === infraID);
  return {
    controlPlaneNamespace: own,
    infraID,
    // The namespace exists without a HostedCluster, so it belongs to something else.
    namespaceHolder:
      there === undefined ? undefined : { hostedCluster: there.metadata.annotations?.[CLUSTER_ANNOTATION] },
    infraHolder: rival === undefined ? undefined : keyOf(rival),
  };
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

/** What is not there is nothing, and neither is what this user may not see: the operator looks again. */
async function mayLook<T>(look: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (isNotFound(error) || isForbidden(error)) return otherwise;
    throw error;
  }
}

async function releaseOf({ pullSecret, releaseImage }: ClusterPlan, options: PreflightOptions): Promise<void> {
  const transport = socketTransport({ ca: await registryCas(options.registryCaFile) });
  const releases = new RegistryReleases({ transport, clock: systemClock() });
  try {
    const { version } = await releases.lookup(releaseImage, pullSecret);
    const problem = versionProblem(version, undefined);
    if (problem !== undefined)
      throw new CliError(`--release-image: ${releaseImage} cannot be run: ${problem}`, NOTHING_MADE);
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error;
    throw new CliError(
      `--release-image: ${error.message}`,
      error.isTransient
        ? 'nothing was created: where only the management cluster reaches the registry, leave the check out with --no-release-check'
        : NOTHING_MADE,
      { cause: error },
    );
  }
}
