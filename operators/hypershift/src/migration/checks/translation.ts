import type { Client } from '@capstan/kube';
import { errorText, sleep } from '@capstan/kube';
import { ApiError } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import { proxyHealthPort, SIDECAR_NAME } from '@capstan/translate/sidecar';
import type { PodSpec } from '@capstan/translate/sidecar';
import type { Pod } from '../../pods.js';
import type { TranslationFailure } from '../model.js';

interface ProxiedPod extends Pod {
  readonly spec: PodSpec;
}

/** An API server itself waits for half a minute for a pod that a network hides. */
const PROBE_LIMIT_MS = 10_000;
/** What an API server answers that cannot connect to a pod. */
const UNREACHED = 'error trying to reach service';

/** A proxy that has just started finds out what it may read, one request per probe and no faster than this. */
const STEP_MS = 600;
const MOST_STEPS = 5;

/** Whether the kubelet reaches the health port: every network lets it in. */
function isReady({ status = {} }: ProxiedPod): boolean {
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  return all.some(({ name, ready }) => name === SIDECAR_NAME && ready === true);
}

/** What the proxy reports of itself; in a namespace without objects it has seen a list that has none. */
interface Report {
  readonly state?: string;
  readonly asked?: string;
  readonly got?: string;
  readonly message?: string;
}

const GOOD_STATES: ReadonlySet<string | undefined> = new Set(['ok', 'nothing-to-read']);

/** What is wrong with the report of a proxy: another server on its port answers as well. */
function problemIn(body: unknown): string | undefined {
  const {
    asked,
    got,
    message = 'no message',
    state,
  } = (typeof body === 'object' && body !== null ? body : {}) as Report;
  if (asked === undefined || got === undefined) return 'its answer is not the report of a proxy';
  if (got !== asked) return `it returned ${got} for ${asked}`;
  return GOOD_STATES.has(state) ? undefined : message;
}

function failureIn(body: unknown): TranslationFailure | undefined {
  const message = problemIn(body);
  return message === undefined ? undefined : { check: 'translation', message };
}

/** Asks the proxy of a pod, through the API server, whether it translates; why not when it does not. */
export function translationProbe(
  client: Client,
  clock: Clock,
  limitMs = PROBE_LIMIT_MS,
): (pod: KubeObject, signal: AbortSignal) => Promise<TranslationFailure | undefined> {
  return async (object, signal) => {
    const pod = object as ProxiedPod;
    const port = proxyHealthPort(pod.spec);
    if (port === undefined) return { check: 'translation', message: 'it has no proxy' };
    const { name = '', namespace = '' } = pod.metadata;
    const target = `/api/v1/namespaces/${namespace}/pods/${name}:${port}/proxy/readyz/translation`;
    const limit = AbortSignal.timeout(limitMs);
    try {
      return failureIn(await askUntilKnown(client, clock, { target, signal: AbortSignal.any([signal, limit]) }));
    } catch (error) {
      if (signal.aborted) throw error;
      const text = limit.aborted ? `no answer in ${limitMs / 1000} s` : (reportIn(error)?.message ?? errorText(error));
      if (!isReady(pod) || !(limit.aborted || text.includes(UNREACHED))) return { check: 'translation', message: text };
      const message = `the network refuses requests of the API server to port ${port}, which the kubelet reaches: let the API server in by a NetworkPolicy (${text})`;
      return { check: 'network', message };
    }
  };
}

/** Asks again while the proxy finds out what it may read; what it answers then. */
async function askUntilKnown(
  client: Client,
  clock: Clock,
  { signal, target }: { readonly target: string; readonly signal: AbortSignal },
): Promise<unknown> {
  for (let asked = 1; ; asked += 1) {
    try {
      const { body } = await client.request({ method: 'GET', target, accept: '*/*', signal });
      return body.type === 'payload' ? body.value() : undefined;
    } catch (error) {
      if (signal.aborted || asked === MOST_STEPS || reportIn(error)?.state !== 'pending') throw error;
      await sleep(clock, STEP_MS, signal);
    }
  }
}

/** What the proxy reports about itself, in an answer that is no Status. */
function reportIn(error: unknown): { readonly state: string; readonly message: string } | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const text = error.status.details?.causes?.find(({ reason }) => reason === 'UnexpectedServerResponse')?.message;
  try {
    const { message, state } = JSON.parse(text ?? '') as { readonly message?: unknown; readonly state?: unknown };
    return typeof message === 'string' && typeof state === 'string' ? { message, state } : undefined;
  } catch {
    return undefined;
  }
}
