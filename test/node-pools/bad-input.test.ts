import {
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  NODE_POOLS,
  SKIP_RELEASE_VALIDATION_ANNOTATION,
} from '@capstan/hosting';
import { HARBOUR_MACHINE_TEMPLATES, testPlatform } from '@capstan/provider/testing';
import { ReleaseError } from '@capstan/release';
import type { JsonObject } from '@capstan/meta';
import { openDefinition } from '@capstan/upstream';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  CONFIG_MAPS,
  configMap,
  controlPlane,
  CRDS,
  HOME,
  HOSTED,
  hostedCluster,
  imageOf,
  machineConfig,
  NAMESPACE,
  nodePool,
  secret,
  SECRETS,
} from './objects.js';
import { Fixture } from './fixture.js';

/** `status reason: message` of a condition. */
async function conditionText(fixture: Fixture, pool: string, type: string): Promise<string> {
  const found = (await fixture.pool(pool)).status?.conditions?.find((condition) => condition.type === type);
  return `${found?.status} ${found?.reason}: ${found?.message}`;
}

interface Case {
  readonly what: string;
  readonly spec?: JsonObject;
  readonly settings?: JsonObject;
  readonly type: string;
  readonly reason?: string;
  readonly message: string;
}

const CASES: readonly Case[] = [
  {
    what: 'a release that is not there',
    spec: { release: { image: 'registry.example.com/nothing' } },
    type: 'ValidReleaseImage',
    message: 'Failed to get release image: there is no image registry.example.com/nothing: push it, or name another',
  },
  {
    what: 'a release newer than the cluster',
    spec: { release: { image: imageOf('4.23.0') } },
    type: 'ValidReleaseImage',
    message: `release image ${imageOf('4.23.0')}: release 4.23.0 is not supported, the latest is 4.22: choose an earlier release, or upgrade the HostedCluster first`,
  },
  {
    what: 'configuration that is not there',
    spec: { config: [{ name: 'nothing' }] },
    type: 'ValidMachineConfig',
    message: 'ConfigMap "nothing" does not exist: create it, or take it out',
  },
  {
    what: 'configuration that is no YAML',
    spec: { config: [{ name: 'garbled' }] },
    type: 'ValidMachineConfig',
    message: 'ConfigMap "garbled": config: not YAML: Missing closing "quote at line 1, column 6',
  },
  {
    what: 'configuration of another kind',
    spec: { config: [{ name: 'pod' }] },
    type: 'ValidMachineConfig',
    message:
      'ConfigMap "pod", document 1: v1 Pod cannot be used here; what can: MachineConfig, KubeletConfig, ContainerRuntimeConfig, ImageContentSourcePolicy, ImageDigestMirrorSet, ClusterImagePolicy',
  },
  {
    what: 'tuning without the key',
    spec: { tuningConfig: [{ name: 'pod' }] },
    type: 'ValidTuningConfig',
    message: 'ConfigMap "pod": has no key tuning',
  },
  {
    what: 'settings the platform refuses',
    settings: { cranes: 12 },
    type: 'ValidPlatformConfig',
    message: 'spec.platform.harbour.cranes: cranes is 12: a berth has at most 9',
  },
  {
    what: 'settings no template can be made of',
    settings: { berth: '' },
    type: 'ValidMachineTemplate',
    message: 'spec.platform.harbour.berth: berth is empty: name one',
  },
  {
    what: 'an architecture without machines',
    spec: { arch: 'ppc64le' },
    type: 'ValidArchPlatform',
    reason: 'InvalidArchPlatform',
    message: 'platform Harbour has no machines of architecture ppc64le, only amd64, arm64',
  },
  {
    what: 'a cluster that is not there',
    spec: { clusterName: 'nobody' },
    type: 'Ready',
    reason: 'NotFound',
    message: 'HostedCluster clusters/nobody does not exist: create it, or delete this NodePool',
  },
];

describe(
  'what a user has to fix is reported in a condition and an event, and nothing is created',
  { timeout: 120_000 },
  () => {
    let fixture: Fixture;
    const nameOf = (at: number): string => `odd-${at}`;

    beforeAll(async () => {
      fixture = await Fixture.begin({ hasMachines: false });
      await fixture.client.create(CONFIG_MAPS, configMap('garbled', { config: 'a: "b' }));
      await fixture.client.create(CONFIG_MAPS, configMap('pod', { config: 'apiVersion: v1\nkind: Pod\n' }));
      for (const [at, { settings, spec }] of CASES.entries())
        await fixture.client.create(NODE_POOLS, nodePool(nameOf(at), spec, settings));
      await fixture.pass(60_000);
    }, 120_000);

    it.each(CASES.map((each, at) => [each.what, each, at] as const))(
      '%s',
      async (_, { message, reason = 'ValidationFailed', type }, at) => {
        expect(await conditionText(fixture, nameOf(at), type)).toBe(`False ${reason}: ${message}`);
        expect(await fixture.events(nameOf(at))).toEqual([`${reason}: ${message}`]);
        expect(
          (await fixture.templates()).concat(await fixture.poolSecrets()).filter((name) => name.includes(nameOf(at))),
        ).toEqual([]);
      },
    );

    it('writes nothing any more once the problem is reported', async () => {
      const seen = fixture.logLength;
      await fixture.pass(1_200_000);
      expect(fixture.writes(seen)).toEqual([]);
    });
  },
);

describe('a problem that is fixed', { timeout: 120_000 }, () => {
  it('continues when a ConfigMap is fixed, and when it becomes another', async () => {
    const fixture = await Fixture.begin({ hasMachines: false });
    await fixture.client.create(NODE_POOLS, nodePool('workers', { config: [{ name: 'mine' }] }));
    await fixture.until('it is missed', () => fixture.hasCondition('workers', 'ValidMachineConfig', 'False'));
    await fixture.client.create(CONFIG_MAPS, configMap('mine', { config: machineConfig('one', 'a') }));
    await fixture.until('it goes on', () => fixture.hasCondition('workers', 'ValidMachineConfig', 'True'));
    await fixture.until('it is made', async () => (await fixture.poolSecrets()).length === 2);
    const first = await fixture.poolSecrets();
    await fixture.merge(CONFIG_MAPS, NAMESPACE, 'mine', { data: { config: machineConfig('one', 'b') } });
    await fixture.until('another is made', async () => (await fixture.poolSecrets()).join() !== first.join());
    await fixture.merge(CONFIG_MAPS, NAMESPACE, 'mine', { data: { config: 'a: b' } });
    await fixture.until('it is refused', () => fixture.hasCondition('workers', 'ValidMachineConfig', 'False'));
    const deployment = await fixture.deployment('workers');
    await fixture.pass(10_000);
    expect((await fixture.deployment('workers')).metadata.generation).toBe(deployment.metadata.generation);
  });

  it('keeps machines while the registry is unavailable, and retries until it answers', async () => {
    const fixture = await Fixture.begin({ hasMachines: false });
    await fixture.client.create(NODE_POOLS, nodePool('workers'));
    await fixture.until('it is made', async () => (await fixture.poolSecrets()).length === 2);
    const away = new ReleaseError('Unreachable', 'registry.example.com does not answer: look whether it runs');
    fixture.releases.failures.set(imageOf('4.22.1'), away);
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', {
      spec: { replicas: 3, release: { image: imageOf('4.22.1') } },
    });
    await fixture.until('it is reported', () => fixture.hasCondition('workers', 'ValidReleaseImage', 'False'));
    expect(await conditionText(fixture, 'workers', 'ValidReleaseImage')).toBe(
      'False ValidationFailed: Failed to get release image: registry.example.com does not answer: look whether it runs',
    );
    expect((await fixture.deployment('workers')).spec?.replicas).toBe(2);
    fixture.releases.failures.clear();
    await fixture.until('it goes on', async () => (await fixture.deployment('workers')).spec?.replicas === 3);
  });

  it('waits for the cluster, step by step', async () => {
    const fixture = await Fixture.begin({ hasCluster: false, hasMachines: false });
    await fixture.client.create(NODE_POOLS, nodePool('workers'));
    await fixture.until('there is no cluster', () => fixture.hasCondition('workers', 'Ready', 'False'));
    expect((await fixture.pool('workers')).metadata.finalizers).toBeUndefined();
    await fixture.client.create(HOSTED_CLUSTERS, hostedCluster());
    await fixture.until('there is no pull secret', () => fixture.hasCondition('workers', 'ValidReleaseImage', 'False'));
    expect(await conditionText(fixture, 'workers', 'ValidReleaseImage')).toBe(
      'False ValidationFailed: Failed to get release image: Secret clusters/pull-secret does not exist or has no key .dockerconfigjson',
    );
    await fixture.client.create(SECRETS, secret(NAMESPACE, 'pull-secret', { '.dockerconfigjson': '{}' }));
    await fixture.until('there is no ignition', () =>
      fixture.hasCondition('workers', 'IgnitionEndpointAvailable', 'False'),
    );
    expect(await conditionText(fixture, 'workers', 'IgnitionEndpointAvailable')).toBe(
      'False IgnitionEndpointMissing: Ignition endpoint not available, waiting',
    );
    await fixture.setStatus(HOSTED_CLUSTERS, NAMESPACE, HOSTED, { ignitionEndpoint: 'ignition.example.com' });
    await fixture.until('there is no certificate', async () =>
      (await conditionText(fixture, 'workers', 'IgnitionEndpointAvailable')).includes('IgnitionCACertMissing'),
    );
    await fixture.client.create(HOSTED_CONTROL_PLANES, controlPlane());
    await fixture.client.create(SECRETS, secret(HOME, 'ignition-server-ca-cert', { 'tls.crt': 'CERTIFICATE' }));
    await fixture.until('it has no kubeconfig', async () =>
      (await conditionText(fixture, 'workers', 'Ready')).includes('kubeconfig'),
    );
    await fixture.setStatus(HOSTED_CLUSTERS, NAMESPACE, HOSTED, { kubeconfig: { name: 'admin' } });
    await fixture.until('it is made', async () => (await fixture.poolSecrets()).length === 2);
    const types = ((await fixture.pool('workers')).status?.conditions ?? []).map(({ type }) => type);
    expect(types).not.toContain('IgnitionEndpointAvailable');
    expect(await conditionText(fixture, 'workers', 'SupportedVersionSkew')).toBe(
      'Unknown ValidationFailed: HostedCluster version is not available yet',
    );
  });

  it('waits for the CRDs of the platform', async () => {
    const { machineTemplate } = testPlatform();
    const kind = { ...HARBOUR_MACHINE_TEMPLATES, plural: 'harbourtugs', kind: 'HarbourTug' };
    const platform = testPlatform(
      machineTemplate === undefined ? {} : { machineTemplate: { ...machineTemplate, kind } },
    );
    const fixture = await Fixture.begin({ hasMachines: false, platform });
    await fixture.client.create(NODE_POOLS, nodePool('workers'));
    await fixture.until('it is reported', () => fixture.hasCondition('workers', 'ValidMachineTemplate', 'False'));
    expect(await conditionText(fixture, 'workers', 'ValidMachineTemplate')).toBe(
      'False ValidationFailed: this cluster does not serve harbourtugs.infrastructure.cluster.x-k8s.io: install the CRDs of the platform',
    );
    await fixture.client.create(CRDS, openDefinition(kind.group, kind.kind, [kind.version]));
    await fixture.until('it is made', async () => (await fixture.poolSecrets()).length === 2);
  });

  it('takes any release where an annotation of the cluster allows it', async () => {
    const fixture = await Fixture.begin({ hasMachines: false });
    await fixture.client.create(NODE_POOLS, nodePool('workers', { release: { image: imageOf('4.9.0') } }));
    await fixture.until('it is refused', () => fixture.hasCondition('workers', 'ValidReleaseImage', 'False'));
    const annotations = { [SKIP_RELEASE_VALIDATION_ANNOTATION]: 'true' };
    await fixture.merge(HOSTED_CLUSTERS, NAMESPACE, HOSTED, { metadata: { annotations } });
    await fixture.until('it is made', async () => (await fixture.poolSecrets()).length === 2);
    expect(await fixture.hasCondition('workers', 'SupportedVersionSkew', 'False')).toBe(true);
  });
});
