import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createCa, silentLogger } from '@capstan/kube';
import { scriptedFailure, ScriptedTransport, scriptedJson } from '@capstan/kube/testing';
import type { CertificateAuthority } from '@capstan/kube';
import type { JsonObject } from '@capstan/meta';
import { SOURCE_WEBHOOK_ANNOTATION } from '@capstan/translate/mirror';
import { startShim } from './shim.js';
import type { RunningShim, ShimOptions } from './shim.js';
import { box, convertedBy, P, reviewOf } from './testing/reviews.js';

let folder = '';
let ca: CertificateAuthority;
let shim: RunningShim | undefined;
let delegate: { readonly url: string; readonly seen: () => number; close(): void };
/** The delegate answers when this is settled. */
let held: Promise<void> = Promise.resolve();

function writeCertificate(): void {
  const { certPem, keyPem } = ca.issueServing({ commonName: 'shim', ipAddresses: ['127.0.0.1'] });
  writeFileSync(join(folder, 'tls.key'), keyPem);
  writeFileSync(join(folder, 'tls.crt'), certPem);
}

async function startDelegate(): Promise<typeof delegate> {
  const pair = ca.issueServing({ commonName: 'delegate', ipAddresses: ['127.0.0.1'] });
  let seen = 0;
  const server = createServer({ cert: pair.certPem, key: pair.keyPem }, (incoming, response) => {
    void textOf(incoming).then(async (text) => {
      seen += 1;
      await held;
      const review = JSON.parse(text) as { request: { objects: [{ spec: { grow?: number } }] } };
      const { grow = 0 } = review.request.objects[0].spec;
      const answer = JSON.stringify(convertedBy(review)) + ' '.repeat(grow);
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}/convert`,
    seen: () => seen,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly serial: string;
}

/** Each request on a connection of its own, unless an agent keeps some. */
function post(url: string, body: string, agent: Agent | false = false): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/convert`, { method: 'POST', ca: ca.certPem, agent }, (incoming) => {
      const { serialNumber } = (
        incoming.socket as unknown as { getPeerCertificate(): { serialNumber: string } }
      ).getPeerCertificate();
      textOf(incoming).then(
        (text) => resolve({ status: incoming.statusCode ?? 0, body: text, serial: serialNumber }),
        reject,
      );
    });
    sent.on('error', reject).end(body);
  });
}

function definitions(caBundle: string): ScriptedTransport {
  const annotations = { [SOURCE_WEBHOOK_ANNOTATION]: JSON.stringify({ url: delegate.url, caBundle }) };
  const items = [{ metadata: { name: `boxes.${P}`, uid: '1', resourceVersion: '1', annotations } }];
  return new ScriptedTransport((_request, { searchParams }) => {
    if (searchParams.has('sendInitialEvents')) return scriptedFailure(422, 'Invalid');
    if (searchParams.get('watch') === 'true') return undefined;
    return scriptedJson({ kind: 'PartialObjectMetadataList', metadata: { resourceVersion: '1' }, items });
  });
}

async function start(options: Partial<ShimOptions> = {}): Promise<RunningShim> {
  shim = await startShim({
    transport: definitions(Buffer.from(ca.certPem).toString('base64')),
    certificate: { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key') },
    port: 0,
    health: { port: 0 },
    logger: silentLogger(),
    ...options,
  });
  return shim;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-shim-'));
  ca = createCa({ commonName: 'shim' });
  writeCertificate();
  delegate = await startDelegate();
});

afterEach(async () => {
  await shim?.stop();
  shim = undefined;
});

afterAll(() => {
  delegate.close();
  rmSync(folder, { recursive: true });
});

const review = (uid: string, count = 1): string =>
  JSON.stringify(
    reviewOf(
      Array.from({ length: count }, (_, index) => box(P, 'v1beta1', index)),
      { uid },
    ),
  );

describe('the shim on sockets', () => {
  it('converts 200 reviews at once, and none is lost or mixed up', async () => {
    const { metrics, url } = await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 50 });
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, index) => {
        const count = 1 + (index % 7);
        const { body, status } = await post(url, review(`uid-${index}`, count), agent);
        const { response } = JSON.parse(body) as { response: { uid: string; convertedObjects: JsonObject[] } };
        return { status, uid: response.uid, right: response.convertedObjects.length === count };
      }),
    );
    agent.destroy();
    expect(answers).toEqual(
      Array.from({ length: 200 }, (_, index) => ({ status: 200, uid: `uid-${index}`, right: true })),
    );
    expect(metrics.requests.value(['v1beta1', 'v1beta2', 'box', 'success'])).toBe(200);
  });

  it('takes a renewed certificate without a restart', async () => {
    const { url } = await start();
    const { serial } = await post(url, review('a'));
    writeCertificate();
    // By an event of the file system, or by the next poll.
    await expect.poll(async () => (await post(url, review('b'))).serial, { timeout: 30_000 }).not.toBe(serial);
  });

  it('serves health, readiness and metrics', async () => {
    const { healthUrl, url } = await start();
    const page = async (path: string): Promise<string> => (await fetch(`${healthUrl}${path}`)).text();
    expect(await page('/healthz')).toBe('ok');
    await expect.poll(() => page('/readyz')).toBe('ok');
    await post(url, review('a'));
    const metrics = await page('/metrics');
    expect(metrics).toContain(
      'hypershift_conversion_webhook_requests_total{from_version="v1beta1",to_version="v1beta2",resource="box",result="success"} 1\n',
    );
    expect(metrics).toMatch(
      /hypershift_conversion_webhook_duration_seconds_bucket\{from_version="v1beta1",to_version="v1beta2",resource="box",le="0.001"\}/,
    );
  });

  it('refuses a review that is too large', async () => {
    const { url } = await start({ limits: { bodyBytes: 1000 } });
    expect(await post(url, review('a', 10))).toMatchObject({ status: 413, body: 'request entity is too large\n' });
  });

  it('does not read an answer that is too large to its end', async () => {
    const large = reviewOf([{ ...box(P, 'v1beta1', 0), spec: { grow: 5000 } }], { uid: 'a' });
    const { url } = await start({ limits: { bodyBytes: 2000 } });
    expect((await post(url, JSON.stringify(large))).body).toContain('it answered with more than 4000 bytes');
  });

  it('answers what is under way before it stops', async () => {
    const running = await start();
    const { url } = running;
    const before = delegate.seen();
    let release = (): void => {};
    held = new Promise((resolve) => (release = resolve));
    const answer = post(url, review('last'));
    await expect.poll(() => delegate.seen()).toBe(before + 1);
    const stopped = running.stop();
    release();
    held = Promise.resolve();
    expect((await answer).status).toBe(200);
    await stopped;
    await expect(post(url, review('late'))).rejects.toThrow('ECONNREFUSED');
  });

  it('trusts the CA file where a CRD has no caBundle', async () => {
    const untrusted = await start({ transport: definitions('') });
    expect((await post(untrusted.url, review('a'))).body).toContain('its certificate is not trusted: ');
    await untrusted.stop();
    const delegateCaFile = join(folder, 'ca.crt');
    writeFileSync(delegateCaFile, ca.certPem);
    const { url } = await start({ transport: definitions(''), delegateCaFile });
    expect((await post(url, review('a'))).body).toContain('"status":"Success"');
  });

  it('does not start with CAs that are none', async () => {
    const delegateCaFile = join(folder, 'tls.key');
    await expect(start({ delegateCaFile })).rejects.toThrow(`${delegateCaFile} holds no certificate`);
  });
});
