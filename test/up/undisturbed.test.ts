import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HostedCluster } from '@capstan/api/hypershift';
import {
  CONTROL_PLANE_DEPLOYMENTS,
  HOSTED_CLUSTERS,
  isPrivate,
  lockOf,
  MANUAL_ROLLBACK,
  OPERATOR_DEPLOYMENTS,
  withLock,
  withRollback,
} from '@capstan/hosting';
import { Client, errorText, HttpTransport, patchFrom, sleep, systemClock, untrustedConnection } from '@capstan/kube';
import { waitUntil } from '@capstan/kube/testing';
import { ignoreNotFound, isConditionTrue } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { HOME, NAME, NAMESPACE } from './support-procedures.js';
import { UpProcess } from './up-process.js';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const LONG = { clock: systemClock(), everyMs: 200, limitMs: 300_000 };
const EVERY_MS = 300;
const core = (plural: string, namespaced = true) => ({ group: '', version: 'v1', plural, namespaced });
const [NODES, PODS, SECRETS, CONFIG_MAPS] = [
  core('nodes', false),
  core('pods'),
  core('secrets'),
  core('configmaps'),
] as const;
const WRITTEN = 'written-by-a-user';
const AT = { namespace: 'default' };

interface Pod extends KubeObject {
  readonly status?: { readonly containerStatuses?: readonly { readonly restartCount: number }[] };
}

/** A user of the hosted cluster over the network, and an observer of its control plane: what either had to complain about. */
class Users {
  readonly complaints: string[] = [];
  requests = 0;
  readonly #management: Client;
  readonly #guest: Client;
  readonly #stop = new AbortController();
  #before: ReadonlyMap<string, string> | undefined;
  #running: Promise<void> | undefined;

  constructor(management: Client, guest: Client) {
    this.#management = management;
    this.#guest = guest;
  }

  begin(): void {
    this.#running = this.#run(this.#stop.signal);
  }

  async end(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let count = 1; !signal.aborted; count += 1) {
      for (const use of [() => this.#write(count), () => this.#nodes(), () => this.#pods()])
        await use().catch((error: unknown) => this.complaints.push(errorText(error)));
      await sleep(systemClock(), EVERY_MS);
    }
  }

  async #write(count: number): Promise<void> {
    const data = { count: `${count}` };
    const wanted = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: WRITTEN, ...AT }, data };
    const there = await this.#guest.get(CONFIG_MAPS, WRITTEN, AT).catch(ignoreNotFound);
    if (there === undefined) await this.#guest.create(CONFIG_MAPS, wanted);
    else await this.#guest.patch(CONFIG_MAPS, WRITTEN, { type: 'merge', value: { data } }, AT);
    const read = await this.#guest.get<KubeObject & { data?: object }>(CONFIG_MAPS, WRITTEN, AT);
    this.requests += 3;
    if (JSON.stringify(read.data) !== JSON.stringify(data)) this.complaints.push(`write ${count} is lost`);
  }

  async #nodes(): Promise<void> {
    const { items } = await this.#guest.list(NODES);
    const isReady = ({ status }: KubeObject): boolean =>
      isConditionTrue((status as { conditions?: readonly Condition[] } | undefined)?.conditions, 'Ready');
    const ready = items.filter(isReady);
    if (ready.length < 2) this.complaints.push(`${ready.length} of ${items.length} nodes are ready`);
  }

  /** Pods of what does not read Cluster API are those of the first look, and were not restarted. */
  async #pods(): Promise<void> {
    const { items } = await this.#management.list<Pod>(PODS, { namespace: NAMESPACE });
    const others = items.filter(
      ({ metadata: { name = '' } }) => !MOVED.some((deployment) => name.startsWith(`${deployment}-`)),
    );
    const now = new Map(others.map((pod) => [pod.metadata.name ?? '', `${pod.metadata.uid} ${restarts(pod)}`]));
    this.#before ??= now;
    for (const name of new Set([...this.#before.keys(), ...now.keys()]))
      if (this.#before.get(name) !== now.get(name))
        this.complaints.push(`Pod ${name} was ${this.#before.get(name)} and is ${now.get(name)}`);
  }

  /** How many pods there were to look at. */
  get pods(): number {
    return this.#before?.size ?? 0;
  }
}

const MOVED = [...OPERATOR_DEPLOYMENTS, ...CONTROL_PLANE_DEPLOYMENTS];

function restarts({ status }: Pod): number {
  return (status?.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);
}

const folder = mkdtempSync(join(tmpdir(), 'capstan-undisturbed-'));
let up: UpProcess;
let guest: HttpTransport;
let users: Users;

beforeAll(async () => {
  up = await UpProcess.start(join(folder, 'kubeconfig'), '--hosted', '1', '--fleet', '0');
  const name = `${NAME}-admin-kubeconfig`;
  const { data } = await up.client.get<KubeObject & { data?: { kubeconfig?: string } }>(SECRETS, name, {
    namespace: HOME,
  });
  const kubeconfig = Buffer.from(data?.kubeconfig ?? '', 'base64').toString();
  guest = new HttpTransport(await untrustedConnection(kubeconfig, { origin: `Secret ${name}` }));
  users = new Users(up.client, new Client(guest, { maxRetries: 0 }));
  users.begin();
});

afterAll(async () => {
  await users.end();
  await guest.close();
  expect(await up.stop()).toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

const cluster = (): Promise<HostedCluster> => up.client.get<HostedCluster>(HOSTED_CLUSTERS, NAME, { namespace: HOME });

async function until(what: string, isPrivateThen: boolean): Promise<void> {
  const holds = async (): Promise<boolean> => {
    const found = await cluster();
    return isPrivate(found) === isPrivateThen && lockOf(found).holder === 'nobody';
  };
  await waitUntil(what, holds, LONG);
}

it('A user of the hosted cluster notices nothing while it is migrated', async () => {
  expect(isPrivate(await cluster())).toBe(false);
  await until('the cluster is on private types', true);
  expect(users.complaints).toEqual([]);
  expect(users.requests).toBeGreaterThan(10);
  expect(users.pods).toBeGreaterThan(2);
});

it('nor while it is rolled back by hand', async () => {
  const before = await cluster();
  const locked = withLock(before, { id: 'by-hand', startedAt: new Date().toISOString() });
  const after = withRollback(locked, { reason: MANUAL_ROLLBACK });
  await patchFrom(up.client, HOSTED_CLUSTERS, { before, after }, { optimisticLock: true });
  await until('the cluster is on standard types', false);
  expect(users.complaints).toEqual([]);
});
