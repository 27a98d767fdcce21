import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Kubectl } from './binaries.js';

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

/** A client's user agent begins with the name of its executable: kubectl, or kubectl.1.33 next to others. */
const KUBECTL = /^kubectl(?:\.\d+\.\d+)?\//;
const WRITES = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);

/** The cluster in which the scenario runs. */
export interface AuditedCluster {
  readonly kubeconfig: string;
  /** As whom the kubeconfig speaks. */
  readonly me: string;
  /** Where the server writes. */
  readonly log: string;
  /** Of the scenario's own: others may use the server too. */
  readonly namespace: string;
}

/** Gives a folder for as long as the work takes. */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-audit-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Does a little of everything with kubectl. */
export async function runScenario(kubectl: Kubectl, { kubeconfig, namespace }: AuditedCluster): Promise<void> {
  await inFolder(async (folder) => {
    const run = (command: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const args = ['--kubeconfig', kubeconfig, '-n', namespace, ...command.split(' ')];
        const env = { HOME: folder, PATH: process.env['PATH'] ?? '' };
        execFile(kubectl.path, args, { env }, (error, stdout, stderr) => {
          if (error !== null && typeof error.code !== 'number') reject(new Error(error.message));
          else resolve(error === null ? stdout : stderr);
        });
      });
    const manifest = join(folder, 'map.json');
    const metadata = { name: 'm', namespace };
    writeFileSync(manifest, JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'b' } }));
    await run(`create namespace ${namespace}`);
    await run(`apply --server-side -f ${manifest}`);
    await run('label configmap m a=b');
    await run('create serviceaccount robot');
    await run('create token robot');
    await run(`create rolebinding robot --clusterrole=view --serviceaccount=${namespace}:robot`);
    const refused = await run(`delete configmap m --as=system:serviceaccount:${namespace}:robot`);
    expect(refused).toContain('Forbidden');
    expect(await run('create configmap m')).toContain('already exists');
    await run('create deployment web --image=any --replicas=1');
    expect(await run('rollout status deployment web --timeout=30s')).toContain('successfully rolled out');
    await run('delete configmap m');
  });
}

const describeWrite = ({ impersonatedUser, objectRef, responseStatus, user, verb }: AuditEvent): string =>
  [
    impersonatedUser?.username ?? user?.username,
    verb,
    [objectRef?.resource, objectRef?.namespace, objectRef?.name].filter(Boolean).join('/'),
    responseStatus?.code,
  ].join(' ');

const read = (log: string): AuditEvent[] =>
  readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditEvent);

/** The log has who did what to which object, and how it ended, of every write of the scenario. */
export function expectAudited({ log, me, namespace }: AuditedCluster): void {
  const events = read(log).filter(
    ({ objectRef: { name, namespace: within } = {} }) => within === namespace || name === namespace,
  );
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
  const robot = `system:serviceaccount:${namespace}:robot`;
  const byKubectl = writes.filter(({ userAgent = '' }) => KUBECTL.test(userAgent)).map(describeWrite);
  expect(byKubectl).toEqual([
    `${me} create namespaces/${namespace} 201`,
    `${me} patch configmaps/${namespace}/m 201`,
    `${me} patch configmaps/${namespace}/m 200`,
    `${me} create serviceaccounts/${namespace}/robot 201`,
    `${me} create serviceaccounts/${namespace}/robot 201`,
    `${me} create rolebindings/${namespace}/robot 201`,
    `${robot} delete configmaps/${namespace}/m 403`,
    `${me} create configmaps/${namespace}/m 409`,
    `${me} create deployments/${namespace}/web 201`,
    `${me} delete configmaps/${namespace}/m 200`,
  ]);
  // The impersonated user is recorded, too.
  const denied = writes.find(({ responseStatus }) => responseStatus?.code === 403);
  expect([denied?.user?.username, denied?.impersonatedUser?.username]).toEqual([me, robot]);
  // Controllers write under their own names.
  const created = `^system:serviceaccount:kube-system:deployment-controller create replicasets/${namespace}/`;
  expect(writes.map(describeWrite)).toContainEqual(expect.stringMatching(new RegExp(created)));
  // Each begins and ends once.
  const ended = events.filter(({ stage }) => stage === 'ResponseComplete').map(({ auditID }) => auditID);
  expect(new Set(ended).size).toBe(ended.length);
}
