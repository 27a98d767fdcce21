import { isExpired, isGone } from '@capstan/meta';
import type { ApiRequest, ApiResponse, Clock, KubeObject, Random, Status, Transport, WatchBody } from '@capstan/meta';
import { sleep, systemClock } from '../runtime/clock.js';
import { systemRandom } from '../runtime/random.js';
import { arrived, unreadBody } from '../transport/bodies.js';
import { abortedError, isConnectionLost } from '../transport/errors.js';
import type { ClientOptions } from './client-options.js';
import { responseError, retryAfter, warningsOf } from './errors.js';
import type { RequestSubject } from './errors.js';
import type {
  CreateOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  ObjectList,
  Patch,
  PatchOptions,
  ReducedList,
  ReducedListOptions,
  WatchOptions,
  WriteOptions,
} from './options.js';
import {
  acceptList,
  acceptOne,
  callFields,
  deleteBody,
  JSON_TYPE,
  listItems,
  PATCH_TYPES,
  patchQuery,
  selectQuery,
  writeQuery,
} from './encoding.js';
import type { RawList } from './encoding.js';
import { LikeHeaders } from './like-headers.js';
import { podLogs } from './logs.js';
import type { LogOptions } from './logs.js';
import { requestTarget, resourcePath } from './resource.js';
import type { ResourceRef } from './resource.js';

/** A request below the level of resources. */
export interface RawRequest extends RequestSubject {
  readonly target: string;
  readonly accept?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: { readonly contentType: string; readonly value: unknown } | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The body is read while it comes. */
  readonly isStreaming?: boolean | undefined;
}

const LONGEST_WAIT_MS = 60_000;

/** Speaks to an API server over any transport. Objects it returns are frozen: they may be shared with a cache or the server. */
export class Client {
  readonly #transport: Transport;
  readonly #options: ClientOptions;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #headers: LikeHeaders;

  constructor(transport: Transport, options: ClientOptions = {}) {
    this.#transport = transport;
    this.#options = options;
    this.#headers = new LikeHeaders(options.userAgent);
    this.#clock = options.clock ?? systemClock();
    this.#random = options.random ?? systemRandom();
  }

  get<T extends KubeObject = KubeObject>(ref: ResourceRef, name: string, options: GetOptions = {}): Promise<T> {
    const path = resourcePath(ref, { namespace: options.namespace, name, subresource: options.subresource });
    const target = requestTarget(path, { resourceVersion: options.resourceVersion });
    return this.#value<T>({
      method: 'GET',
      resource: ref,
      name,
      target,
      accept: acceptOne(options),
      signal: options.signal,
    });
  }

  /** The revision the server has reached, by the shortest list there is. */
  async revision(ref: ResourceRef, options: ListOptions = {}): Promise<string> {
    return (await this.#listPage(ref, options, 1, '')).resourceVersion;
  }

  /** The whole list, page after page. When a page's token has expired the list is taken again in one answer. */
  async list<T extends KubeObject = KubeObject>(ref: ResourceRef, options: ListOptions = {}): Promise<ObjectList<T>> {
    return this.listReduced<T, T>(ref, { ...options, reduce: (object) => object });
  }

  /** As {@link list}, keeping of each object only what `reduce` gives. */
  async listReduced<T extends KubeObject, R>(
    ref: ResourceRef,
    options: ReducedListOptions<T, R>,
  ): Promise<ReducedList<R>> {
    const { betweenPages, pageSize = 500, reduce } = options;
    let page = await this.#listPage<T>(ref, options, pageSize, '');
    let items = page.items.map(reduce);
    while (page.token !== '') {
      await betweenPages?.();
      try {
        page = await this.#listPage<T>(ref, options, pageSize, page.token);
      } catch (error) {
        if (!isExpired(error) && !isGone(error)) throw error;
        page = await this.#listPage<T>(ref, options, 0, '');
        items = [];
      }
      for (const item of page.items) items.push(reduce(item));
    }
    return { resourceVersion: page.resourceVersion, items };
  }

  create<T extends KubeObject = KubeObject>(ref: ResourceRef, object: T, options: CreateOptions = {}): Promise<T> {
    const namespace = options.namespace ?? object.metadata.namespace;
    const path = resourcePath(ref, { namespace, name: options.name, subresource: options.subresource });
    return this.#value<T>({
      method: 'POST',
      resource: ref,
      name: object.metadata.name,
      target: requestTarget(path, writeQuery(options)),
      body: { contentType: JSON_TYPE, value: object },
      ...callFields(options),
    });
  }

  update<T extends KubeObject = KubeObject>(ref: ResourceRef, object: T, options: WriteOptions = {}): Promise<T> {
    const namespace = options.namespace ?? object.metadata.namespace;
    const name = object.metadata.name ?? '';
    const path = resourcePath(ref, { namespace, name, subresource: options.subresource });
    return this.#value<T>({
      method: 'PUT',
      resource: ref,
      name,
      target: requestTarget(path, writeQuery(options)),
      body: { contentType: JSON_TYPE, value: object },
      ...callFields(options),
    });
  }

  patch<T extends KubeObject = KubeObject>(
    ref: ResourceRef,
    name: string,
    patch: Patch,
    options: PatchOptions = {},
  ): Promise<T> {
    const path = resourcePath(ref, { namespace: options.namespace, name, subresource: options.subresource });
    return this.#value<T>({
      method: 'PATCH',
      resource: ref,
      name,
      target: requestTarget(path, patchQuery(options)),
      body: { contentType: PATCH_TYPES[patch.type], value: patch.value },
      ...callFields(options),
    });
  }

  /** The Status of the deletion, or the object when the server still has it. */
  delete(ref: ResourceRef, name: string, options: DeleteOptions = {}): Promise<KubeObject | Status> {
    const target = resourcePath(ref, { namespace: options.namespace, name });
    const body = { contentType: JSON_TYPE, value: deleteBody(options) };
    return this.#value({
      method: 'DELETE',
      resource: ref,
      name,
      target,
      accept: acceptOne(options),
      body,
      signal: options.signal,
    });
  }

  async deleteCollection(ref: ResourceRef, options: DeleteCollectionOptions = {}): Promise<void> {
    const target = requestTarget(resourcePath(ref, { namespace: options.namespace }), selectQuery(options));
    const accept = acceptList(options);
    const body = { contentType: JSON_TYPE, value: deleteBody(options) };
    await this.request({ method: 'DELETE', resource: ref, target, accept, body, signal: options.signal });
  }

  /** A started watch; the caller gives it a sink. An error of the server comes as an ERROR frame or rejects here. */
  async watch(ref: ResourceRef, options: WatchOptions = {}): Promise<WatchBody> {
    const target = requestTarget(resourcePath(ref, { namespace: options.namespace }), {
      watch: true,
      ...selectQuery(options),
      resourceVersion: options.resourceVersion,
      resourceVersionMatch: options.resourceVersionMatch,
      allowWatchBookmarks: options.allowWatchBookmarks,
      sendInitialEvents: options.sendInitialEvents,
      timeoutSeconds: options.timeoutSeconds,
    });
    const response = await this.request({
      method: 'GET',
      resource: ref,
      target,
      accept: acceptOne(options),
      signal: options.signal,
    });
    if (response.body.type === 'watch') return response.body;
    throw responseError({ ...response, status: 500 }, { method: 'GET', resource: ref });
  }

  /** The log of a container while it comes; asks when first read. Leaving the loop ends the request. */
  logs(namespace: string, pod: string, options: LogOptions = {}): AsyncIterable<Uint8Array> {
    return podLogs(this, namespace, pod, options);
  }

  /** Sends any request, repeating it while the server asks for that. Rejects with an ApiError on any code from 400. */
  request(request: RawRequest): Promise<ApiResponse> {
    return this.#send(request, (response) => response);
  }

  async #send<R>(request: RawRequest, read: (response: ApiResponse) => R): Promise<R> {
    const wire = this.#wireRequest(request);
    for (let retry = 0; ; retry += 1) {
      rejectAborted(request.signal, retry > 0);
      let delayMs: number | undefined;
      let problem: unknown;
      let code = '<error>';
      try {
        const sent = await this.#transport.send(wire);
        const unread = unreadBody(sent, request);
        const response = unread === undefined ? sent : await arrived(sent, unread);
        if (this.#options.onWarning !== undefined) warningsOf(response).forEach(this.#options.onWarning);
        if (response.status < 400) return read(response);
        code = String(response.status);
        delayMs = this.#askedToWait(response, retry);
        problem = responseError(response, request);
      } catch (error) {
        // Only reads: a write whose answer was lost may have been done.
        if (request.method === 'GET' && retry < 3 && isConnectionLost(error)) delayMs = 100 * 2 ** retry;
        problem = error;
      }
      if (delayMs === undefined || (await sleep(this.#clock, delayMs, request.signal)) === 'aborted') throw problem;
      this.#options.onRetry?.(code, request.method);
    }
  }

  #askedToWait(response: ApiResponse, retry: number): number | undefined {
    const mayHelp = response.status === 429 || response.status >= 500;
    const seconds = mayHelp && retry < (this.#options.maxRetries ?? 10) ? retryAfter(response) : undefined;
    // Never at once, even when the server answers zero.
    return seconds === undefined
      ? undefined
      : Math.max(10, Math.min(seconds * 1000, LONGEST_WAIT_MS)) * (1 + 0.1 * this.#random.next());
  }

  #wireRequest(request: RawRequest): ApiRequest {
    return {
      method: request.method,
      target: request.target,
      headers: this.#headers.of(request),
      ...(request.body === undefined ? undefined : { body: { type: 'value', value: request.body.value } }),
      user: this.#options.user,
      signal: request.signal,
      isStreaming: request.isStreaming,
    };
  }

  #value<T>(request: RawRequest): Promise<T> {
    return this.#send(request, ({ body }) => (body.type === 'payload' ? body.value() : undefined) as T);
  }

  async #listPage<T extends KubeObject>(
    ref: ResourceRef,
    options: ListOptions,
    limit: number,
    token: string,
  ): Promise<ListPage<T>> {
    const first = token === '';
    const target = requestTarget(resourcePath(ref, { namespace: options.namespace }), {
      ...selectQuery(options),
      limit: limit > 0 ? limit : undefined,
      // The token already names the revision.
      resourceVersion: first ? options.resourceVersion : undefined,
      resourceVersionMatch: first ? options.resourceVersionMatch : undefined,
      continue: token,
    });
    const accept = acceptList(options);
    const list = await this.#value<RawList>({ method: 'GET', resource: ref, target, accept, signal: options.signal });
    const { resourceVersion = '', continue: next = '' } = list.metadata ?? {};
    return { resourceVersion, token: next, items: listItems<T>(list) };
  }
}

/** Transports within the process answer without looking at the signal: a loop around them would never end. */
function rejectAborted(signal: AbortSignal | undefined, mayHaveReachedServer: boolean): void {
  if (signal?.aborted === true) throw abortedError(signal, mayHaveReachedServer);
}

interface ListPage<T extends KubeObject> extends ObjectList<T> {
  /** Names the next page; empty on the last. */
  readonly token: string;
}
