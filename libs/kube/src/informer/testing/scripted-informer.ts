import type { ApiRequest, ApiResponse, KubeObject } from '@capstan/meta';
import { Client } from '../../client/client.js';
import { silentLogger } from '../../runtime/logger.js';
import { systemRandom } from '../../runtime/random.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { json, ScriptedTransport } from '../../testing/scripted-transport.js';
import { Informer } from '../informer.js';
import type { InformerOptions } from '../informer.js';

const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };

/** A pod with nothing but its identity. */
export function pod(name: string, resourceVersion: string, more: Partial<KubeObject['metadata']> = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'n', uid: `uid-${name}`, resourceVersion, ...more },
  };
}

/** A list of pods. */
export function listOf(resourceVersion: string, ...items: KubeObject[]): ApiResponse {
  return json({ kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion }, items });
}

/** An informer of pods, and what is around it. */
export interface InformerFixture {
  readonly clock: ManualClock;
  readonly transport: ScriptedTransport;
  readonly informer: Informer<KubeObject>;
  /** `+a@1!` added in the initial list, `~a@1>2` updated, `-a@3?` deleted unseen. */
  readonly events: string[];
  readonly abort: AbortController;
}

/** An informer whose requests a function answers; watches it leaves are the test's. */
export function make(
  answer: (request: ApiRequest, url: URL) => ApiResponse | Promise<ApiResponse> | undefined,
  options: Partial<InformerOptions<KubeObject>> = {},
): InformerFixture {
  const clock = new ManualClock();
  const transport = new ScriptedTransport(answer);
  const client = new Client(transport, { clock, random: systemRandom(1) });
  const informer = new Informer<KubeObject>({
    client,
    clock,
    resource: PODS,
    random: systemRandom(2),
    logger: silentLogger(),
    ...options,
  });
  const events: string[] = [];
  const text = ({ metadata }: KubeObject): string => `${metadata.name}@${metadata.resourceVersion}`;
  informer.addHandler({
    add: (object, initial) => events.push(`+${text(object)}${initial ? '!' : ''}`),
    update: (old, object) => events.push(`~${text(old)}>${object.metadata.resourceVersion}`),
    delete: (object, unknown) => events.push(`-${text(object)}${unknown ? '?' : ''}`),
  });
  return { clock, transport, informer, events, abort: new AbortController() };
}

/** Lists from a queue; the last answer repeats. */
export function lists(...answers: ApiResponse[]): (request: ApiRequest, url: URL) => ApiResponse | undefined {
  return (_request, url) => {
    if (url.searchParams.has('watch')) return undefined;
    return answers.length > 1 ? answers.shift() : answers[0];
  };
}
