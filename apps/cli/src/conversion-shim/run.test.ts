import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCa } from '@capstan/kube';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

const GROUP = 'cluster.hypershift.openshift.io';
const ca = createCa({ commonName: 'shim' });
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-shim-'));
  const { certPem, keyPem } = ca.issueServing({ commonName: 'shim', ipAddresses: ['127.0.0.1'] });
  writeFileSync(join(folder, 'tls.crt'), certPem);
  writeFileSync(join(folder, 'tls.key'), keyPem);
});

afterAll(() => rmSync(folder, { recursive: true }));

function post(url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', ca: ca.certPem, agent: false }, (incoming) => {
      text(incoming).then(resolve, reject);
    });
    sent.on('error', reject).end(body);
  });
}

const argv = (...more: string[]): string[] => [
  'conversion-shim',
  '--cert-dir',
  folder,
  '--host',
  '127.0.0.1',
  '--port',
  '0',
  '--health-host',
  '127.0.0.1',
  '--health-port',
  '0',
  ...more,
];

describe('capstan conversion-shim', () => {
  it('converts for a server until it is stopped', async () => {
    const server = new TestIo();
    const served = main(['apiserver', '--no-controllers'], server);
    const { kubeconfig, url: of } = JSON.parse(await server.firstLine()) as { kubeconfig: string; url: string };
    const io = new TestIo();
    const ended = main(argv('--kubeconfig', kubeconfig, '-o', 'json'), io);
    const line = await Promise.race([io.firstLine(), ended.then((code) => `ended with ${code}: ${io.stderr}`)]);
    const { healthUrl, url, server: reported } = JSON.parse(line) as { healthUrl: string; url: string; server: string };
    expect(reported).toBe(of);
    const object = {
      apiVersion: `${GROUP}/v1beta1`,
      kind: 'Machine',
      metadata: { name: 'm' },
      spec: { clusterName: 'c' },
    };
    const review = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      request: { uid: 'u', desiredAPIVersion: `${GROUP}/v1beta2`, objects: [object] },
    };
    expect(JSON.parse(await post(url, JSON.stringify(review)))).toMatchObject({
      response: { uid: 'u', convertedObjects: [{ apiVersion: `${GROUP}/v1beta2` }], result: { status: 'Success' } },
    });
    expect(await (await fetch(`${healthUrl}/readyz`)).text()).toBe('ok');
    io.stop();
    expect({ code: await ended, err: io.stderr, listeners: io.listeners }).toEqual({ code: 0, err: '', listeners: 0 });
    server.stop();
    await served;
  });

  it.each<[string, string[], number, string]>([
    [
      'a delegate of no group',
      ['--delegate', 'apps=a/b'],
      2,
      'error: --delegate apps=a/b: "apps" is no group with a private name\n',
    ],
    ['half a pair', ['--group-pair', 'a.io'], 2, 'error: --group-pair a.io does not name two groups\n'],
    ['CAs that are not there', ['--delegate-ca-file', '/nowhere.crt'], 1, 'error: /nowhere.crt cannot be read: '],
    ['a certificate that is not there', ['--cert-dir', '/nowhere'], 1, 'error: /nowhere/tls.crt cannot be used: '],
  ])('refuses %s', async (_case, more, code, message) => {
    const io = new TestIo();
    const kubeconfig = join(folder, 'kubeconfig');
    const cluster = { name: 'c', cluster: { server: 'https://127.0.0.1:1' } };
    const context = { name: 'c', context: { cluster: 'c', user: 'u' } };
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        clusters: [cluster],
        contexts: [context],
        users: [{ name: 'u', user: {} }],
        'current-context': 'c',
      }),
    );
    expect(await main(argv('--kubeconfig', kubeconfig, ...more), io)).toBe(code);
    expect(io.stderr).toContain(message);
  });

  it('needs a certificate', async () => {
    const io = new TestIo();
    expect(await main(['conversion-shim'], io)).toBe(2);
    expect(io.stderr).toContain("required option '--cert-dir <folder>' not specified");
  });
});
