import type { Machine } from '@capstan/api/cluster-api';
import { CURRENT_CONFIG_ANNOTATION, RELEASE_VERSION_ANNOTATION } from '@capstan/hosting';
import { compareVersions, parseVersion } from '@capstan/release';
import type { Snapshot, Pool } from '../snapshot.js';
import { secretText } from '../resources.js';

interface Versioned {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> | undefined } | undefined;
  readonly spec?: { readonly version?: string | undefined } | undefined;
}

/**
 * The release that a machine has, or that a template gives. A machine that is replaced keeps what it was made with, while Cluster
 * API gives it the annotations of the next in place; one that is upgraded in place has that of the annotation once it was.
 */
export function releaseVersionOf({ metadata, spec }: Machine | Versioned, isInPlace: boolean): string | undefined {
  const existing = spec?.version?.replace(/^v/, '');
  const upgraded = metadata?.annotations?.[RELEASE_VERSION_ANNOTATION];
  const version = isInPlace ? (upgraded ?? existing) : (existing ?? upgraded);
  return version === undefined || parseVersion(version) === undefined ? undefined : version;
}

/** Whether the nodes of a pool are upgraded rather than replaced. */
export function isInPlace({ spec }: Pool): boolean {
  return spec.management.upgradeType === 'InPlace';
}

/** Versions that machines are seen to have; without machines, what the next would be made with. */
function versionsSeen({ existing, nodePool }: Pick<Snapshot, 'existing' | 'nodePool'>): readonly string[] {
  const { machineDeployment, machines, machineSet, secrets } = existing;
  const sets = [machineDeployment, machineSet].flatMap((set) => set?.spec?.template ?? []);
  const versioned: readonly (Machine | Versioned)[] = machines.length > 0 ? machines : sets;
  const ofMachines = versioned.map((each) => releaseVersionOf(each, isInPlace(nodePool)));
  // On a platform without machines, the instances that use the user data run the version of its token.
  const isSeen = ofMachines.some((version) => version !== undefined);
  const seen = isSeen ? ofMachines : secrets.map((secret) => secretText(secret, 'release-version'));
  return [...new Set(seen.flatMap((version) => version ?? []))].toSorted(byAge);
}

/** Oldest first; what is no version before all that are. */
function byAge(a: string, b: string): number {
  const [one, other] = [parseVersion(a), parseVersion(b)];
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
  return compareVersions(one, other);
}

/**
 * The release that the machines of a pool have; that which they are to leave, while they go to the one that is wanted.
 * The status only chooses between versions that are seen on machines: any client may have written it.
 */
export function versionOfMachines(
  snapshot: Pick<Snapshot, 'existing' | 'nodePool'>,
  wanted?: string,
): string | undefined {
  const seen = versionsSeen(snapshot);
  const left = seen.filter((version) => version !== wanted);
  if (left.length === 0) return seen[0];
  const reported = snapshot.nodePool.status?.version;
  return left.find((version) => version === reported) ?? left[0];
}

/** What `status.version` is to say unless all machines have come to another: nothing before the first time they did. */
export function reportedVersion(snapshot: Pick<Snapshot, 'existing' | 'nodePool' | 'release'>): string | undefined {
  if (snapshot.nodePool.metadata.annotations?.[CURRENT_CONFIG_ANNOTATION] === undefined) return undefined;
  return versionOfMachines(snapshot, 'payload' in snapshot.release ? snapshot.release.payload.version : undefined);
}
