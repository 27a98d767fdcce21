import { errorText, sleep } from '@capstan/kube';
import type { Container } from '../workload/pod-spec.js';
import { resolveEnv } from './env.js';
import type { Fault } from './faults.js';
import type { ContainerHost } from './host.js';

const CONFIG_RETRY_MS = 10_000;
const FIRST_PULL_RETRY_MS = 10_000;
const LONGEST_PULL_RETRY_MS = 300_000;
/** How long a failed pull is seen as such before it is seen as waiting. */
const PULL_FAILED_MS = 1000;

/** A container about to start. */
export interface Preparation {
  readonly host: ContainerHost;
  readonly spec: Container;
  /** Aborted when there is to be no start any more. */
  readonly signal: AbortSignal;
  wait(reason: string, message?: string): void;
  record(type: 'Normal' | 'Warning', reason: string, message: string): void;
}

/** Waits for all that a start needs; gives the environment, or undefined when there is to be no start any more. */
export async function prepareStart(start: Preparation): Promise<Record<string, string> | undefined> {
  const { host, signal } = start;
  const slow = faultOf(start, 'slow-start');
  if (slow !== undefined) {
    start.wait('ContainerCreating');
    await sleep(host.clock, slow.delayMs, signal);
  }
  await pull(start);
  while (!signal.aborted) {
    const resolved = await environment(start);
    if ('env' in resolved) return signal.aborted ? undefined : resolved.env;
    start.wait('CreateContainerConfigError', resolved.failure);
    start.record('Warning', 'Failed', `Error: ${resolved.failure}`);
    await sleepUnlessWoken(start, CONFIG_RETRY_MS, (wake) => host.feeds.watch(wake));
  }
  return undefined;
}

function environment({ host, spec }: Preparation): ReturnType<typeof resolveEnv> {
  const { feeds, place } = host;
  const fixture = { pod: host.pod(), place, feeds, services: host.services() };
  return resolveEnv(spec, fixture).catch((error: unknown) => ({ failure: errorText(error) }));
}

/** Images are always there, except during a fault. */
async function pull(start: Preparation): Promise<void> {
  const { host, signal, spec } = start;
  const { image = '' } = spec;
  const why = `failed to pull and unpack image "${image}": not found`;
  for (let delay = FIRST_PULL_RETRY_MS; ; delay = Math.min(2 * delay, LONGEST_PULL_RETRY_MS)) {
    if (signal.aborted || faultOf(start, 'image-pull') === undefined) return;
    start.record('Normal', 'Pulling', `Pulling image "${image}"`);
    start.record('Warning', 'Failed', `Failed to pull image "${image}": ${why}`);
    start.record('Warning', 'Failed', 'Error: ErrImagePull');
    start.wait('ErrImagePull', why);
    await sleep(host.clock, PULL_FAILED_MS, signal);
    start.record('Normal', 'BackOff', `Back-off pulling image "${image}"`);
    start.record('Warning', 'Failed', 'Error: ImagePullBackOff');
    start.wait('ImagePullBackOff', `Back-off pulling image "${image}": ErrImagePull: ${why}`);
    await sleepUnlessWoken(start, delay, (wake) => host.faults.watch(wake));
  }
}

function faultOf<K extends 'slow-start' | 'image-pull'>(
  { host, spec }: Preparation,
  kind: K,
): Extract<Fault, { kind: K }> | undefined {
  return host.faults.find(kind, { node: host.nodeName, pod: host.pod(), image: spec.image });
}

async function sleepUnlessWoken(
  { host, signal }: Preparation,
  delayMs: number,
  watch: (wake: () => void) => () => void,
): Promise<void> {
  const waking = new AbortController();
  const wake = (): void => waking.abort();
  const unwatch = watch(wake);
  signal.addEventListener('abort', wake, { once: true });
  // An abort before it was listened for wakes nothing.
  if (!signal.aborted) await sleep(host.clock, delayMs, waking.signal);
  signal.removeEventListener('abort', wake);
  unwatch();
}
