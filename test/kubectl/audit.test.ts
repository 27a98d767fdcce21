import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { builtBin } from '../durability/server-process.js';
import { findKubectls } from './binaries.js';

const [kubectl] = findKubectls();
const folder = mkdtempSync(join(tmpdir(), 'capstan-audit-'));
const LOG = join(folder, 'audit.log');
const KUBECONFIG = join(folder, 'kubeconfig');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface AuditEvent {
  readonly auditID: string;
  readonly stage: string;
  readonly level: string;
  readonly verb: string;
  readonly requestURI: string;
  readonly userAgent?: string;
  readonly user?: { readonly username?: string };
  readonly impersonatedUser?: { readonly username?: string };
  readonly objectRef?: { readonly resource?: string; readonly namespace?: string; readonly name?: string };
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp?: string;
  readonly stageTimestamp?: string;
}

const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** Runs a server with its log on for as long as the work takes, and lets it end in peace. */
async function audited(work: () => Promise<void>): Promise<void> {
  const args = [
    builtBin(import.meta.url, '../../'),
    'apiserver',
    '--audit-log-path',
    LOG,
    '--kubeconfig-out',
    KUBECONFIG,
  ];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    await once(createInterface({ input: child.stdout }), 'line');
    await work();
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

function run(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const args = ['--kubeconfig', KUBECONFIG, '-n', 'audited', ...command.split(' ')];
    const env = { HOME: folder, PATH: process.env['PATH'] ?? '' };
    execFile(kubectl?.path ?? 'kubectl', args, { env }, (error, stdout, stderr) => {
      if (error !== null && typeof error.code !== 'number') reject(new Error(error.message));
      else resolve(error === null ? stdout : stderr);
    });
  });
}

const describeWrite = ({ impersonatedUser, objectRef, responseStatus, user, verb }: AuditEvent): string =>
  [
    impersonatedUser?.username ?? user?.username,
    verb,
    [objectRef?.resource, objectRef?.namespace, objectRef?.name].filter(Boolean).join('/'),
    responseStatus?.code,
  ].join(' ');

const read = (): AuditEvent[] =>
  readFileSync(LOG, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditEvent);

describe.skipIf(kubectl === undefined)('the audit log of a story told with kubectl', () => {
  it('has who did what to which object, and how it ended, of every write', async () => {
    const manifest = join(folder, 'map.json');
    const metadata = { name: 'm', namespace: 'audited' };
    writeFileSync(manifest, JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'b' } }));
    await audited(async () => {
      await run('create namespace audited');
      await run(`apply --server-side -f ${manifest}`);
      await run('label configmap m a=b');
      await run('create serviceaccount robot');
      await run('create token robot');
      await run('create rolebinding robot --clusterrole=view --serviceaccount=audited:robot');
      expect(await run('delete configmap m --as=system:serviceaccount:audited:robot')).toContain('Forbidden');
      expect(await run('create configmap m')).toContain('already exists');
      await run('create deployment web --image=any --replicas=1');
      await run('rollout status deployment web --timeout=30s');
      await run('delete configmap m');
    });
    const events = read();
    const writes = events.filter(({ verb, stage }) => WRITES.has(verb) && stage === 'ResponseComplete');
    for (const event of writes) {
      expect(event).toMatchObject({
        auditID: expect.stringMatching(/^[0-9a-f-]{36}$/),
        user: { username: expect.stringMatching(/./) },
        objectRef: { resource: expect.stringMatching(/./) },
        responseStatus: { code: expect.any(Number) },
        requestReceivedTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
        stageTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      });
    }
    const told = writes.filter(({ userAgent = '' }) => userAgent.startsWith('kubectl/')).map(describeWrite);
    const me = 'capstan-admin';
    expect(told).toEqual([
      `${me} create namespaces/audited 201`,
      `${me} patch configmaps/audited/m 201`,
      `${me} patch configmaps/audited/m 200`,
      `${me} create serviceaccounts/audited/robot 201`,
      `${me} create serviceaccounts/audited/robot 201`,
      `${me} create rolebindings/audited/robot 201`,
      'system:serviceaccount:audited:robot delete configmaps/audited/m 403',
      `${me} create configmaps/audited/m 409`,
      `${me} create deployments/audited/web 201`,
      `${me} delete configmaps/audited/m 200`,
    ]);
    // Who stood in for whom is told besides.
    const denied = writes.find(({ responseStatus }) => responseStatus?.code === 403);
    expect([denied?.user?.username, denied?.impersonatedUser?.username]).toEqual([
      me,
      'system:serviceaccount:audited:robot',
    ]);
    // Controllers write under their own names.
    expect(writes.map(describeWrite)).toContainEqual(
      expect.stringMatching(/^system:serviceaccount:kube-system:deployment-controller create replicasets\/audited\//),
    );
    // Each begins and ends once.
    const ended = events.filter(({ stage }) => stage === 'ResponseComplete').map(({ auditID }) => auditID);
    expect(new Set(ended).size).toBe(ended.length);
  }, 60_000);
});
