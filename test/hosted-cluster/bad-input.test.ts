import { CLUSTER_ANNOTATION, HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { cutText } from '@capstan/meta';
import { ReleaseError } from '@capstan/release';
import { testPlatform } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { cluster, NAMESPACES, secret, SECRETS } from './objects.js';
import { hostedServer } from './server.js';
import { Fixture } from './fixture.js';

const server = await hostedServer();

interface BadInput {
  readonly what: string;
  readonly name: string;
  readonly platforms?: readonly ReturnType<typeof testPlatform>[];
  readonly changes?: Parameters<typeof cluster>[1];
  /** Done before the cluster is made. */
  readonly before?: (fixture: Fixture) => Promise<void> | void;
  readonly condition: string;
  readonly expected: string;
  /** The message of the Progressing condition; the condition itself by default. */
  readonly blocked?: string;
}

const BAD: readonly BadInput[] = [
  {
    what: 'an unknown platform',
    name: 'bad-platform',
    platforms: [testPlatform({ type: 'Meadow', key: 'meadow' })],
    condition: 'SupportedHostedCluster',
    expected:
      'False UnsupportedHostedCluster: spec.platform.type: this installation has no platform "Harbour", only Meadow: use one of those, or run an operator that has it',
  },
  {
    what: 'a management cluster without the CRDs of the platform',
    name: 'bad-definitions',
    before: ({ undefinedKinds }) => void undefinedKinds.add('harbourclusters'),
    condition: 'SupportedHostedCluster',
    expected:
      'False UnsupportedHostedCluster: spec.platform.type: the management cluster has no CRD harbourclusters.infrastructure.cluster.x-k8s.io: install the CRDs of platform Harbour',
  },
  {
    what: 'settings the platform refuses',
    name: 'bad-settings',
    changes: { settings: { port: '' } },
    condition: 'ValidConfiguration',
    expected:
      'False InvalidConfiguration: spec.platform.harbour.port: port is empty: name the port the cluster lies in',
  },
  {
    what: 'a release that does not exist',
    name: 'bad-release',
    changes: { spec: { release: { image: 'registry.example.com/release:none' } } },
    condition: 'ValidReleaseImage',
    expected: 'False InvalidImage: there is no image registry.example.com/release:none: push it',
  },
  {
    what: 'a registry that does not answer',
    name: 'bad-registry',
    before: ({ image, releases }) =>
      void releases.known.set(
        image,
        new ReleaseError('Unreachable', 'registry.example.com does not answer: look there'),
      ),
    condition: 'ValidReleaseImage',
    expected: 'False InvalidImage: registry.example.com does not answer: look there',
  },
  {
    what: 'a release that is too old',
    name: 'bad-version',
    before: ({ releases }) => void releases.add('4.13.2'),
    changes: { spec: { release: { image: 'registry.example.com/release:4.13.2' } } },
    condition: 'ValidReleaseImage',
    expected:
      'False InvalidImage: The release image registry.example.com/release:4.13.2 cannot be run: version 4.13.2 is older than 4.14, the oldest that is supported',
  },
  {
    what: 'a name too long for its namespace',
    name: `long-${'n'.repeat(60)}`,
    changes: { spec: { infraID: 'long' } },
    condition: 'ValidConfiguration',
    expected: `False InvalidConfiguration: metadata.name: the control plane namespace would be clusters-long-${'n'.repeat(60)}, which has 74 characters and may have 63: choose a shorter name or namespace`,
  },
  {
    what: 'an infraID too long for labels',
    name: 'bad-infra-id',
    changes: { spec: { infraID: 'i'.repeat(64) } },
    condition: 'ValidConfiguration',
    expected:
      'False InvalidConfiguration: spec.infraID: it has 64 characters, and a label that carries it may have 63: create the cluster again with a shorter one',
  },
  {
    what: 'a namespace that another client created',
    name: 'taken',
    before: (fixture) =>
      fixture.make(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'clusters-taken' } }),
    condition: 'ValidConfiguration',
    expected:
      'False InvalidConfiguration: metadata.name: the control plane namespace clusters-taken exists and was not created by this operator: choose another name or namespace for this cluster',
  },
  {
    what: 'a namespace that is another cluster’s',
    name: 'collides',
    before: (fixture) => {
      const metadata = { name: 'clusters-collides', annotations: { [CLUSTER_ANNOTATION]: 'clusters/other' } };
      return fixture.make(NAMESPACES, { apiVersion: 'v1', kind: 'Namespace', metadata });
    },
    condition: 'ValidConfiguration',
    expected:
      'False InvalidConfiguration: metadata.name: the control plane namespace clusters-collides exists and belongs to the HostedCluster clusters/other: choose another name or namespace for this cluster',
  },
  {
    what: 'infrastructure that is another cluster’s',
    name: 'younger',
    before: (fixture) =>
      fixture.make(HOSTED_CLUSTERS, cluster({ ...fixture, name: 'elder' }, { spec: { infraID: 'shared' } })),
    changes: { spec: { infraID: 'shared' } },
    condition: 'ValidConfiguration',
    expected:
      'False InvalidConfiguration: spec.infraID: the infrastructure shared belongs to the HostedCluster clusters/elder: create this cluster again with an infraID of its own',
  },
  {
    what: 'a configuration that names what is not there',
    name: 'bad-reference',
    changes: { spec: { configuration: { proxy: { trustedCA: { name: 'no-bundle' } } } } },
    condition: 'ValidConfiguration',
    expected:
      'False InvalidConfiguration: spec.configuration.proxy.trustedCA: ConfigMap no-bundle is not in namespace clusters: create it, or name another one',
  },
  {
    what: 'a namespace of the platform that is not there',
    name: 'bad-namespace',
    platforms: [testPlatform({ namespaces: () => [{ name: 'docks', path: 'spec.platform.harbour.docks' }] })],
    condition: 'ValidConfiguration',
    expected:
      'False InvalidConfiguration: spec.platform.harbour.docks: there is no namespace docks: create it, or name another one',
  },
  {
    what: 'a pull secret without credentials',
    name: 'bad-pull-secret',
    before: (fixture) => fixture.make(SECRETS, secret('clusters', 'no-login', { other: '' })),
    changes: { spec: { pullSecret: { name: 'no-login' } } },
    condition: 'ValidConfiguration',
    expected:
      'False InvalidConfiguration: spec.pullSecret: Secret no-login has no key .dockerconfigjson: put the credentials of the registry there',
  },
  {
    what: 'a pull secret that is not there',
    name: 'no-pull-secret',
    changes: { spec: { pullSecret: { name: 'absent' } } },
    condition: 'ValidReleaseImage',
    expected:
      'False SecretNotFound: The release image cannot be looked up without a pull secret: see ValidConfiguration',
    blocked:
      'ValidConfiguration is false: spec.pullSecret: Secret absent is not in namespace clusters: create it, or name another one',
  },
  {
    what: 'credentials of the platform that are not there',
    name: 'bad-credentials',
    changes: { settings: { credentials: { name: 'absent' } } },
    condition: 'PlatformCredentialsFound',
    expected:
      'False PlatformCredentialsNotFound: spec.platform: Secret absent is not in namespace clusters: create it with the credentials of the platform',
  },
];

describe('bad input', () => {
  it.each(BAD)('is reported in a condition and an event, and blocks: $what', async (bad) => {
    const { before, blocked, changes, condition, expected, name, platforms } = bad;
    const fixture = new Fixture(server, { name, platforms });
    await before?.(fixture);
    await fixture.begin(changes);
    await fixture.settle();
    expect(await fixture.condition(condition)).toBe(expected);
    const [, reason = '', message = ''] = /^False (\w+): (.*)$/s.exec(expected) ?? [];
    const events = (await fixture.events()).filter((line) => line.includes(message));
    expect(events).toContain(`Warning ${reason}: ${message}`);
    const why = blocked ?? `${condition} is false: ${message}`;
    // The gate has the whole message; these are columns of tables.
    expect(await fixture.condition('Progressing')).toBe(`False Blocked: ${cutText(why)}`);
    expect(await fixture.condition('Available')).toBe(`False WaitingForAvailable: ${cutText(why)}`);
    expect(await fixture.condition('ReconciliationSucceeded')).toBe(`False Blocked: ${cutText(why)}`);
    expect(await fixture.find(HOSTED_CONTROL_PLANES, name, fixture.controlPlaneNamespace)).toBeUndefined();
    fixture.effects.take();
    await fixture.settle();
    expect(fixture.effects.take()).toEqual([]);
  });
});
