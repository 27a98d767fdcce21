import type { StreamBody } from '@capstan/meta';
import type { Client } from './client.js';
import { requestTarget, resourcePath } from './resource.js';

/** Which part of a container's log is wanted. */
export interface LogOptions {
  readonly container?: string | undefined;
  /** Goes on as long as the container does. */
  readonly follow?: boolean | undefined;
  /** The log of the container before its last restart. */
  readonly previous?: boolean | undefined;
  readonly timestamps?: boolean | undefined;
  readonly tailLines?: number | undefined;
  readonly limitBytes?: number | undefined;
  readonly sinceSeconds?: number | undefined;
  /** RFC 3339. */
  readonly sinceTime?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };

/** The log of a container while it comes; asks when first read. Leaving the loop ends the request. */
export async function* podLogs(
  client: Client,
  namespace: string,
  pod: string,
  { signal, ...query }: LogOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const path = resourcePath(PODS, { namespace, name: pod, subresource: 'log' });
  const { body } = await client.request({
    method: 'GET',
    resource: PODS,
    name: pod,
    target: requestTarget(path, { ...query }),
    accept: '*/*',
    signal,
    isStreaming: true,
  });
  if (body.type === 'stream') yield* readStream(body);
  else if (body.type === 'payload') yield* body.chunks();
}

async function* readStream(body: StreamBody): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* body.read();
  } finally {
    body.cancel();
  }
}
