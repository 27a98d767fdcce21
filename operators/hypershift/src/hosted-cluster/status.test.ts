import type { ControlPlaneComponent, HostedCluster, HostedControlPlane } from '@capstan/api/hypershift';
import { hostedClusterOn, testPlatform } from '@capstan/provider/testing';
import type { ReleasePayload } from '@capstan/release';
import { describe, expect, it } from 'vitest';
import type { Finding } from './state.js';
import { available, ignitionAvailable } from './status/availability.js';
import { mirroredFindings } from './status/mirrored.js';
import { allFindings } from './conditions.js';
import { statusOf, versionOf } from './status.js';
import type { StatusInputs } from './status/availability.js';

const IMAGE = hostedClusterOn(testPlatform()).spec?.release.image ?? '';
const PULL_SPEC = 'registry.example.com/release@sha256:1';
const release = { pullSpec: PULL_SPEC, version: '4.22.0', architectures: ['amd64'] } as unknown as ReleasePayload;

type Statuses = Readonly<Record<string, string>>;

function conditions(statuses: Statuses): object[] {
  return Object.entries(statuses).map(([type, status]) => ({ type, status, reason: 'Why', message: 'so' }));
}

function controlPlane(statuses: Statuses, status: object = {}): HostedControlPlane {
  const made: unknown = { metadata: {}, status: { conditions: conditions(statuses), ...status } };
  return made as HostedControlPlane;
}

function component(name: string, is: string): ControlPlaneComponent {
  const made: unknown = { metadata: { name }, status: { conditions: conditions({ Available: is }) } };
  return made as ControlPlaneComponent;
}

function cluster(changes: { readonly annotations?: object; readonly status?: object } = {}): HostedCluster {
  const made = hostedClusterOn(testPlatform());
  const { annotations = {}, status = {} } = changes;
  return { ...made, metadata: { ...made.metadata, annotations }, status } as unknown as HostedCluster;
}

function view(changes: Partial<StatusInputs> = {}): StatusInputs {
  return {
    hostedCluster: cluster(),
    controlPlane: undefined,
    components: [],
    release,
    guestRelease: release,
    blocked: undefined,
    findings: new Map(),
    ignitionEndpoint: undefined,
    access: undefined,
    now: '2026-01-01T00:00:00Z',
    ...changes,
  };
}

const textOf = (finding: Finding | undefined): string | undefined =>
  finding && `${finding.status} ${finding.reason}: ${finding.message}`;

const LONG = Array.from({ length: 28 }, (_, index) => `component-number-${String(index).padStart(2, '0')}`);

describe('a cluster is available', () => {
  const many = LONG.map((name) => component(name, 'False'));

  it.each<[string, Partial<StatusInputs>, string]>([
    ['not before anything is there', {}, 'False WaitingForAvailable: Waiting for hosted control plane to be healthy'],
    ['not while something is wrong', { blocked: 'X is false: y' }, 'False WaitingForAvailable: X is false: y'],
    [
      'not while its namespace is deleted, whatever its control plane reports',
      { controlPlane: controlPlane({ Available: 'True' }), namespaceTermination: 'it goes' },
      'False ControlPlaneNamespaceTerminating: it goes',
    ],
    ['not when its control plane is not', { controlPlane: controlPlane({ Available: 'False' }) }, 'False Why: so'],
    [
      'not when a component is not, the first time',
      { controlPlane: controlPlane({ Available: 'True' }), components: [component('etcd', 'Unknown')] },
      'False ComponentsNotAvailable: Waiting for components to be available: etcd',
    ],
    [
      'and does not list them all',
      { controlPlane: controlPlane({ Available: 'True' }), components: many },
      `False ComponentsNotAvailable: Waiting for components to be available: ${LONG.slice(0, 7).join(', ')} and 21 more`,
    ],
    [
      'when all are',
      { controlPlane: controlPlane({ Available: 'True' }), components: [component('etcd', 'True')] },
      'True AsExpected: The hosted control plane is available',
    ],
    [
      'when it has been before, whatever its components say',
      {
        hostedCluster: cluster({ annotations: { 'hypershift.openshift.io/HasBeenAvailable': 'true' } }),
        controlPlane: controlPlane({ Available: 'True' }),
        components: [component('etcd', 'False')],
      },
      'True AsExpected: The hosted control plane is available',
    ],
    [
      'when it is, before anybody has remembered that',
      {
        hostedCluster: cluster({ status: { conditions: conditions({ Available: 'True' }) } }),
        controlPlane: controlPlane({ Available: 'True' }),
        components: [component('etcd', 'False')],
      },
      'True AsExpected: The hosted control plane is available',
    ],
  ])('%s', (_, changes, expected) => {
    expect(textOf(available(view(changes)))).toBe(expected);
  });
});

it.each<[readonly ControlPlaneComponent[], string]>([
  [[], 'False NotFound: There is no ignition server yet'],
  [[component('ignition-server', 'False')], 'False WaitingForAvailable: The ignition server is not available yet'],
  [[component('ignition-server', 'True')], 'True AsExpected: The ignition server is available'],
])('nodes can fetch their configuration by the component', (components, expected) => {
  expect(textOf(ignitionAvailable(view({ components })))).toBe(expected);
});

describe('the conditions of a control plane', () => {
  const byType = (of: HostedControlPlane | undefined): Map<string, string | undefined> =>
    new Map(mirroredFindings(of).map((finding) => [finding.type, textOf(finding)]));

  it('is nothing before it is there, and then not yet anything', () => {
    expect(byType(undefined).get('EtcdAvailable')).toBe('Unknown StatusUnknown: The hosted control plane is not found');
    expect(byType(controlPlane({})).get('EtcdAvailable')).toBe('Unknown StatusUnknown: Condition not found in the HCP');
  });

  it('are copied, unknown types too, except for those that the cluster decides itself', () => {
    const reported = byType(
      controlPlane({ Degraded: 'True', Whatever: 'Unknown', Available: 'True', Progressing: 'True' }),
    );
    expect([reported.get('Degraded'), reported.get('Whatever')]).toEqual(['True Why: so', 'Unknown Why: so']);
    expect([reported.has('Available'), reported.has('Progressing')]).toEqual([false, false]);
  });

  it.each([
    ['True', 'False'],
    ['False', 'True'],
    ['Unknown', 'Unknown'],
  ])('of failing %s means succeeding %s', (failing, succeeding) => {
    const reported = byType(controlPlane({ ClusterVersionFailing: failing }));
    expect([reported.get('ClusterVersionSucceeding'), reported.has('ClusterVersionFailing')]).toEqual([
      `${succeeding} Why: so`,
      false,
    ]);
  });

  it.each<[string, string, string]>([
    ['True', 'False', 'False'],
    ['False', 'True', 'False'],
    ['True', 'True', 'True'],
    ['Unknown', 'True', 'True'],
  ])('%s is merged with the own finding %s: %s', (reported, found, status) => {
    const type = 'ValidReleaseInfo';
    const finding = { type, status: found as 'True', reason: 'Found', message: '' };
    const all = allFindings(
      view({ controlPlane: controlPlane({ [type]: reported }), findings: new Map([[type, finding]]) }),
    );
    expect(all.find((each) => each.type === type)?.status).toBe(status);
  });
});

describe('the version of a cluster', () => {
  it('is the desired one until the control plane reports it', () => {
    const first = versionOf(view());
    expect(first).toEqual({
      desired: { image: IMAGE, version: '4.22.0' },
      history: [
        {
          state: 'Partial',
          image: IMAGE,
          version: '4.22.0',
          startedTime: '2026-01-01T00:00:00Z',
          completionTime: null,
          verified: false,
        },
      ],
      observedGeneration: 1,
      availableUpdates: null,
    });
    const again = view({ hostedCluster: cluster({ status: { version: first } }), now: '2026-02-02T00:00:00Z' });
    expect(versionOf(again)).toBe(first);
    const versionStatus = { desired: { image: 'x' } };
    expect(versionOf(view({ controlPlane: controlPlane({}, { versionStatus }) }))).toBe(versionStatus);
  });
});

describe('the status of a cluster', () => {
  it('keeps what nobody knows any more', () => {
    const before = {
      ignitionEndpoint: 'i',
      payloadArch: 'Multi',
      kubeconfig: { name: 'k' },
      controlPlaneEndpoint: { host: 'h', port: 1 },
    };
    const status = statusOf(view({ hostedCluster: cluster({ status: before }), release: undefined }));
    expect(status).toMatchObject(before);
  });

  it('has the Secrets that users have, and none that they had', () => {
    const before = { kubeconfig: { name: 'k' }, kubeadminPassword: { name: 'p' } };
    const status = statusOf(
      view({ hostedCluster: cluster({ status: before }), access: { kubeconfig: { name: 'new' } } }),
    );
    expect([status.kubeconfig, status.kubeadminPassword]).toEqual([{ name: 'new' }, undefined]);
  });

  it('is the same when nothing has changed, whatever the time', () => {
    const first = statusOf(view({ controlPlane: controlPlane({ Available: 'True' }) }));
    const again = view({
      hostedCluster: cluster({ status: first }),
      controlPlane: controlPlane({ Available: 'True' }),
      now: '2027-01-01T00:00:00Z',
    });
    expect(statusOf(again)).toEqual(first);
  });
});

describe('the version of the control plane alone', () => {
  const reported = { desired: { image: IMAGE, version: '4.22.0' }, observedGeneration: 7 };
  const older = { ...reported, observedGeneration: 3 };

  it.each<[string, HostedControlPlane | undefined, object | undefined]>([
    [
      'is copied with the generation of the control plane',
      controlPlane({}, { controlPlaneVersion: reported }),
      reported,
    ],
    ['is kept when the control plane is gone', undefined, older],
    ['is removed when the control plane operator does not report it', controlPlane({}), undefined],
  ])('%s', (_, of, expected) => {
    const hostedCluster = cluster({ status: { controlPlaneVersion: older } });
    const status = statusOf(view({ hostedCluster, controlPlane: of }));
    expect([status.controlPlaneVersion, 'controlPlaneVersion' in status]).toEqual([expected, expected !== undefined]);
  });

  it('takes the place of ControlPlaneUpToDate, wherever that is found', () => {
    const bygone = conditions({ ControlPlaneUpToDate: 'True', Kept: 'True' });
    const hostedCluster = cluster({ status: { conditions: bygone } });
    const types = (changes: Partial<StatusInputs>): (string | undefined)[] =>
      (statusOf(view(changes)).conditions ?? []).map(({ type }) => type);
    expect(types({ hostedCluster })).toContain('Kept');
    expect(types({ hostedCluster })).not.toContain('ControlPlaneUpToDate');
    const of = controlPlane({ ControlPlaneUpToDate: 'True', Kept: 'True' });
    expect(types({ controlPlane: of })).toContain('Kept');
    expect(types({ controlPlane: of })).not.toContain('ControlPlaneUpToDate');
  });
});
