/**
 * Prints how many milliseconds a fresh process takes until 1,000 pods are ready, or, when asked to `write`, for as many
 * writes of pods that nobody runs.
 */
import { ApiServer } from '@capstan/apiserver';
import { Kubelet, nodeAddresses, PodRuntime, Scheduler, SharedInformers } from '@capstan/cluster';
import { Client, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { InformerHandler, ResourceRef } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';

const PODS: ResourceRef = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const COUNT = 1_000;
/** What one pod costs the server: its own write, its binding, its status and four events. */
const WRITES_PER_POD = 7;

interface Pod extends KubeObject {
  status?: { conditions?: { type: string; status: string }[] };
}

function pod(name: string): KubeObject {
  const spec = { containers: [{ name: 'main', image: 'nginx:1' }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, spec };
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') === true;
}

/** Milliseconds from the first pod created to the last one ready, on one node of a fresh server. */
async function timeToReady(): Promise<number> {
  const [clock, random] = [systemClock(), systemRandom()];
  const client = new Client(new ApiServer({ clock, random }), { clock, random });
  const options = { client, clock, random, logger: silentLogger() };
  const informers = new SharedInformers(options);
  const { nodeIp: ip, podCidr } = nodeAddresses(0);
  const kubelet = new Kubelet(new PodRuntime({ ...options, informers }), { name: 'node', ip, podCidr });
  const controllers = [new Scheduler({ ...options, informers }), kubelet];
  const ending = new AbortController();
  await Promise.all(controllers.map((controller) => controller.start(ending.signal)));
  const allReady = new Promise<void>((resolve) => {
    let count = 0;
    const handler: InformerHandler<Pod> = {
      update: (old, now) => {
        if (isReady(now) && !isReady(old) && (count += 1) === COUNT) resolve();
      },
    };
    informers.of<Pod>(PODS).addHandler(handler);
  });
  const begin = performance.now();
  for (let at = 0; at < COUNT; at += 1) await client.create(PODS, pod(`p-${at}`));
  await allReady;
  const tookMs = performance.now() - begin;
  ending.abort();
  await Promise.all(controllers.map((controller) => controller.stopped()));
  return tookMs;
}

/** Milliseconds for as many writes of pods that nobody runs. */
async function timeToWrite(): Promise<number> {
  const [clock, random] = [systemClock(), systemRandom()];
  const client = new Client(new ApiServer({ clock, random }), { clock, random });
  const begin = performance.now();
  for (let at = 0; at < COUNT * WRITES_PER_POD; at += 1) await client.create(PODS, pod(`p-${at}`));
  return performance.now() - begin;
}

const tookMs = process.argv[2] === 'write' ? await timeToWrite() : await timeToReady();
process.stdout.write(`${tookMs}\n`);
