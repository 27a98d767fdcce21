import { controlPlaneNamespace, NODE_POOLS } from '@capstan/hosting';
import { Client, Discovery, HttpTransport, untrustedConnection } from '@capstan/kube';
import type { ApiResource, LogOptions, ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { secretText, textAt } from '@capstan/provider';
import { printable } from '../errors.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { hostedCluster, withCluster } from './cluster-access.js';
import { DumpFolder, typed } from './dump-folder.js';
import { redactedText } from './redact.js';

/** `capstan dump cluster`, as it was typed. */
export interface DumpOptions extends ClusterOptions {
  readonly namespace: string;
  readonly artifactDir: string;
  readonly archive?: boolean | undefined;
  readonly operatorNamespace: string;
  readonly guest: boolean;
  readonly logLines: number;
}

const PODS: ResourceRef = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const SECRETS: ResourceRef = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
const EVENTS: ResourceRef = { group: '', version: 'v1', plural: 'events', namespaced: true };
/** Cluster-scoped objects that a cluster depends on. */
const CLUSTER_WIDE: readonly ResourceRef[] = [
  { group: '', version: 'v1', plural: 'nodes', namespaced: false },
  { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions', namespaced: false },
];
const GUEST: readonly ResourceRef[] = [
  { group: 'config.openshift.io', version: 'v1', plural: 'clusterversions', namespaced: false },
  { group: 'config.openshift.io', version: 'v1', plural: 'clusteroperators', namespaced: false },
  { group: '', version: 'v1', plural: 'nodes', namespaced: false },
  { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
  { group: '', version: 'v1', plural: 'events', namespaced: true },
  { group: 'certificates.k8s.io', version: 'v1', plural: 'certificatesigningrequests', namespaced: false },
];
const GUEST_KUBECONFIG = 'admin-kubeconfig';
const GUEST_TIMEOUT_MS = 5_000;
/** Of one log. Servers are asked for no more; one that goes on all the same is not listened to. */
const MAX_LOG_BYTES = 64 * 1024 * 1024;

/** Groups whose objects are others' words over again. */
const TWICE = new Set(['events.k8s.io', 'metrics.k8s.io']);

/** Collects everything known about a cluster. What cannot be read is listed at the end, and stops nothing. */
export async function runDump(name: string, options: DumpOptions, io: Io): Promise<void> {
  const folder = new DumpFolder(options.artifactDir);
  await withCluster(options, io, async (client) => {
    const cluster = await hostedCluster(client, options.namespace, name);
    const control = controlPlaneNamespace(options.namespace, name);
    await folder.objects(['hosted-cluster'], [cluster]);
    await dumpHome(client, folder, cluster, options);
    const resources = await listable(client, folder);
    for (const namespace of [control, options.operatorNamespace]) {
      for (const resource of resources) await folder.list(client, resource, namespace);
      await dumpLogs(client, folder, namespace, options.logLines);
    }
    for (const ref of CLUSTER_WIDE) await folder.list(client, ref);
    if (options.guest) await dumpGuest(client, folder, control, io.env);
  });
  await folder.close();
  const archive = options.archive === true ? await folder.archive() : undefined;
  for (const problem of folder.problems) io.err(`warning: ${printable(problem)}\n`);
  io.out(`${archive ?? options.artifactDir}\n`);
}

/** Objects in the namespace of the HostedCluster: its NodePools, Secrets and events. */
async function dumpHome(
  client: Client,
  folder: DumpFolder,
  cluster: KubeObject,
  { namespace }: DumpOptions,
): Promise<void> {
  await folder.attempt(`pools of nodes in ${namespace}`, async () => {
    const { items } = await client.list(NODE_POOLS, { namespace });
    const own = items.filter((pool) => textAt(pool, 'spec', 'clusterName') === cluster.metadata.name);
    await folder.objects(
      ['node-pools'],
      own.map((pool) => typed(pool, NODE_POOLS)),
    );
  });
  for (const ref of [SECRETS, EVENTS]) await folder.list(client, ref, namespace);
}

/** Every kind that can be listed in a namespace, once: by asking the server, so that none is forgotten. */
async function listable(client: Client, folder: DumpFolder): Promise<ApiResource[]> {
  const { failures, resources } = await new Discovery(client).snapshot();
  for (const { group, message, version } of failures) folder.problems.push(`${group}/${version}: ${message}`);
  const seen = new Set<string>();
  return resources.filter(({ group, namespaced, plural, verbs }) => {
    const id = `${group}/${plural}`;
    if (!namespaced || !verbs.includes('list') || TWICE.has(group) || seen.has(id)) return false;
    seen.add(id);
    return true;
  });
}

interface Pod extends KubeObject {
  readonly spec?: { readonly containers?: readonly { readonly name: string }[] };
  readonly status?: {
    readonly containerStatuses?: readonly { readonly name: string; readonly restartCount?: number }[];
  };
}

async function dumpLogs(client: Client, folder: DumpFolder, namespace: string, tailLines: number): Promise<void> {
  await folder.attempt(`pods in ${namespace}`, async () => {
    const { items } = await client.list<Pod>(PODS, { namespace });
    for (const { metadata, spec, status } of items) {
      for (const { name: container } of spec?.containers ?? []) {
        const pod = metadata.name ?? '';
        const restarts = status?.containerStatuses?.find(({ name }) => name === container)?.restartCount ?? 0;
        const log = async (previous: boolean): Promise<void> => {
          const text = await logText(client, [namespace, pod], { container, previous, tailLines });
          await folder.write(
            ['namespaces', namespace, 'logs', pod, container],
            previous ? '.previous.log' : '.log',
            text,
          );
        };
        await folder.attempt(`log of ${pod}/${container}`, () => log(false));
        if (restarts > 0) await folder.attempt(`earlier log of ${pod}/${container}`, () => log(true));
      }
    }
  });
}

async function logText(
  client: Client,
  [namespace, pod]: readonly [string, string],
  options: LogOptions,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of client.logs(namespace, pod, { ...options, limitBytes: MAX_LOG_BYTES })) {
    chunks.push(chunk);
    if ((bytes += chunk.length) > MAX_LOG_BYTES) break;
  }
  return redactedText(Buffer.concat(chunks).toString('utf8'));
}

/** Objects of the hosted cluster itself, if it answers. */
async function dumpGuest(client: Client, folder: DumpFolder, namespace: string, env: Io['env']): Promise<void> {
  await folder.attempt('the hosted cluster', async () => {
    const text = secretText(await client.get(SECRETS, GUEST_KUBECONFIG, { namespace }), 'kubeconfig') ?? '';
    const timeouts = { requestTimeoutMs: GUEST_TIMEOUT_MS, connectTimeoutMs: GUEST_TIMEOUT_MS };
    const origin = `Secret ${namespace}/${GUEST_KUBECONFIG}`;
    const transport = new HttpTransport(await untrustedConnection(text, { origin, env }), timeouts);
    try {
      const guest = new Client(transport);
      // Asked once before all else: a server that does not answer is not waited for at every question.
      await guest.request({ method: 'GET', target: '/version', resource: PODS });
      for (const ref of GUEST) await folder.list(guest, ref, undefined, ['guest']);
    } finally {
      await transport.close();
    }
  });
}
