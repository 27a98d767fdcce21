import type { ControlPlaneComponent, HostedCluster, HostedControlPlane } from '@capstan/api/hypershift';
import { hostedClusterOn, testPlatform } from '@capstan/provider/testing';
import type { ReleasePayload } from '@capstan/release';
import { describe, expect, it } from 'vitest';
import { progressing } from './availability.js';
import type { ConditionInputs } from './availability.js';
import { combinedVersion } from './version.js';

/** `4.22.0` stands for the release of that version; its image by name and by digest. */
const byName = (version: string): string => `registry.example.com/release:${version}`;
const byDigest = (version: string): string => `registry.example.com/release@sha256:${version}`;
const payload = (version: string): ReleasePayload =>
  ({ version, pullSpec: byDigest(version), reference: byName(version) }) as unknown as ReleasePayload;

const NOW = '2026-01-01T12:00:00Z';
const hour = (at: number): string => `2026-01-01T${String(at).padStart(2, '0')}:00:00Z`;

interface Entry {
  readonly state: 'Completed' | 'Partial';
  readonly version: string;
  readonly image: string;
  readonly startedTime: string;
  readonly completionTime: string | null;
}

/** `C 4.22.0 1-2`: completed, from one o'clock to two. Nothing after the dash: not ended. */
function entry(text: string): Entry {
  const [state, version = '', span = ''] = text.split(' ');
  const [from = '', to = ''] = span.split('-');
  return {
    state: state === 'C' ? 'Completed' : 'Partial',
    version,
    image: byDigest(version),
    startedTime: hour(Number(from)),
    completionTime: to === '' ? null : hour(Number(to)),
  };
}

function textOf({ completionTime, startedTime, state, version }: Entry): string {
  const at = (time: string | null): string => (time === null ? '' : String(Number(time.slice(11, 13))));
  return `${state === 'Completed' ? 'C' : 'P'} ${version} ${at(startedTime)}-${at(completionTime)}`;
}

interface Case {
  readonly release: string;
  readonly controlPlaneRelease?: string;
  readonly guest: readonly string[];
  /** Undefined: the control plane operator does not report it. */
  readonly controlPlane?: readonly string[];
  /** What the control plane operator works towards; the newest of its history unless given. */
  readonly desired?: string;
  readonly components?: readonly ControlPlaneComponent[];
  readonly isRegistryAway?: boolean;
  /** What the HostedCluster has reported before. */
  readonly before?: readonly string[];
}

function viewOf(given: Case): ConditionInputs & { readonly now: string } {
  const { before, components = [], controlPlaneRelease, isRegistryAway = false, release } = given;
  const cluster = hostedClusterOn(testPlatform());
  const of: unknown = {
    ...cluster,
    spec: {
      ...cluster.spec,
      release: { image: byName(release) },
      ...(controlPlaneRelease === undefined ? {} : { controlPlaneRelease: { image: byName(controlPlaneRelease) } }),
    },
    status: before === undefined ? {} : { version: versionStatus(before) },
  };
  const status = {
    versionStatus: versionStatus(given.guest),
    ...(given.controlPlane === undefined
      ? {}
      : { controlPlaneVersion: versionStatus(given.controlPlane, given.desired) }),
  };
  const plane: unknown = { metadata: {}, status };
  return {
    hostedCluster: of as HostedCluster,
    controlPlane: plane as HostedControlPlane,
    components,
    release: isRegistryAway ? undefined : payload(controlPlaneRelease ?? release),
    guestRelease: isRegistryAway ? undefined : payload(release),
    blocked: undefined,
    now: NOW,
  };
}

function versionStatus(history: readonly string[], desired?: string): NonNullable<HostedCluster['status']>['version'] {
  const entries = history.map(entry);
  const version = desired ?? entries[0]?.version ?? '';
  const status: unknown = { desired: { version, image: byDigest(version) }, history: entries, observedGeneration: 1 };
  return status as NonNullable<HostedCluster['status']>['version'];
}

function component(version: string): ControlPlaneComponent {
  const made: unknown = { metadata: { name: 'etcd' }, status: { version } };
  return made as ControlPlaneComponent;
}

const MOVING = 'True Progressing: HostedCluster is deploying, upgrading, or reconfiguring';
const THERE = 'False AsExpected: HostedCluster is at expected version';

describe('a cluster is done when its control plane and its guest are', () => {
  it.each<[string, Case, string | undefined, readonly string[]]>([
    [
      'both are',
      { release: '4.22.0', guest: ['C 4.22.0 1-2'], controlPlane: ['C 4.22.0 1-2'] },
      THERE,
      ['C 4.22.0 1-2'],
    ],
    [
      'the guest is not',
      { release: '4.22.0', guest: ['P 4.22.0 1-'], controlPlane: ['C 4.22.0 1-2'] },
      MOVING,
      ['P 4.22.0 1-'],
    ],
    [
      'the control plane completed it later: that is when the cluster did',
      { release: '4.22.0', guest: ['C 4.22.0 1-2'], controlPlane: ['C 4.22.0 1-3'] },
      THERE,
      ['C 4.22.0 1-3'],
    ],
    [
      'and this time is kept when the control plane goes on',
      {
        release: '4.22.1',
        guest: ['C 4.22.0 1-2'],
        controlPlane: ['P 4.22.1 5-', 'C 4.22.0 1-5'],
        before: ['C 4.22.0 1-3'],
      },
      MOVING,
      ['C 4.22.0 1-3'],
    ],
    [
      'but not one that cannot be',
      { release: '4.22.0', guest: ['C 4.22.0 1-2'], controlPlane: ['C 4.22.0 1-3'], before: ['C 4.22.0 1-23'] },
      THERE,
      ['C 4.22.0 1-3'],
    ],
    [
      'a component is stuck',
      {
        release: '4.22.1',
        guest: ['C 4.22.1 5-6', 'C 4.22.0 1-2'],
        controlPlane: ['P 4.22.1 5-', 'C 4.22.0 1-5'],
      },
      MOVING,
      ['P 4.22.1 5-', 'C 4.22.0 1-2'],
    ],
    [
      'a component is stuck through two upgrades',
      {
        release: '4.22.2',
        guest: ['C 4.22.2 7-8', 'C 4.22.1 5-6', 'C 4.22.0 1-2'],
        controlPlane: ['P 4.22.2 7-', 'P 4.22.1 5-7', 'C 4.22.0 1-5'],
      },
      MOVING,
      ['P 4.22.2 7-', 'P 4.22.1 5-6', 'C 4.22.0 1-2'],
    ],
    [
      'the control plane operator has not snapshot the release yet',
      { release: '4.22.1', guest: ['C 4.22.1 5-6', 'C 4.22.0 1-2'], controlPlane: ['C 4.22.0 1-2'] },
      MOVING,
      ['P 4.22.1 5-', 'C 4.22.0 1-2'],
    ],
    [
      'it has begun, and the history has not',
      { release: '4.22.1', guest: ['C 4.22.1 5-6'], controlPlane: ['C 4.22.0 1-2'], desired: '4.22.1' },
      MOVING,
      ['P 4.22.1 5-'],
    ],
    [
      'a rollback that the control plane has not completed, though it ran that release before',
      {
        release: '4.22.0',
        guest: ['C 4.22.0 7-8', 'C 4.22.1 5-6', 'C 4.22.0 1-2'],
        controlPlane: ['P 4.22.0 7-', 'C 4.22.1 5-7', 'C 4.22.0 1-5'],
      },
      MOVING,
      ['P 4.22.0 7-', 'C 4.22.1 5-6', 'C 4.22.0 1-2'],
    ],
    [
      'the control plane alone goes on: what was completed stays so',
      {
        release: '4.22.0',
        controlPlaneRelease: '4.22.1',
        guest: ['C 4.22.0 1-2'],
        controlPlane: ['P 4.22.1 5-', 'C 4.22.0 1-5'],
      },
      MOVING,
      ['C 4.22.0 1-2'],
    ],
    [
      'the control plane alone has come to its own release',
      {
        release: '4.22.0',
        controlPlaneRelease: '4.22.1',
        guest: ['C 4.22.0 1-2'],
        controlPlane: ['C 4.22.1 5-6', 'C 4.22.0 1-5'],
        before: ['C 4.22.0 1-2'],
      },
      THERE,
      ['C 4.22.0 1-2'],
    ],
    [
      'the control plane goes on from one release of its own to the next',
      {
        release: '4.22.0',
        controlPlaneRelease: '4.22.2',
        guest: ['C 4.22.0 1-2'],
        controlPlane: ['P 4.22.2 5-', 'C 4.22.1 1-5'],
      },
      MOVING,
      ['C 4.22.0 1-2'],
    ],
    [
      'a guest that was done while the control plane was not',
      {
        release: '4.22.0',
        controlPlaneRelease: '4.22.2',
        guest: ['C 4.22.0 1-6'],
        controlPlane: ['P 4.22.2 5-', 'C 4.22.1 1-5'],
      },
      MOVING,
      ['P 4.22.0 1-'],
    ],
    [
      'the guest follows a control plane that went before',
      {
        release: '4.22.1',
        controlPlaneRelease: '4.22.1',
        guest: ['C 4.22.1 7-8', 'C 4.22.0 1-2'],
        controlPlane: ['C 4.22.1 5-6', 'C 4.22.0 1-5'],
      },
      THERE,
      ['C 4.22.1 7-8', 'C 4.22.0 1-2'],
    ],
    [
      'unknown while the registry does not answer; what was completed stays so',
      { release: '4.22.0', guest: ['C 4.22.0 1-2'], controlPlane: ['C 4.22.0 1-2'], isRegistryAway: true },
      undefined,
      ['C 4.22.0 1-2'],
    ],
    [
      'components count where the control plane operator reports no version',
      { release: '4.22.1', guest: ['C 4.22.1 5-6'], components: [component('4.22.0')] },
      MOVING,
      ['P 4.22.1 5-'],
    ],
    [
      'and are enough',
      { release: '4.22.1', guest: ['C 4.22.1 5-6'], components: [component('4.22.1')] },
      THERE,
      ['C 4.22.1 5-6'],
    ],
  ])('%s', (_, given, condition, history) => {
    const view = viewOf(given);
    const found = progressing(view);
    expect(found && `${found.status} ${found.reason}: ${found.message}`).toBe(condition);
    const guest = view.controlPlane?.status?.versionStatus;
    const combined = guest && combinedVersion(guest, view);
    expect(combined?.history?.map((each) => textOf(each as Entry))).toEqual(history);
  });

  it('is not decided before the guest reports, nor where something blocks', () => {
    const view = viewOf({ release: '4.22.0', guest: [], controlPlane: ['C 4.22.0 1-2'] });
    const waiting = { ...view, controlPlane: undefined };
    expect(progressing(waiting)?.reason).toBe('Progressing');
    expect(progressing({ ...view, blocked: 'why' })).toMatchObject({ status: 'False', reason: 'Blocked' });
  });
});
