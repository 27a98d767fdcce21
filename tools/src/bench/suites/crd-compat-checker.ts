import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as send } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { compatibilityRequirement } from '@capstan/api/apiextensions';
import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import { crd } from '@capstan/api/model';
import { REQUIREMENTS, DEFINITIONS } from '@capstan/crd-compatibility';
import { Client, createCa, fixedCredentials, HttpTransport, kubeconfigJson, systemClock } from '@capstan/kube';
import { waitToSee } from '@capstan/kube/testing';
import { isConditionTrue } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { parse } from 'yaml';
import type { BenchContext, BenchSuite, OpenSuite } from '../model.js';
import { settledMb, startCapstan } from './apiserver/programs.js';

const CLI = fileURLToPath(new URL('../../../../apps/cli/bin/capstan.js', import.meta.url));
const CRDS = fileURLToPath(new URL('../../../../api/crds', import.meta.url));
const REQUIRED = 50;
const TARGET_MB = 200;
const TARGET_MS = 2;
const MACHINES = 'machines.cluster.x-k8s.io';
const WAIT_MS = 120_000;

interface Source {
  readonly name: string;
  readonly text: string;
}

/** The largest CRDs of the project, one for each name: those that hold most in memory. */
function largest(count: number): readonly Source[] {
  const byName = new Map<string, Source>();
  for (const file of readdirSync(CRDS, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.yaml')) continue;
    const text = readFileSync(join(CRDS, file), 'utf8');
    const name = /^ {2}name: (\S+)$/m.exec(text)?.[1] ?? '';
    if ((byName.get(name)?.text.length ?? 0) < text.length) byName.set(name, { name, text });
  }
  const all = [...byName.values()].sort((a, b) => b.text.length - a.text.length);
  const machines = all.filter(({ name }) => name === MACHINES);
  return [...machines, ...all.filter(({ name }) => name !== MACHINES)].slice(0, count);
}

function requirementOf({ name, text }: Source): CompatibilityRequirement {
  return {
    apiVersion: 'apiextensions.openshift.io/v1alpha1',
    kind: 'CompatibilityRequirement',
    metadata: { name },
    spec: {
      compatibilitySchema: {
        customResourceDefinition: { type: 'YAML', data: text },
        requiredVersions: { defaultSelection: 'StorageOnly' },
      },
      customResourceDefinitionSchemaValidation: { action: 'Deny' },
      objectSchemaValidation: { action: 'Deny' },
    },
  };
}

interface Running {
  readonly url: string;
  readonly pid: number;
  readonly stop: () => Promise<unknown>;
}

async function startChecker(folder: string): Promise<Running> {
  const at = (file: string): string => join(folder, file);
  const args = ['--kubeconfig', at('kubeconfig'), '--webhook-cert-dir', folder, '--webhook-ca-file', at('ca.crt')];
  const more = ['--webhook-host', '127.0.0.1', '--webhook-port', '0', '--shutdown-delay', '1ms', '-o', 'json'];
  const child = spawn(process.execPath, [CLI, 'crd-compatibility', ...args, ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended])) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    pid: child.pid ?? 0,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

async function untilAdmitted(client: Client, count: number): Promise<void> {
  const polling = { clock: systemClock(), limitMs: WAIT_MS, everyMs: 100 };
  const admitted = async (): Promise<number> => {
    const { items } = await client.list<CompatibilityRequirement>(REQUIREMENTS);
    return items.filter(({ status }) => isConditionTrue(status?.conditions, 'Admitted')).length;
  };
  await waitToSee(`${count} requirements are admitted`, admitted, (found) => found === count, polling);
}

const machine = (providerID: string): JsonObject => ({
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Machine',
  metadata: { name: 'm', namespace: 'default', labels: { 'cluster.x-k8s.io/cluster-name': 'c' } },
  spec: {
    bootstrap: { configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name: 'b' } },
    clusterName: 'c',
    infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'AWSMachine', name: 'm' },
    providerID,
  },
});

const REVIEW = JSON.stringify({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: {
    uid: 'u',
    kind: { group: 'cluster.x-k8s.io', version: 'v1beta2', kind: 'Machine' },
    resource: { group: 'cluster.x-k8s.io', version: 'v1beta2', resource: 'machines' },
    name: 'm',
    namespace: 'default',
    operation: 'UPDATE',
    object: machine('aws:///us-east-1a/i-1'),
    oldObject: machine('aws:///us-east-1a/i-0'),
  },
});

/** Sends reviews one after the other for one slice; the time that 19 of 20 take at most, in milliseconds. */
async function p95(url: string, ca: string, { sliceMs }: BenchContext): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
  const ask = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' };
      const outgoing = send(url, { method: 'POST', agent, headers }, (incoming) => {
        let body = '';
        incoming.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
        incoming.on('end', () => resolve(body)).on('error', reject);
      });
      outgoing.on('error', reject).end(REVIEW);
    });
  const taken: number[] = [];
  try {
    for (const end = performance.now() + sliceMs; performance.now() < end || taken.length < 20;) {
      const began = performance.now();
      const answer = await ask();
      taken.push(performance.now() - began);
      if (!answer.includes('"allowed":true')) throw new Error(answer);
    }
  } finally {
    agent.destroy();
  }
  return taken.sort((a, b) => a - b)[Math.floor(taken.length * 0.95)] ?? 0;
}

async function open(context: BenchContext): Promise<OpenSuite> {
  const folder = mkdtempSync(join(tmpdir(), 'capstan-bench-checker-'));
  const server = await startCapstan('--no-controllers');
  const { caPem, token, url } = server;
  writeFileSync(
    join(folder, 'kubeconfig'),
    kubeconfigJson({ server: url, caPem, token, name: 'bench', namespace: 'default' }),
  );
  const ca = createCa({ commonName: 'checker' });
  const pair = ca.issueServing({ commonName: 'checker', ipAddresses: ['127.0.0.1'] });
  writeFileSync(join(folder, 'tls.crt'), pair.certPem);
  writeFileSync(join(folder, 'tls.key'), pair.keyPem);
  writeFileSync(join(folder, 'ca.crt'), ca.certPem);
  const credentials = fixedCredentials({ headers: { authorization: `Bearer ${token}` } });
  const transport = new HttpTransport({ server: url, trust: { caPem }, credentials, namespace: 'default' });
  const client = new Client(transport);
  await client.create(DEFINITIONS, crd(compatibilityRequirement));
  const machines = largest(1).map(({ text }) => parse(text) as KubeObject);
  for (const definition of machines) await client.create(DEFINITIONS, definition);
  const sources = largest(context.quick ? 5 : REQUIRED);
  await untilServed(client);
  for (const source of sources) await client.create(REQUIREMENTS, requirementOf(source));
  const checker = await startChecker(folder);
  const close = async (): Promise<void> => {
    await checker.stop();
    await transport.close();
    await server.stop();
    rmSync(folder, { recursive: true });
  };
  await untilAdmitted(client, sources.length).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const { metadata } = await client.get(REQUIREMENTS, MACHINES);
  const objects = `${checker.url}/validate-objects/${MACHINES}/${metadata.uid ?? ''}/${metadata.generation ?? 1}`;
  return {
    rows: [
      {
        name: 'object admission over TLS, p95',
        unit: 'ms',
        better: 'lower',
        target: TARGET_MS,
        run: (each) => p95(objects, ca.certPem, each),
        reference: {
          name: 'a review that is passed over',
          run: (each) => p95(`${checker.url}/probe/a/b`, ca.certPem, each),
        },
      },
      {
        name: `memory with ${sources.length} requirements, ${Math.round(sources.reduce((sum, { text }) => sum + text.length, 0) / 1024)} KB`,
        unit: 'MB',
        better: 'lower',
        target: TARGET_MB,
        run: () => settledMb(checker.pid),
      },
    ],
    close,
  };
}

async function untilServed(client: Client): Promise<void> {
  for (const deadline = performance.now() + WAIT_MS; ;) {
    try {
      await client.list(REQUIREMENTS);
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** What the checker takes as a process: with many requirements at rest, and for each object. */
export const crdCompatCheckerSuite: BenchSuite = { name: 'crd-compat', counts: 'median', open };
