import { deepEqual } from '@capstan/meta';

/** A release, as a status names it. */
export interface DesiredRelease {
  readonly version: string;
  readonly image: string;
}

/** One attempt at a version. */
export interface VersionHistoryEntry {
  readonly state: 'Completed' | 'Partial';
  readonly startedTime: string;
  /** Null while it goes on. */
  readonly completionTime: string | null;
  readonly version: string;
  readonly image: string;
  readonly verified?: boolean | undefined;
}

/** The version of the management side of a cluster, apart from its nodes. */
export interface ControlPlaneVersionStatus {
  readonly desired: DesiredRelease;
  readonly history?: readonly VersionHistoryEntry[] | undefined;
  /** Generation of the HostedControlPlane this was said of. */
  readonly observedGeneration: number;
}

/** A component, as far as it counts. */
export interface ComponentVersion {
  readonly version?: string | undefined;
  readonly isRolledOut: boolean;
  /** Generation of the HostedControlPlane it speaks of. */
  readonly observedGeneration: number;
}

export interface VersionWorld {
  readonly current: ControlPlaneVersionStatus | undefined;
  /** From the payload, by digest. */
  readonly desired: DesiredRelease;
  /** Of the HostedControlPlane. */
  readonly generation: number;
  /** Undefined when they could not be listed. */
  readonly components: readonly ComponentVersion[] | undefined;
  /** RFC 3339, seconds. */
  readonly now: string;
}

const MOST_ENTRIES = 50;

/** What a HostedControlPlane should say of its version; the very status there is when nothing changes. */
export function controlPlaneVersion(world: VersionWorld): ControlPlaneVersionStatus {
  const { components, current, desired, generation } = world;
  const next =
    components === undefined
      ? { ...(current ?? { desired }), observedGeneration: generation }
      : { desired, history: historyOf(world, components), observedGeneration: generation };
  return current !== undefined && deepEqual(tidy(next), tidy(current)) ? current : tidy(next);
}

function historyOf(world: VersionWorld, components: readonly ComponentVersion[]): readonly VersionHistoryEntry[] {
  const { current, desired, generation } = world;
  const before = current?.history ?? [];
  // A control plane that has nothing yet has no version either.
  if (components.length === 0) return before;
  const history = isBegun(before, desired) ? before : begin(before, world);
  const [newest, ...older] = history;
  if (newest === undefined || newest.state === 'Completed') return history;
  const isDone = components.every((component) => isAt(component, desired.version, generation));
  return isDone
    ? [{ ...newest, state: 'Completed', completionTime: notBefore(newest.startedTime, world.now) }, ...older]
    : history;
}

/** An image of the same version is another attempt: it is what runs that counts. */
function isBegun([newest]: readonly VersionHistoryEntry[], { image, version }: DesiredRelease): boolean {
  return newest?.version === version && newest.image === image;
}

function begin(before: readonly VersionHistoryEntry[], { desired, now }: VersionWorld): readonly VersionHistoryEntry[] {
  const [previous, ...older] = before;
  const startedTime = notBefore(previous?.startedTime, now);
  const begun: VersionHistoryEntry = { state: 'Partial', startedTime, completionTime: null, ...desired };
  const closed = previous === undefined ? [] : [{ ...previous, completionTime: startedTime }];
  return [begun, ...closed, ...older].slice(0, MOST_ENTRIES);
}

function isAt(
  { isRolledOut, observedGeneration, version }: ComponentVersion,
  wanted: string,
  generation: number,
): boolean {
  return isRolledOut && version === wanted && observedGeneration >= generation;
}

/** A clock may go back; what came later is never told to have come earlier. */
function notBefore(earlier: string | undefined, now: string): string {
  return earlier !== undefined && Date.parse(now) < Date.parse(earlier) ? earlier : now;
}

/** Without an empty history, which says nothing. */
function tidy({ history = [], ...rest }: ControlPlaneVersionStatus): ControlPlaneVersionStatus {
  return history.length === 0 ? rest : { ...rest, history };
}
