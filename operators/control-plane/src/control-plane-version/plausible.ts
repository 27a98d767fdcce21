import type { ControlPlaneUpdateHistory, ControlPlaneVersionStatus } from '@capstan/api/hypershift';
import { deepEqual } from '@capstan/meta';
import { parseVersion } from '@capstan/release';

/** What a history is held against. */
export interface Known {
  readonly desired: { readonly version: string; readonly image: string };
  /** When the HostedControlPlane was made. RFC 3339, as all times here. */
  readonly created: string;
  readonly now: string;
}

/**
 * A version status without what cannot be so: attempts at no version, before there was a control plane or in the future,
 * and another version in the image that is wanted. The very same when all of it can.
 */
export function plausible(current: ControlPlaneVersionStatus, known: Known): ControlPlaneVersionStatus {
  const history = (current.history ?? []).flatMap((entry) => repaired(entry, known));
  const { history: _, ...rest } = current;
  const next = { ...rest, ...(history.length === 0 ? {} : { history }) };
  return deepEqual(next, current) ? current : next;
}

function repaired(entry: ControlPlaneUpdateHistory, { created, desired, now }: Known): ControlPlaneUpdateHistory[] {
  const { image, state } = entry;
  const version = image === desired.image ? desired.version : entry.version;
  if (parseVersion(version) === undefined) return [];
  const startedTime = within(entry.startedTime, created, now);
  const completionTime = entry.completionTime == null ? null : within(entry.completionTime, startedTime, now);
  return [{ state, startedTime, completionTime, version, image }];
}

/** A time that is not before one nor after another: clocks differ, and anybody may write a status. */
export function within(time: string, from: string, until: string): string {
  if (Date.parse(time) > Date.parse(until)) return until;
  return Date.parse(time) < Date.parse(from) ? from : time;
}
