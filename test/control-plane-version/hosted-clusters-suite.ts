import type { ControlPlaneVersionStatus, HostedCluster, NodePool } from '@capstan/api/hypershift';
import { hypershiftOperator, nodePoolWebhookConfiguration } from '@capstan/hypershift';
import { fakeReleases } from '@capstan/hypershift/testing';
import { HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES, NODE_POOLS } from '@capstan/hosting';
import { Client, createCa } from '@capstan/kube';
import type { KubeObject, Transport } from '@capstan/meta';
import { HostingPlatforms } from '@capstan/provider';
import { testPlatform } from '@capstan/provider/testing';
import { freePort } from '@capstan/simulation';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operatorContext } from '../control-plane/fixture.js';
import { installHostedDefinitions } from '../hosted-cluster/definitions.js';
import { pool } from '../hosted-cluster/objects.js';
import { Fixture } from '../hosted-cluster/fixture.js';
import { EXAMPLES } from './examples.js';

const WEBHOOKS = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};
const soon = { timeout: 60_000, interval: 100 };

/** Runs the operator of hosted clusters with its webhook, and has the server ask that. */
async function startOperator(
  transport: Transport,
  releases: ReturnType<typeof fakeReleases>,
  signal: AbortSignal,
): Promise<{ readonly running: Promise<void> }> {
  const ca = createCa({ commonName: 'webhooks of the test' });
  const { certPem, keyPem } = ca.issueServing({ commonName: 'operator', ipAddresses: ['127.0.0.1'] });
  const port = await freePort();
  const operator = hypershiftOperator({
    platforms: new HostingPlatforms([testPlatform()]),
    releases: () => releases,
  });
  const manager = await operator.build(
    operatorContext(operator, {
      transport,
      args: ['--webhook-cert-dir=/certs', `--webhook-port=${port}`],
      files: { '/certs/tls.crt': certPem, '/certs/tls.key': keyPem },
    }),
  );
  const running = manager.run(signal);
  const caBundle = Buffer.from(ca.certPem).toString('base64');
  const configuration = nodePoolWebhookConfiguration({ clientConfig: { url: `https://127.0.0.1:${port}`, caBundle } });
  await new Client(transport).create(WEBHOOKS, configuration);
  return { running };
}

/** A cluster whose control plane is played by the test. */
class PlayedCluster extends Fixture {
  /** Sets the version in the status of the control plane, once that exists. */
  async setControlPlaneVersion(controlPlaneVersion: object): Promise<void> {
    await expect
      .poll(
        () =>
          this.reportControlPlane({ controlPlaneVersion }).then(
            async () => (await this.plane())?.status?.controlPlaneVersion,
            () => undefined,
          ),
        soon,
      )
      .toEqual(controlPlaneVersion);
  }

  async plane() {
    return this.find<KubeObject & { status?: { controlPlaneVersion?: object } }>(
      HOSTED_CONTROL_PLANES,
      this.name,
      this.controlPlaneNamespace,
    );
  }

  async version(): Promise<ControlPlaneVersionStatus | undefined> {
    return (await this.hostedCluster()).status?.controlPlaneVersion;
  }

  /** The server's answer to a pool of that release. */
  async poolOf(name: string, version: string): Promise<string> {
    const cluster: HostedCluster = await this.hostedCluster();
    const image = `registry.example.com/release:${version}`;
    const wanted = pool(cluster, name, { release: { image }, replicas: 0 });
    return this.client.create<NodePool>(NODE_POOLS, wanted, { dryRun: true }).then(
      () => 'taken',
      (error: unknown) => (error as Error).message,
    );
  }
}

const versionStatus = (...entries: readonly (readonly [state: string, version: string])[]): object => ({
  desired: { version: entries[0]?.[1] ?? '', image: 'x' },
  observedGeneration: 1,
  history: entries.map(([state, version], at) => ({
    state,
    version,
    image: 'x',
    startedTime: '2026-02-20T10:00:00Z',
    completionTime: at === 0 && state === 'Partial' ? null : '2026-02-20T10:00:00Z',
  })),
});

const refusal = (version: string, why: string, range: string): string =>
  `admission webhook "nodepools.hypershift.openshift.io" denied the request: spec.release.image registry.example.com/release:${version}: version ${version} ${why}; choose one from ${range}`;

/** What the operator of hosted clusters makes of the versions of control planes. */
const SCENARIOS: Readonly<Record<string, (cluster: PlayedCluster) => Promise<void>>> = {
  'copies the examples of the specification unchanged from the control plane to the cluster': async (cluster) => {
    for (const example of Object.values(EXAMPLES)) {
      await cluster.setControlPlaneVersion(example);
      await expect.poll(() => cluster.version(), soon).toEqual(example);
    }
  },

  'keeps the last reported version when the control plane is deleted': async (cluster) => {
    const [example = {}] = Object.values(EXAMPLES);
    await cluster.setControlPlaneVersion(example);
    await expect.poll(() => cluster.version(), soon).toEqual(example);
    // Paused, or it would be recreated.
    await cluster.change({ spec: { pausedUntil: 'true' } });
    await expect.poll(() => cluster.condition('ReconciliationActive'), soon).toContain('False ReconciliationPaused');
    const { controlPlaneNamespace: namespace, name } = cluster;
    await cluster.client.delete(HOSTED_CONTROL_PLANES, name, { namespace });
    await expect
      .poll(() => cluster.condition('EtcdAvailable'), soon)
      .toBe('Unknown StatusUnknown: The hosted control plane is not found');
    expect(await cluster.version()).toEqual(example);
  },

  'removes a condition that earlier releases wrote from the cluster': async (cluster) => {
    await cluster.setControlPlaneVersion(versionStatus(['Completed', '4.22.0']));
    const bygone = { type: 'ControlPlaneUpToDate', status: 'True', reason: 'AsExpected', message: '' };
    const { status } = await cluster.hostedCluster();
    const conditions = [...(status?.conditions ?? []), { ...bygone, lastTransitionTime: '2026-01-01T00:00:00Z' }];
    const { name, namespace } = cluster;
    const at = { namespace, subresource: 'status' as const };
    await cluster.client.patch(HOSTED_CLUSTERS, name, { type: 'merge', value: { status: { conditions } } }, at);
    await expect.poll(() => cluster.condition('ControlPlaneUpToDate'), soon).toBe('none');
  },

  'refuses pools whose version does not fit the control plane, and names the supported range': async (cluster) => {
    await cluster.setControlPlaneVersion(versionStatus(['Partial', '4.22.1'], ['Completed', '4.22.0']));
    const newer = 'is newer than 4.22.0, the oldest version its control plane may be running';
    const older = 'is older than 4.21, the oldest its control plane supports';
    await expect.poll(() => cluster.poolOf('a', '4.22.1'), soon).toBe(refusal('4.22.1', newer, '4.21 to 4.22.0'));
    expect(await cluster.poolOf('a', '4.20.9')).toBe(refusal('4.20.9', older, '4.21 to 4.22.0'));
    expect(await cluster.poolOf('a', '4.22.0')).toBe('taken');
    expect(await cluster.poolOf('a', '4.21.9')).toBe('taken');
    await cluster.setControlPlaneVersion(versionStatus(['Completed', '4.22.1'], ['Completed', '4.22.0']));
    await expect.poll(() => cluster.poolOf('a', '4.22.1'), soon).toBe('taken');
  },
};

/** Runs all scenarios on an API server. */
export function describeHostedVersions(server: string, connect: () => Promise<Transport>): void {
  describe(`hosted clusters and the versions of their control planes on ${server}`, () => {
    const stop = new AbortController();
    const releases = fakeReleases();
    let transport: Transport;
    let running: Promise<void> | undefined;
    let count = 0;

    beforeAll(async () => {
      transport = await connect();
      await installHostedDefinitions(new Client(transport));
      for (const version of ['4.20.9', '4.21.9', '4.22.0', '4.22.1']) releases.add(version);
      ({ running } = await startOperator(transport, releases, stop.signal));
    }, 120_000);

    afterAll(async () => {
      stop.abort();
      await running;
    }, 60_000);

    it.each(Object.entries(SCENARIOS))(
      '%s',
      async (_, run) => {
        count += 1;
        const cluster = new PlayedCluster(transport, { name: `hosted-${count}`, namespace: 'versions' });
        await cluster.begin();
        await run(cluster);
      },
      120_000,
    );
  });
}
