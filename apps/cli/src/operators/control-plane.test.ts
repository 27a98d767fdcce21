import { controlPlaneComponent, hostedControlPlane } from '@capstan/api/hypershift';
import type { HostedControlPlane } from '@capstan/api/hypershift';
import { crd } from '@capstan/api/model';
import { HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import { controlPlaneInputs } from '@capstan/provider/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { main } from '../main.js';
import { hostingPlatforms } from '../platforms.js';
import { TestIo } from '../testing-io.js';
import { TIMEOUT_MS, testServer } from '../testing-server.js';
import type { TestServer } from '../testing-server.js';

vi.setConfig({ testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS });
let server: TestServer;

beforeAll(async () => {
  server = await testServer();
});
afterAll(() => server.close());

describe('capstan control-plane-operator', () => {
  it('names the missing CRD', async () => {
    const io = new TestIo();
    expect(await main(['control-plane-operator', '--kubeconfig', server.kubeconfig], io)).toBe(1);
    expect(io.stderr).toContain('the management cluster does not serve hostedcontrolplanes.hypershift.openshift.io');
  });

  it('reconciles control planes until it is stopped', async () => {
    const { client, kubeconfig } = server;
    await server.define([hostedControlPlane, controlPlaneComponent].map((kind) => crd(kind)));
    const usage = new TestIo();
    const refused = ['control-plane-operator', '--kubeconfig', kubeconfig, '--registry-override', 'quay.io'];
    expect(await main(refused, usage)).toBe(2);
    expect(usage.stderr).toContain('--registry-overrides: "quay.io" is not of the form name=value');
    const io = new TestIo();
    const ended = main(['control-plane-operator', '--kubeconfig', kubeconfig, '-o', 'json'], io);
    expect(JSON.parse(await io.firstLine())).toHaveProperty('server');
    const platform = (await hostingPlatforms()).find('None');
    if (platform === undefined) throw new TypeError('there is no platform None');
    const { spec, ...plane } = controlPlaneInputs(platform).controlPlane;
    const metadata = { name: 'example', namespace: 'default' };
    const more = {
      etcd: { managementType: 'Managed', managed: { storage: { type: 'PersistentVolume' } } },
      issuerURL: 'https://example.com',
      pullSecret: { name: 'pull-secret' },
      releaseImage: 'registry.invalid/release:nope',
      services: ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map((service) => ({
        service,
        servicePublishingStrategy: { type: 'Route' },
      })),
      sshKey: { name: 'ssh-key' },
    };
    await client.create<HostedControlPlane>(HOSTED_CONTROL_PLANES, {
      ...plane,
      metadata,
      spec: { ...spec, ...more },
    } as HostedControlPlane);
    await vi.waitFor(
      async () => {
        const { status } = await client.get<HostedControlPlane>(HOSTED_CONTROL_PLANES, 'example', {
          namespace: 'default',
        });
        const valid = status?.conditions?.find(({ type }) => type === 'ValidReleaseInfo');
        expect(valid).toMatchObject({ status: expect.not.stringContaining('True') as string });
      },
      { timeout: TIMEOUT_MS, interval: 50 },
    );
    io.stop();
    expect(await ended).toBe(0);
  });
});
