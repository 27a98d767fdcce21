import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpTransport, loadConnection } from '@capstan/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { main } from '../main.js';
import { TestIo } from '../testing-io.js';

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'wheels.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'wheels', singular: 'wheel', kind: 'Wheel', listKind: 'WheelList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const WHEELS = '/apis/example.com/v1/namespaces/default/wheels';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capstan-data-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

type Send = (method: string, target: string, body?: unknown) => Promise<{ status: number; text: string }>;

/** Runs a server on the directory for as long as the work takes; it must end well. */
async function serving<T>(work: (send: Send) => Promise<T>): Promise<T> {
  const io = new TestIo();
  const ended = main(['apiserver', '--no-controllers', '--data', join(folder, 'data')], io);
  const line = await Promise.race([io.firstLine(), ended.then((code) => `ended with ${code}: ${io.stderr}`)]);
  const { kubeconfig } = JSON.parse(line) as { kubeconfig: string };
  const transport = new HttpTransport(await loadConnection({ path: kubeconfig }));
  try {
    return await work(async (method, target, body) => {
      const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const { status, body: answer } = await transport.send({
        method,
        target,
        headers: { 'content-type': 'application/json' },
        body: bytes === undefined ? undefined : { type: 'bytes', bytes },
      });
      return { status, text: answer.type === 'payload' ? Buffer.concat(answer.chunks()).toString() : '' };
    });
  } finally {
    await transport.close();
    io.stop();
    expect([await ended, io.stderr]).toEqual([0, '']);
  }
}

describe('capstan apiserver --data', () => {
  it('gives the same bytes after a restart, custom resources included', async () => {
    const targets = ['/api/v1/namespaces', CONFIG_MAPS, '/api/v1/services', DEFINITIONS, WHEELS];
    const read = async (send: Send): Promise<string[]> =>
      Promise.all(targets.map(async (target) => (await send('GET', target)).text));
    const before = await serving(async (send) => {
      expect((await send('POST', DEFINITIONS, DEFINITION)).status).toBe(201);
      const wheel = { apiVersion: 'example.com/v1', kind: 'Wheel', metadata: { name: 'w' }, spec: { spokes: 36 } };
      expect((await send('POST', WHEELS, wheel)).status).toBe(201);
      const map = { metadata: { name: 'm', labels: { a: 'b' } }, data: { '2': 'ü', '1': 'one' } };
      expect((await send('POST', CONFIG_MAPS, map)).status).toBe(201);
      expect((await send('POST', CONFIG_MAPS, { metadata: { name: 'gone' } })).status).toBe(201);
      expect((await send('DELETE', `${CONFIG_MAPS}/gone`)).status).toBe(200);
      return read(send);
    });
    const after = await serving(async (send) => ({
      texts: await read(send),
      labelled: await send('GET', `${CONFIG_MAPS}?labelSelector=a`),
      next: await send('POST', CONFIG_MAPS, { metadata: { name: 'next' } }),
    }));
    expect(after.texts).toEqual(before);
    expect(before[4]).toContain('"managedFields"');
    expect((JSON.parse(after.labelled.text) as { items: unknown[] }).items).toHaveLength(1);
    const revisionOf = (text: string): number =>
      Number((JSON.parse(text) as { metadata: { resourceVersion: string } }).metadata.resourceVersion);
    expect(revisionOf(after.next.text)).toBe(revisionOf(before[0] ?? '') + 1);
  });

  it('sends watches from before a restart back to a list', async () => {
    const list = await serving(async (send) => (await send('GET', CONFIG_MAPS)).text);
    const { metadata } = JSON.parse(list) as { metadata: { resourceVersion: string } };
    const old = Number(metadata.resourceVersion) - 1;
    await serving(async (send) => {
      const answer = await send('GET', `${CONFIG_MAPS}?resourceVersion=${old}&resourceVersionMatch=Exact`);
      expect(answer.status).toBe(410);
    });
  });

  it('reports an unusable data directory before it listens', async () => {
    const io = new TestIo();
    rmSync(join(folder, 'data'), { recursive: true, force: true });
    expect(await main(['apiserver', '--data', process.execPath], io)).toBe(1);
    expect(io.stderr).toBe(
      `error: cannot use ${process.execPath} as data directory: it is a file\nname a directory you may write with --data\n`,
    );
    expect({ out: io.stdout, listeners: io.listeners }).toEqual({ out: '', listeners: 0 });
  });
});
