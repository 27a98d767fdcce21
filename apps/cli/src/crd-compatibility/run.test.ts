import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compatibilityRequirement } from '@capstan/api/apiextensions';
import { crd } from '@capstan/api/model';
import { DEFINITIONS, VALIDATING_WEBHOOKS } from '@capstan/crd-compatibility';
import { Client, createCa, HttpTransport, loadConnection } from '@capstan/kube';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

const ca = createCa({ commonName: 'checker' });
const SERVER = new TestIo();
let folder = '';
let kubeconfig = '';
let served: Promise<number>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-checker-'));
  const { certPem, keyPem } = ca.issueServing({ commonName: 'checker', ipAddresses: ['127.0.0.1'] });
  writeFileSync(join(folder, 'tls.crt'), certPem);
  writeFileSync(join(folder, 'tls.key'), keyPem);
  writeFileSync(join(folder, 'ca.crt'), ca.certPem);
  served = main(['apiserver', '--no-controllers'], SERVER);
  ({ kubeconfig } = JSON.parse(await SERVER.firstLine()) as { kubeconfig: string });
});

afterAll(async () => {
  SERVER.stop();
  await served;
  rmSync(folder, { recursive: true });
});

const argv = (...more: string[]): string[] => [
  'crd-compatibility',
  '--kubeconfig',
  kubeconfig,
  '--webhook-cert-dir',
  folder,
  ...more,
];
const local = (): string[] => [
  '--webhook-host',
  '127.0.0.1',
  '--webhook-port',
  '0',
  '--webhook-ca-file',
  join(folder, 'ca.crt'),
];

describe('capstan crd-compatibility', () => {
  it('names the missing CRD', async () => {
    const io = new TestIo();
    expect(await main(argv(...local()), io)).toBe(1);
    expect(io.stderr).toContain('does not serve compatibilityrequirements.apiextensions.openshift.io');
  });

  it.each<[readonly string[], string]>([
    [[], '--webhook-ca-file is needed where no --webhook-service is named'],
    [
      ['--webhook-service', 'a', '--webhook-url', 'https://b'],
      '--webhook-service and --webhook-url exclude each other',
    ],
    [['--webhook-service', 'A B'], '--webhook-service: "A B" is not of the form [namespace/]name[:port]'],
    [['--static-webhook', 'perhaps'], 'It must be true or false.'],
  ])('%j is a usage error', async (more, message) => {
    const io = new TestIo();
    expect(await main(argv(...more), io)).toBe(2);
    expect(io.stderr).toContain(message);
  });

  it('has CRDs checked until it is stopped, and logs errors meanwhile', async () => {
    const transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
    const client = new Client(transport);
    await client.create(DEFINITIONS, crd(compatibilityRequirement));
    const io = new TestIo();
    const ended = main(argv(...local(), '--shutdown-delay', '1ms', '-o', 'json'), io);
    const { url } = JSON.parse(await io.firstLine()) as { url: string };
    await vi.waitFor(
      async () => {
        expect(await client.get(VALIDATING_WEBHOOKS, 'crd-compatibility-requirements')).toMatchObject({
          webhooks: [{ failurePolicy: 'Fail', clientConfig: { url: `${url}/validate-definitions` } }, {}, {}],
        });
      },
      { timeout: 30_000, interval: 20 },
    );
    expect(io.stderr).toBe('');
    writeFileSync(join(folder, 'tls.crt'), 'none');
    await vi.waitFor(() => expect(io.stderr).toMatch(/^\S+ ERROR the certificate could not be read /), {
      timeout: 30_000,
      interval: 20,
    });
    io.stop();
    expect(await ended).toBe(0);
    await client.delete(VALIDATING_WEBHOOKS, 'crd-compatibility-requirements');
    await transport.close();
  }, 60_000);
});
