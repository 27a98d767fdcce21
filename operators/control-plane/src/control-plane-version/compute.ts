import type { ControlPlaneUpdateHistory, ControlPlaneVersionStatus } from '@capstan/api/hypershift';
import { deepEqual } from '@capstan/meta';

/** A component, as far as it counts. */
export interface ComponentVersion {
  /** Of the last rollout that was completed. */
  readonly version?: string | undefined;
  readonly isRolledOut: boolean;
  /** Generation of the HostedControlPlane it speaks of. */
  readonly observedGeneration: number;
}

/** Everything the version of a control plane is computed from. */
export interface VersionInputs {
  /** As it was reported before. */
  readonly current: ControlPlaneVersionStatus | undefined;
  /** From the payload, by digest. */
  readonly desired: Pick<ControlPlaneVersionStatus['desired'], 'image' | 'version'>;
  /** Of the HostedControlPlane. */
  readonly generation: number;
  /** None before anything was made. */
  readonly components: readonly ComponentVersion[];
  /** RFC 3339, seconds. */
  readonly now: string;
}

type History = readonly ControlPlaneUpdateHistory[];

const MOST_ENTRIES = 50;
/** Of a HostedControlPlane that was just made. */
const FIRST_GENERATION = 1;

/** What a HostedControlPlane should say of its version; the very status there is when nothing changes. */
export function controlPlaneVersion(inputs: VersionInputs): ControlPlaneVersionStatus {
  const { components, current, desired, generation } = inputs;
  const before = current?.history ?? [];
  // What has no components yet has no version either.
  const history = components.length === 0 ? before : completed(begun(before, inputs), inputs);
  const next: ControlPlaneVersionStatus = {
    desired: { version: desired.version, image: desired.image },
    ...(history.length === 0 ? {} : { history: [...history] }),
    observedGeneration: generation,
  };
  return current !== undefined && deepEqual(next, current) ? current : next;
}

/** What can be reported when the components could not be listed: the observed generation. */
export function unlistedVersion(
  current: ControlPlaneVersionStatus | undefined,
  observedGeneration: number,
): ControlPlaneVersionStatus | undefined {
  return current === undefined || current.observedGeneration === observedGeneration
    ? current
    : { ...current, observedGeneration };
}

/** The history with an attempt at what is desired. An image of the same version is another attempt: what runs counts. */
function begun(before: History, { desired: { image, version }, now }: VersionInputs): History {
  const [previous, ...older] = before;
  if (previous?.version === version && previous.image === image) return before;
  const startedTime = notBefore(previous?.startedTime, now);
  const entry: ControlPlaneUpdateHistory = { state: 'Partial', startedTime, completionTime: null, version, image };
  const closed = previous === undefined ? [] : [{ ...previous, completionTime: startedTime }];
  return [entry, ...closed, ...older].slice(0, MOST_ENTRIES);
}

/** The history once all components are there. What was completed stays so, whatever becomes of a component later. */
function completed(history: History, { components, desired, generation, now }: VersionInputs): History {
  const [newest, ...older] = history;
  if (newest === undefined || newest.state === 'Completed') return history;
  // A component may still speak of the attempt before, at the same version. Before the first there was none.
  const since = older.length === 0 ? FIRST_GENERATION : generation;
  const isDone = components.every(
    ({ isRolledOut, observedGeneration, version }) =>
      isRolledOut && version === desired.version && observedGeneration >= since,
  );
  if (!isDone) return history;
  return [{ ...newest, state: 'Completed', completionTime: notBefore(newest.startedTime, now) }, ...older];
}

/** A clock may go back; a later entry never gets an earlier time. */
function notBefore(earlier: string | undefined, now: string): string {
  return earlier !== undefined && Date.parse(now) < Date.parse(earlier) ? earlier : now;
}
