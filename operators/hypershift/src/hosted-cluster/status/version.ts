import type { HostedClusterStatus } from '@capstan/api/hypershift';
import { releaseImages } from '@capstan/hosting';
import type { ReleasePayload } from '@capstan/release';
import type { ConditionInputs } from './availability.js';

type VersionStatus = NonNullable<HostedClusterStatus['version']>;
type Entry = NonNullable<VersionStatus['history']>[number];

type Attempt = NonNullable<NonNullable<HostedClusterStatus['controlPlaneVersion']>['history']>[number];

const COMPLETED = 'Completed';

/** Whether an image is the wanted one, by its name or by its digest; undefined when the digest cannot be looked up now. */
function isImage(image: string | undefined, wanted: string, payload: ReleasePayload | undefined): boolean | undefined {
  if (image === wanted) return true;
  return payload === undefined ? undefined : image === payload.pullSpec;
}

/** Whether every component runs the release of the control plane; undefined when that cannot be decided now. */
export function isControlPlaneDone(view: ConditionInputs): boolean | undefined {
  const { components, controlPlane, hostedCluster, release } = view;
  const reported = controlPlane?.status?.controlPlaneVersion;
  if (reported === undefined) {
    // A control plane operator of an older release reports components alone, or not even those.
    if (components.length > 0 && release === undefined) return undefined;
    return components.every(({ status }) => status?.version === release?.version);
  }
  const { desired, history = [] } = reported;
  const isWanted = isImage(desired.image, releaseImages(hostedCluster).controlPlane, release);
  if (isWanted !== true) return isWanted;
  return history[0]?.state === COMPLETED && history[0].image === desired.image;
}

/** Whether the guest runs the release of the cluster; undefined when that cannot be decided now. */
function isGuestDone({ controlPlane, guestRelease, hostedCluster }: ConditionInputs): boolean | undefined {
  const version = controlPlane?.status?.versionStatus;
  if (version === undefined) return false;
  const isWanted = isImage(version.desired.image, releaseImages(hostedCluster).cluster, guestRelease);
  return isWanted === true ? version.history?.[0]?.state === COMPLETED : isWanted;
}

/** Whether the cluster has come to the wanted releases: the control plane to its own, the guest to that of the cluster. */
export function isAtReleases(view: ConditionInputs): boolean | undefined {
  const sides = [isControlPlaneDone(view), isGuestDone(view)];
  if (sides.includes(false)) return false;
  return sides.includes(undefined) ? undefined : true;
}

/**
 * The version status of the guest, in which an entry is completed only when the control plane has completed it too. An
 * entry that was completed stays so when the control plane alone goes on to another release.
 */
export function combinedVersion(guest: VersionStatus, view: CombinedView): VersionStatus {
  const { history } = guest;
  if (history === undefined || history.length === 0) return guest;
  const combined = history.map((entry, index) => combinedEntry(entry, index === 0, view));
  return combined.every((entry, index) => entry === history[index])
    ? guest
    : ({ ...guest, history: combined } as VersionStatus);
}

type CombinedView = ConditionInputs & { readonly now: string };

function combinedEntry(entry: Entry, isNewest: boolean, view: CombinedView): Entry {
  if (entry.state !== COMPLETED) return entry;
  const isDone = isNewest ? isNewestDone(entry, view) : isOlderDone(entry, view);
  // An attempt that another one followed has ended, if not well.
  if (!isDone) return { ...entry, state: 'Partial', completionTime: isNewest ? null : entry.completionTime };
  const completionTime = completionOf(entry, isNewest, view);
  return completionTime === entry.completionTime ? entry : { ...entry, completionTime };
}

/** What the control plane has run, newest first. */
function attempts({ controlPlane }: ConditionInputs): readonly Attempt[] {
  return controlPlane?.status?.controlPlaneVersion?.history ?? [];
}

/** Its attempts at a release; where none is of that very image, those of that version. */
function attemptsAt({ image, version }: Entry, view: ConditionInputs): readonly Attempt[] {
  const all = attempts(view);
  const exact = all.filter((each) => each.image === image);
  return exact.length > 0 ? exact : all.filter((each) => each.version === version);
}

function isOlderDone(entry: Entry, view: ConditionInputs): boolean {
  const known = attemptsAt(entry, view);
  return known.length === 0 || known.some(({ state }) => state === COMPLETED);
}

function isNewestDone(entry: Entry, view: ConditionInputs): boolean {
  const { guestRelease, hostedCluster } = view;
  const isDone = isControlPlaneDone(view);
  if (isDone === true) return true;
  const images = releaseImages(hostedCluster);
  const isOneRelease = images.controlPlane === images.cluster;
  // The guest is where the control plane has yet to come to.
  if (isDone === false && isOneRelease && isImage(entry.image, images.cluster, guestRelease) === true) return false;
  const [latest] = attemptsAt(entry, view);
  if (latest !== undefined) return latest.state === COMPLETED;
  if (attempts(view).length === 0) return isDone === undefined;
  // The control plane had a release of its own, and had completed it when it went on to the next.
  const completedMs = timeOf(entry.completionTime);
  return attempts(view).some(
    ({ state }, index, all) => state === COMPLETED && timeOf(all[index - 1]?.startedTime) > completedMs,
  );
}

/** When both sides were done: the later of the two, as it was first reported. */
function completionOf(entry: Entry, isNewest: boolean, view: CombinedView): Entry['completionTime'] {
  const { hostedCluster, now } = view;
  const before = hostedCluster.status?.version?.history?.find((each) => isSameEntry(each, entry))?.completionTime;
  const guestMs = timeOf(entry.completionTime);
  // Any client may have written the status: what cannot be is not kept.
  if (before != null && timeOf(before) >= guestMs && timeOf(before) <= timeOf(now)) return before;
  const done = isNewest ? completedAt(view) : null;
  return timeOf(done) > guestMs ? done : entry.completionTime;
}

/** When the control plane completed what it runs. */
function completedAt(view: ConditionInputs): string | null {
  const [newest] = attempts(view);
  return newest?.state === COMPLETED ? (newest.completionTime ?? null) : null;
}

function isSameEntry({ image, startedTime, state, version }: Entry, entry: Entry): boolean {
  const isSameRelease = image === entry.image && version === entry.version;
  return isSameRelease && state === COMPLETED && timeOf(startedTime) === timeOf(entry.startedTime);
}

function timeOf(time: string | null | undefined): number {
  return Date.parse(time ?? '');
}
