import { ApiServer } from '@capstan/apiserver';
import {
  Kubelet,
  MemoryLink,
  nodeAddresses,
  PodRuntime,
  ProgramRegistry,
  Scheduler,
  SharedInformers,
} from '@capstan/cluster';
import { Client, silentLogger, systemRandom } from '@capstan/kube';
import { ManualClock } from '@capstan/kube/testing';
import type { ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { BenchRow } from '../../model.js';
import { podsMs } from './programs.js';

const PODS: ResourceRef = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const HALF_AN_HOUR_MS = 30 * 60_000;
/** At once, after 10 s, doubling up to five minutes. */
const STARTS = 11;
/** About what a node and a pod write in half an hour, renewals of the lease included. */
const WRITES = 250;

function pod(name: string): KubeObject {
  const spec = { containers: [{ name: 'main', image: 'crasher:1' }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec };
}

/** Milliseconds that half an hour of a crash loop takes in virtual time. */
async function crashLoopMs(): Promise<number> {
  const [clock, random] = [new ManualClock(), systemRandom('crash')];
  const begin = performance.now();
  const client = new Client(new ApiServer({ clock, random }), { clock, random });
  const options = { client, clock, random, logger: silentLogger() };
  const informers = new SharedInformers(options);
  let starts = 0;
  const programs = new ProgramRegistry().register('crasher', () => {
    starts += 1;
    return { exited: Promise.resolve(1), stop: () => undefined, kill: () => undefined };
  });
  const runtime = new PodRuntime({ ...options, informers, programs, link: new MemoryLink() });
  const { nodeIp: ip, podCidr } = nodeAddresses(0);
  const controllers = [new Scheduler({ ...options, informers }), new Kubelet(runtime, { name: 'node', ip, podCidr })];
  const ending = new AbortController();
  const starting = Promise.all(controllers.map((controller) => controller.start(ending.signal)));
  await clock.advance(0);
  await starting;
  await client.create(PODS, pod('p'));
  await clock.advance(HALF_AN_HOUR_MS);
  const tookMs = performance.now() - begin;
  ending.abort();
  const stopping = Promise.all(controllers.map((controller) => controller.stopped()));
  await clock.advance(0);
  await stopping;
  if (starts !== STARTS) throw new Error(`the container was started ${starts} times, not ${STARTS}`);
  return tookMs;
}

/** Milliseconds for as many writes to a server of their own. */
async function writesMs(): Promise<number> {
  const [clock, random] = [new ManualClock(), systemRandom('writes')];
  const begin = performance.now();
  const client = new Client(new ApiServer({ clock, random }), { clock, random });
  for (let at = 0; at < WRITES; at += 1) await client.create(PODS, pod(`p-${at}`));
  return performance.now() - begin;
}

/** How fast pods run. */
export function podRows(): BenchRow[] {
  return [
    {
      name: '1,000 pods created to all ready, in process',
      unit: 'ms',
      better: 'lower',
      target: 2000,
      run: () => podsMs('ready'),
      reference: { name: '7,000 creates of a pod', run: () => podsMs('write') },
    },
    {
      name: 'half an hour of a crash loop in virtual time',
      unit: 'ms',
      better: 'lower',
      target: 200,
      run: crashLoopMs,
      reference: { name: '250 creates of a pod', run: writesMs },
    },
  ];
}
