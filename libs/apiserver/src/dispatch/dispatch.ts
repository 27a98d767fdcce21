import { apiErrors, goQuote, nameIsPathSegment, parseDuration } from '@capstan/meta';
import type { ApiResponse } from '@capstan/meta';
import { podCommand, podLogs, podPortForward, proxy } from '../connect/index.js';
import { isLongRunning } from '../connect/long-running.js';
import type { Flow } from '../registry/effects.js';
import type { RequestInfo } from '../request/request-info.js';
import { bindPod } from '../verbs/binding.js';
import type { Call } from '../verbs/context.js';
import { deleteCollection, deleteOne } from '../verbs/delete.js';
import { evictPod } from '../verbs/eviction.js';
import { patch } from '../verbs/patch.js';
import { getObject, listObjects } from '../verbs/read.js';
import { REVIEWS } from '../verbs/reviews.js';
import { getScale, writeScale } from '../verbs/scale.js';
import { requestToken } from '../verbs/token-request.js';
import { watchObjects } from '../verbs/watch.js';
import { create, update } from '../verbs/write.js';

type Verb = (call: Call) => Flow<ApiResponse>;

const VERBS: Readonly<Record<string, Verb>> = {
  get: getObject,
  list: listObjects,
  watch: watchObjects,
  create,
  update,
  patch,
  delete: deleteOne,
  deletecollection: deleteCollection,
};

const SCALE_VERBS: Readonly<Record<string, Verb>> = { get: getScale, update: writeScale, patch: writeScale };
const TOKEN_VERBS: Readonly<Record<string, Verb>> = { create: requestToken };
const BINDING_VERBS: Readonly<Record<string, Verb>> = { create: bindPod };
const EVICTION_VERBS: Readonly<Record<string, Verb>> = { create: evictPod };
const LOG_VERBS: Readonly<Record<string, Verb>> = { get: podLogs };
const COMMAND_VERBS: Readonly<Record<string, Verb>> = { get: podCommand, create: podCommand };
const PORT_FORWARD_VERBS: Readonly<Record<string, Verb>> = { get: podPortForward, create: podPortForward };
const PROXY_VERBS: Readonly<Record<string, Verb>> = {
  get: proxy,
  create: proxy,
  update: proxy,
  patch: proxy,
  delete: proxy,
  options: proxy,
};
/** Subresources with verbs of their own. */
const SUBRESOURCE_VERBS: Readonly<Record<string, Readonly<Record<string, Verb>>>> = {
  token: TOKEN_VERBS,
  scale: SCALE_VERBS,
  binding: BINDING_VERBS,
  eviction: EVICTION_VERBS,
  log: LOG_VERBS,
  exec: COMMAND_VERBS,
  attach: COMMAND_VERBS,
  portforward: PORT_FORWARD_VERBS,
  proxy: PROXY_VERBS,
};
/** Subresources that show the object itself: read and written like it, by rules of their own. */
const OBJECT_VERBS: Readonly<Record<string, Verb>> = { get: getObject, update, patch };

/** Resources about whose age every answer warns, by partition. */
const DEPRECATIONS: ReadonlyMap<string, string> = new Map([
  ['/endpoints', 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice'],
]);

function verbsOf({ info: { subresource }, served }: Call): Readonly<Record<string, Verb>> {
  if (subresource === '') return REVIEWS[served.storage] ?? VERBS;
  return SUBRESOURCE_VERBS[subresource] ?? OBJECT_VERBS;
}

const NEEDS_NAME = new Set(['update', 'patch']);
const SPANS_NAMESPACES = new Set(['list', 'watch']);

/** A create names its object in the body, a change in the path. */
function isMisplaced({ verb, name, subresource }: RequestInfo): boolean {
  if (subresource !== '') return false;
  return verb === 'create' ? name !== '' : NEEDS_NAME.has(verb) && name === '';
}

/** What cannot be part of a key is not looked for. */
function requirePathName({ name }: RequestInfo): void {
  const errors = name === '' ? [] : nameIsPathSegment(name, false);
  if (errors.length > 0) throw apiErrors.badRequest(`Name parameter invalid: ${goQuote(name)}: ${errors.join(';')}`);
}

/** How long a client would wait is only for it to know, but must make sense. */
function requireTimeout(info: RequestInfo): void {
  const timeout = info.query.get('timeout');
  if (timeout === null || timeout === '' || isLongRunning(info)) return;
  try {
    parseDuration(timeout);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw apiErrors.badRequest(`invalid timeout specified in the request URL - ${reason}`, { cause: error });
  }
}

function warnOfDeprecation({ served, warnings }: Call): void {
  const deprecation = served.custom?.deprecation ?? DEPRECATIONS.get(served.storage);
  if (deprecation !== undefined) warnings.push(deprecation);
}

/** The refusals of custom resources: their routes are one handler, which looks for itself. */
function refuseCustom({ info, served }: Call): void {
  const { definition, custom, groupResource } = served;
  if (custom === undefined) return;
  if (custom.isBroken) throw apiErrors.internal('error resolving resource');
  if (info.subresource !== '' && !definition.subresources.some(({ name }) => name === info.subresource))
    throw apiErrors.notFound(groupResource, info.name);
  if (NEEDS_NAME.has(info.verb) && info.name === '') throw apiErrors.badRequest('name must be provided');
}

/**
 * Not asked for custom resources: what discovery hides of a CRD that is going (changes of its objects) works all
 * the same, or nobody could take finalizers off.
 */
function isRefused({ info, served }: Call, offered: readonly string[]): boolean {
  const lacksNamespace = served.definition.namespaced && info.namespace === '' && !SPANS_NAMESPACES.has(info.verb);
  // No verb of the API, but the page behind may know it.
  const isPassedOn = info.subresource === 'proxy' && info.verb === 'options';
  return lacksNamespace || !(offered.includes(info.verb) || isPassedOn) || isMisplaced(info);
}

/** Questions are not kept: there is none by any name. */
function isOneReview({ info, served }: Call): boolean {
  return info.name !== '' && !SPANS_NAMESPACES.has(info.verb) && REVIEWS[served.storage] !== undefined;
}

/** Finds the verb of a resource request; refuses what the resource does not offer, by the real server's words. */
export function dispatch(call: Call): Flow<ApiResponse> {
  const { info, served } = call;
  const { definition } = served;
  refuseCustom(call);
  const subresource = definition.subresources.find(({ name }) => name === info.subresource);
  if ((info.subresource !== '' && subresource === undefined) || (info.rest.length > 0 && info.subresource !== 'proxy'))
    throw apiErrors.resourceNotServed();
  if (isOneReview(call)) throw apiErrors.resourceNotServed();
  requireTimeout(info);
  requirePathName(info);
  const verb = verbsOf(call)[info.verb];
  const offered = subresource?.verbs ?? definition.verbs;
  if (verb === undefined || (served.custom === undefined && isRefused(call, offered)))
    throw apiErrors.methodNotAllowed();
  warnOfDeprecation(call);
  return verb(call);
}
