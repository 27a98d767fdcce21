import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as send } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiErrors, applyJsonPatch } from '@capstan/meta';
import type { JsonObject, JsonPatchOperation, KubeObject } from '@capstan/meta';
import { createCa } from '../certs/certificates.js';
import type { KeyPair } from '../certs/options.js';
import { RuntimeMetrics } from '../metrics/runtime-metrics.js';
import { silentLogger } from '../runtime/logger.js';
import { ManualClock } from '../testing/manual-clock.js';
import { AdmissionDenied, AdmissionUnavailable } from './admission-types.js';
import { CertificateFiles } from './certificate-files.js';
import { WebhookServer } from './webhook-server.js';

const APP = { group: 'example.com', kind: 'App' };
const ca = createCa({ commonName: 'test' });

function issue(): KeyPair {
  return ca.issueServing({ commonName: 'hook', ipAddresses: ['127.0.0.1'] });
}

const clock = new ManualClock();
const metrics = new RuntimeMetrics(clock);
const stop = new AbortController();
let url = '';
let folder = '';
let files: CertificateFiles | undefined;
let running: Promise<unknown> = Promise.resolve();

function writePair({ certPem, keyPem }: KeyPair): void {
  writeFileSync(join(folder, 'tls.key'), keyPem);
  writeFileSync(join(folder, 'tls.crt'), certPem);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-hook-'));
  writePair(issue());
  const logger = silentLogger();
  const options = { certFile: join(folder, 'tls.crt'), keyFile: join(folder, 'tls.key'), clock, logger, metrics };
  files = await CertificateFiles.load(options);
  const server = new WebhookServer({ port: 0, certificate: files, clock, logger, metrics });
  server.mutating('/mutate', {
    for: APP,
    mutate: (object, context) => {
      if (object.metadata.name === 'fault') throw new TypeError('x is undefined');
      context.warn('careful');
      object.metadata.labels = { ...object.metadata.labels, seen: context.request.operation };
    },
  });
  server.validating('/validate', {
    for: APP,
    validate: ({ object, old }, context) => {
      const name = object?.metadata.name ?? old?.metadata.name;
      if (name === 'denied') throw new AdmissionDenied('not this one');
      if (name === 'plain') throw new Error('plain refusal');
      if (name === 'api') throw apiErrors.badRequest('the field is wrong');
      if (name === 'touch' && object !== undefined) object.metadata.labels = {};
      context.annotate('checked', name ?? '');
    },
  });
  server.validating('/any', {
    validate: (_objects, context) => {
      if (context.path === '/any/away') throw new AdmissionUnavailable('nobody knows yet');
      context.warn(`${context.request.kind.kind} at ${context.path}`);
    },
  });
  server.converting('/convert', [
    {
      ...APP,
      hub: 'v2',
      spokes: {
        v1: {
          toHub: ({ old, ...rest }) => ({ ...(rest as KubeObject), renamed: old }),
          fromHub: ({ renamed, ...rest }) => {
            if (renamed === 'bad') throw new TypeError('cannot');
            return { ...(rest as KubeObject), old: renamed };
          },
        },
      },
    },
  ]);
  running = Promise.all([server.run(stop.signal), files.run(stop.signal)]);
  url = await server.ready();
});

afterAll(async () => {
  stop.abort();
  await running;
  rmSync(folder, { recursive: true });
});

function post(path: string, body: unknown, type = 'application/json'): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', ca: ca.certPem, agent: false, headers: { 'content-type': type } };
    const outgoing = send(`${url}${path}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    outgoing.on('error', reject).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}

function app(name: string): KubeObject {
  return { apiVersion: 'example.com/v1', kind: 'App', metadata: { name } };
}

function review(name: string, more: JsonObject = {}): JsonObject {
  const kind = { group: 'example.com', version: 'v1', kind: 'App' };
  const request = { uid: 'u1', kind, operation: 'CREATE', object: app(name), ...more };
  return { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
}

async function ask(path: string, body: unknown, type?: string): Promise<JsonObject> {
  const reply = await post(path, body, type);
  expect(reply.status).toBe(200);
  return JSON.parse(reply.body) as JsonObject;
}

describe('WebhookServer', () => {
  it('answers a mutation with the difference as a JSON patch, and warnings', async () => {
    const { response, ...rest } = (await ask('/mutate', review('a'))) as { response: JsonObject & { patch: string } };
    expect(rest).toEqual({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' });
    const { patch, ...others } = response;
    expect(others).toEqual({
      uid: 'u1',
      allowed: true,
      status: { metadata: {}, code: 200 },
      patchType: 'JSONPatch',
      warnings: ['careful'],
    });
    const operations = JSON.parse(Buffer.from(patch, 'base64').toString()) as JsonPatchOperation[];
    expect(applyJsonPatch(app('a'), operations)).toEqual({
      ...app('a'),
      metadata: { name: 'a', labels: { seen: 'CREATE' } },
    });
  });

  it('answers in the version it was asked in, and does not mutate what is deleted', async () => {
    const body = { ...review('a', { operation: 'DELETE', object: null, oldObject: app('a') }) };
    body['apiVersion'] = 'admission.k8s.io/v1beta1';
    expect(await ask('/mutate', body)).toEqual({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1beta1',
      response: { uid: 'u1', allowed: true, status: { metadata: {}, code: 200 } },
    });
  });

  it.each<[string, JsonObject]>([
    ['denied', { metadata: {}, reason: 'Forbidden', message: 'not this one', code: 403 }],
    ['plain', { metadata: {}, reason: 'Forbidden', message: 'plain refusal', code: 403 }],
    [
      'api',
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'the field is wrong',
        reason: 'BadRequest',
        code: 400,
      },
    ],
    [
      'touch',
      {
        metadata: {},
        message: 'panic: Cannot add property labels, object is not extensible [recovered]',
        code: 500,
      },
    ],
  ])('refuses %s with a status', async (name, status) => {
    expect(await ask('/validate', review(name))).toMatchObject({ response: { uid: 'u1', allowed: false, status } });
  });

  it('allows without a patch, and keeps notes for the audit log', async () => {
    expect(await ask('/validate', review('a', { operation: 'DELETE', object: null, oldObject: app('a') }))).toEqual({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      response: { uid: 'u1', allowed: true, status: { metadata: {}, code: 200 }, auditAnnotations: { checked: 'a' } },
    });
  });

  it('takes every kind where none is named, on all paths below its own', async () => {
    const kind = { group: 'apps', version: 'v1', kind: 'Deployment' };
    expect(await ask('/any/one/2', review('a', { kind }))).toMatchObject({
      response: { allowed: true, warnings: ['Deployment at /any/one/2'] },
    });
  });

  it('leaves it to the failure policy when it cannot say yes or no', async () => {
    const { body, status } = await post('/any/away', review('a'));
    expect([status, JSON.parse(body)]).toMatchObject([
      503,
      { kind: 'Status', status: 'Failure', reason: 'ServiceUnavailable', message: 'nobody knows yet', code: 503 },
    ]);
  });

  it('ends every connection with its answer once it drains', async () => {
    const logger = silentLogger();
    const certificate = { current: issue(), onChange: () => {} };
    const draining = new WebhookServer({ port: 0, certificate, clock, logger, metrics });
    draining.validating('/drained', { validate: () => {} });
    const ending = new AbortController();
    const ended = draining.run(ending.signal);
    const at = `${await draining.ready()}/drained`;
    const connection = (): Promise<string | undefined> =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': 'application/json', connection: 'keep-alive' };
        const outgoing = send(at, { method: 'POST', ca: ca.certPem, agent: false, headers }, (response) => {
          response.resume().on('end', () => resolve(response.headers.connection));
        });
        outgoing.on('error', reject).end(JSON.stringify(review('a')));
      });
    expect(await connection()).toBe('keep-alive');
    draining.drain();
    expect(await connection()).toBe('close');
    ending.abort();
    await ended;
  });

  it('survives a fault of the program and counts it', async () => {
    const before = metrics.webhook.panics.value([]);
    expect(await ask('/mutate', review('fault'))).toMatchObject({
      response: { uid: 'u1', allowed: false, status: { message: 'panic: x is undefined [recovered]', code: 500 } },
    });
    expect(metrics.webhook.panics.value([])).toBe(before + 1);
    expect(metrics.webhook.inFlight.value(['/mutate'])).toBe(0);
  });

  it.each<[string, unknown, string, string]>([
    [
      'another kind',
      review('a', { kind: { group: 'apps', version: 'v1', kind: 'Deployment' } }),
      'application/json',
      'expected example.com/App, found apps/Deployment',
    ],
    ['another content type', review('a'), 'text/plain', 'contentType=text/plain, expected application/json'],
    ['no body', '', 'application/json', 'request body is empty'],
    [
      'another document',
      { kind: 'Pod', apiVersion: 'v1' },
      'application/json',
      'expected AdmissionReview of admission.k8s.io/v1 or v1beta1, found Pod of v1',
    ],
    [
      'no request',
      { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' },
      'application/json',
      'the review has no request',
    ],
  ])('refuses %s', async (_name, body, type, message) => {
    expect(await ask('/validate', body, type)).toMatchObject({
      response: { allowed: false, status: { message, code: 400 } },
    });
  });

  it('converts by way of the hub, in either review version', async () => {
    const object = { ...app('a'), old: 'x' };
    const request = { uid: 'u2', desiredAPIVersion: 'example.com/v2', objects: [object] };
    for (const apiVersion of ['apiextensions.k8s.io/v1', 'apiextensions.k8s.io/v1beta1']) {
      expect(await ask('/convert', { apiVersion, kind: 'ConversionReview', request })).toEqual({
        apiVersion,
        kind: 'ConversionReview',
        response: {
          uid: 'u2',
          convertedObjects: [{ ...app('a'), apiVersion: 'example.com/v2', renamed: 'x' }],
          result: { metadata: {}, status: 'Success' },
        },
      });
    }
  });

  it.each<[string, string, KubeObject, string]>([
    ['an unknown version', 'example.com/v3', app('a'), 'App has no version v3'],
    ['an unknown kind', 'example.com/v2', { ...app('a'), kind: 'X' }, 'X of example.com is not converted here'],
    ['another group', 'other/v1', app('a'), 'App of example.com cannot become one of other'],
    [
      'a fault',
      'example.com/v1',
      { ...app('a'), apiVersion: 'example.com/v2', renamed: 'bad' },
      'panic: cannot [recovered]',
    ],
  ])('fails to convert %s, and reports why', async (_name, desiredAPIVersion, object, message) => {
    const request = { uid: 'u2', desiredAPIVersion, objects: [object] };
    expect(
      await ask('/convert', { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', request }),
    ).toMatchObject({
      response: { uid: 'u2', convertedObjects: [], result: { status: 'Failure', message } },
    });
  });

  it('takes a renewed certificate without a restart, and keeps the old one while the files do not fit', async () => {
    const serial = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const { hostname: host, port } = new URL(url);
        const socket = connect({ host, port: Number(port), ca: ca.certPem }, () => {
          resolve(socket.getPeerX509Certificate()?.serialNumber ?? '');
          socket.end();
        });
        socket.on('error', reject);
      });
    const first = await serial();
    const next = issue();
    writeFileSync(join(folder, 'tls.key'), next.keyPem);
    await files?.reload();
    expect(await serial()).toBe(first);
    expect(metrics.webhook.certificateErrors.value([])).toBeGreaterThan(0);
    const renewed = new Promise<void>((resolve) => files?.onChange(() => resolve()));
    writeFileSync(join(folder, 'tls.crt'), next.certPem);
    // Notified by the file system, or found by the next poll.
    await clock.advance(10_000);
    await renewed;
    expect(await serial()).not.toBe(first);
  });

  it('does not start without a certificate that fits its key', async () => {
    const other = join(folder, 'other.key');
    writeFileSync(other, issue().keyPem);
    const certFile = join(folder, 'tls.crt');
    await expect(
      CertificateFiles.load({ certFile, keyFile: other, clock, logger: silentLogger(), metrics }),
    ).rejects.toThrow(`${certFile} cannot be used: the key is not that of the certificate`);
  });
});
