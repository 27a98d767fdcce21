import {
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  NODE_POOLS,
  SKIP_RELEASE_VALIDATION_ANNOTATION,
} from '@capstan/provider';
import { HARBOUR_MACHINE_TEMPLATES, testPlatform } from '@capstan/provider/testing';
import { ReleaseError } from '@capstan/release';
import { openDefinition } from '@capstan/simulation';
import type { JsonObject } from '@capstan/meta';
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
import { Stage } from './stage.js';

/** `status reason: message` of a condition. */
async function told(stage: Stage, pool: string, type: string): Promise<string> {
  const found = (await stage.pool(pool)).status?.conditions?.find((condition) => condition.type === type);
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
  'what a user has to mend is said in a condition and an event, and nothing is made',
  { timeout: 120_000 },
  () => {
    let stage: Stage;
    const nameOf = (at: number): string => `odd-${at}`;

    beforeAll(async () => {
      stage = await Stage.begin({ hasMachines: false });
      await stage.client.create(CONFIG_MAPS, configMap('garbled', { config: 'a: "b' }));
      await stage.client.create(CONFIG_MAPS, configMap('pod', { config: 'apiVersion: v1\nkind: Pod\n' }));
      for (const [at, { settings, spec }] of CASES.entries())
        await stage.client.create(NODE_POOLS, nodePool(nameOf(at), spec, settings));
      await stage.pass(60_000);
    }, 120_000);

    it.each(CASES.map((each, at) => [each.what, each, at] as const))(
      '%s',
      async (_, { message, reason = 'ValidationFailed', type }, at) => {
        expect(await told(stage, nameOf(at), type)).toBe(`False ${reason}: ${message}`);
        expect(await stage.events(nameOf(at))).toEqual([`${reason}: ${message}`]);
        expect(
          (await stage.templates()).concat(await stage.poolSecrets()).filter((name) => name.includes(nameOf(at))),
        ).toEqual([]);
      },
    );

    it('and then nothing is written any more', async () => {
      const seen = stage.logLength;
      await stage.pass(1_200_000);
      expect(stage.writes(seen)).toEqual([]);
    });
  },
);

describe('what mends itself, or is mended', { timeout: 120_000 }, () => {
  it('goes on when a ConfigMap is mended, and when it becomes another', async () => {
    const stage = await Stage.begin({ hasMachines: false });
    await stage.client.create(NODE_POOLS, nodePool('workers', { config: [{ name: 'mine' }] }));
    await stage.until('it is missed', () => stage.says('workers', 'ValidMachineConfig', 'False'));
    await stage.client.create(CONFIG_MAPS, configMap('mine', { config: machineConfig('one', 'a') }));
    await stage.until('it goes on', () => stage.says('workers', 'ValidMachineConfig', 'True'));
    await stage.until('it is made', async () => (await stage.poolSecrets()).length === 2);
    const first = await stage.poolSecrets();
    await stage.merge(CONFIG_MAPS, NAMESPACE, 'mine', { data: { config: machineConfig('one', 'b') } });
    await stage.until('another is made', async () => (await stage.poolSecrets()).join() !== first.join());
    await stage.merge(CONFIG_MAPS, NAMESPACE, 'mine', { data: { config: 'a: b' } });
    await stage.until('it is refused', () => stage.says('workers', 'ValidMachineConfig', 'False'));
    const deployment = await stage.deployment('workers');
    await stage.pass(10_000);
    expect((await stage.deployment('workers')).metadata.generation).toBe(deployment.metadata.generation);
  });

  it('keeps what runs while the registry is away, and asks again until it answers', async () => {
    const stage = await Stage.begin({ hasMachines: false });
    await stage.client.create(NODE_POOLS, nodePool('workers'));
    await stage.until('it is made', async () => (await stage.poolSecrets()).length === 2);
    const away = new ReleaseError('Unreachable', 'registry.example.com does not answer: look whether it runs');
    stage.releases.failures.set(imageOf('4.22.1'), away);
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', {
      spec: { replicas: 3, release: { image: imageOf('4.22.1') } },
    });
    await stage.until('it says so', () => stage.says('workers', 'ValidReleaseImage', 'False'));
    expect(await told(stage, 'workers', 'ValidReleaseImage')).toBe(
      'False ValidationFailed: Failed to get release image: registry.example.com does not answer: look whether it runs',
    );
    expect((await stage.deployment('workers')).spec?.replicas).toBe(2);
    stage.releases.failures.clear();
    await stage.until('it goes on', async () => (await stage.deployment('workers')).spec?.replicas === 3);
  });

  it('waits for the cluster, step by step', async () => {
    const stage = await Stage.begin({ hasCluster: false, hasMachines: false });
    await stage.client.create(NODE_POOLS, nodePool('workers'));
    await stage.until('there is no cluster', () => stage.says('workers', 'Ready', 'False'));
    expect((await stage.pool('workers')).metadata.finalizers).toBeUndefined();
    await stage.client.create(HOSTED_CLUSTERS, hostedCluster());
    await stage.until('there is no pull secret', () => stage.says('workers', 'ValidReleaseImage', 'False'));
    expect(await told(stage, 'workers', 'ValidReleaseImage')).toBe(
      'False ValidationFailed: Failed to get release image: Secret clusters/pull-secret does not exist or has no key .dockerconfigjson',
    );
    await stage.client.create(SECRETS, secret(NAMESPACE, 'pull-secret', { '.dockerconfigjson': '{}' }));
    await stage.until('there is no ignition', () => stage.says('workers', 'IgnitionEndpointAvailable', 'False'));
    expect(await told(stage, 'workers', 'IgnitionEndpointAvailable')).toBe(
      'False IgnitionEndpointMissing: Ignition endpoint not available, waiting',
    );
    await stage.setStatus(HOSTED_CLUSTERS, NAMESPACE, HOSTED, { ignitionEndpoint: 'ignition.example.com' });
    await stage.until('there is no certificate', async () =>
      (await told(stage, 'workers', 'IgnitionEndpointAvailable')).includes('IgnitionCACertMissing'),
    );
    await stage.client.create(HOSTED_CONTROL_PLANES, controlPlane());
    await stage.client.create(SECRETS, secret(HOME, 'ignition-server-ca-cert', { 'tls.crt': 'CERTIFICATE' }));
    await stage.until('it has no kubeconfig', async () =>
      (await told(stage, 'workers', 'Ready')).includes('kubeconfig'),
    );
    await stage.setStatus(HOSTED_CLUSTERS, NAMESPACE, HOSTED, { kubeconfig: { name: 'admin' } });
    await stage.until('it is made', async () => (await stage.poolSecrets()).length === 2);
    const types = ((await stage.pool('workers')).status?.conditions ?? []).map(({ type }) => type);
    expect(types).not.toContain('IgnitionEndpointAvailable');
    expect(await told(stage, 'workers', 'SupportedVersionSkew')).toBe(
      'Unknown ValidationFailed: HostedCluster version is not available yet',
    );
  });

  it('waits for the definitions of the platform', async () => {
    const { machineTemplate } = testPlatform();
    const kind = { ...HARBOUR_MACHINE_TEMPLATES, plural: 'harbourtugs', kind: 'HarbourTug' };
    const platform = testPlatform(
      machineTemplate === undefined ? {} : { machineTemplate: { ...machineTemplate, kind } },
    );
    const stage = await Stage.begin({ hasMachines: false, platform });
    await stage.client.create(NODE_POOLS, nodePool('workers'));
    await stage.until('it says so', () => stage.says('workers', 'ValidMachineTemplate', 'False'));
    expect(await told(stage, 'workers', 'ValidMachineTemplate')).toBe(
      'False ValidationFailed: this cluster does not serve harbourtugs.infrastructure.cluster.x-k8s.io: install the definitions of the platform',
    );
    await stage.client.create(CRDS, openDefinition(kind.group, kind.kind, [kind.version]));
    await stage.until('it is made', async () => (await stage.poolSecrets()).length === 2);
  });

  it('takes any release where the cluster says so', async () => {
    const stage = await Stage.begin({ hasMachines: false });
    await stage.client.create(NODE_POOLS, nodePool('workers', { release: { image: imageOf('4.9.0') } }));
    await stage.until('it is refused', () => stage.says('workers', 'ValidReleaseImage', 'False'));
    const annotations = { [SKIP_RELEASE_VALIDATION_ANNOTATION]: 'true' };
    await stage.merge(HOSTED_CLUSTERS, NAMESPACE, HOSTED, { metadata: { annotations } });
    await stage.until('it is made', async () => (await stage.poolSecrets()).length === 2);
    expect(await stage.says('workers', 'SupportedVersionSkew', 'False')).toBe(true);
  });
});
