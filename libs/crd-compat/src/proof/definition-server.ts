/** An API server that serves one CRD: what it answers to a request, from its path on. */
import { type JsonObject, cloneJson } from '@capstan/meta';
import { type Definition, type DefinitionVersion, storageVersionOf, versionOf } from '../definition.js';
import type { Witness, WitnessRequest } from '../report.js';
import { type Route, routeOf } from './paths.js';
import { scaleErrors, scaleOf, writeReplicas } from './scale.js';
import { type Lens, type Side, type Write, existing, outcomeOf, refusal, send } from './server.js';

/** A request, and what is stored before it. */
export interface Exchange {
  readonly before?: unknown;
  readonly request: WitnessRequest;
}

/** What is answered; the object of a write is as it is read afterwards. */
type Reply =
  | { readonly kind: 'refused'; readonly code: number; readonly message: string }
  | { readonly kind: 'taken'; readonly body: JsonObject; readonly pruned: readonly string[] };

function refused(code: number, message: string): Reply {
  return { kind: 'refused', code, message };
}

const notFound = refused(404, 'the server could not find the requested resource');

function taken(body: JsonObject, pruned: readonly string[] = []): Reply {
  return { kind: 'taken', body, pruned };
}

/** Writes as they come to one version of a CRD. */
export function sideOf(definition: Definition, version: DefinitionVersion): Side {
  const storage = storageVersionOf(definition);
  const converts = definition.conversion.strategy !== 'Webhook' && storage !== undefined;
  return {
    schema: version.schema(),
    hasStatus: version.hasStatus,
    scale: version.scale,
    ...(converts && storage.name !== version.name && { storage: storage.schema() }),
  };
}

/** Neither served now nor before; a CRD without status conditions counts as served. */
function isUnserved({ conditions }: Definition): boolean {
  const states = ['NamesAccepted', 'Established'].map((type) => conditions.get(type));
  return states.includes('False') && !states.includes('True');
}

/** Whether the objects of a CRD live where a path leads; lists may be of all namespaces. */
function livesThere({ scope }: Definition, { namespace }: Route, { verb }: WitnessRequest): boolean {
  if (scope !== 'Namespaced') return namespace === undefined;
  return namespace !== undefined || verb === 'list';
}

/** The version that a path leads to. */
function find(definition: Definition, route: Route, request: WitnessRequest): DefinitionVersion | undefined {
  const { group, names } = definition;
  if (route.group !== group || route.plural !== names.plural || isUnserved(definition)) return undefined;
  if (!livesThere(definition, route, request)) return undefined;
  const version = versionOf(definition, route.version);
  if (version?.served !== true) return undefined;
  if (route.subresource === 'status' && !version.hasStatus) return undefined;
  return route.subresource === 'scale' && version.scale === undefined ? undefined : version;
}

/** A version that objects may still be stored in and that nobody can read any more. */
function unreadable(definition: Definition): string | undefined {
  return definition.storedVersions.find((name) => versionOf(definition, name) === undefined);
}

function read(definition: Definition, version: DefinitionVersion, before: unknown): Reply {
  const lost = unreadable(definition);
  if (lost !== undefined) {
    return refused(500, `request to convert CR from an invalid group/version: ${definition.group}/${lost}`);
  }
  return taken({ ...existing(sideOf(definition, version), before), kind: definition.names.kind });
}

/** Selectors know the names of objects and what the version lists. */
function unselectable(version: DefinitionVersion, { query }: Route): string | undefined {
  const known = new Set(['metadata.name', 'metadata.namespace', ...version.selectableFields.map(withoutDot)]);
  return (query.get('fieldSelector') ?? '')
    .split(',')
    .map((term) => term.split(/[=!]/, 1)[0] ?? '')
    .find((field) => field !== '' && !known.has(field));
}

function withoutDot(path: string): string {
  return path.replace(/^\./, '');
}

function list(definition: Definition, version: DefinitionVersion, route: Route, before: unknown): Reply {
  const field = unselectable(version, route);
  if (field !== undefined) return refused(400, `field label not supported: ${field}`);
  const item = before === undefined ? undefined : read(definition, version, before);
  if (item?.kind === 'refused') return item;
  const apiVersion = `${definition.group}/${version.name}`;
  return taken({ apiVersion, kind: definition.names.listKind, items: item === undefined ? [] : [item.body] });
}

function write(definition: Definition, version: DefinitionVersion, { before, request }: Exchange): Reply {
  const { kind } = request.object as JsonObject;
  if (kind !== definition.names.kind) {
    return refused(422, `kind: Invalid value: "${String(kind)}": must be ${definition.names.kind}`);
  }
  const answer = send(sideOf(definition, version), request as Write, before);
  return answer.kind === 'refused' ? refused(422, refusal(answer.errors)) : taken(answer.object, answer.pruned);
}

/** What is there after so many replicas were asked for; unknown fields go when the object is read again. */
function scale(definition: Definition, version: DefinitionVersion, { before, request }: Exchange): Reply {
  const side = sideOf(definition, version);
  if (version.scale === undefined) return notFound;
  const old = existing(side, before);
  const object = cloneJson(old);
  const { replicas } = (request.object as { readonly spec: JsonObject }).spec;
  writeReplicas(version.scale, object, replicas);
  const errors = [...side.schema.validate(object, { old }).errors, ...scaleErrors(version.scale, object, false)];
  if (errors.length > 0) return refused(422, refusal(errors));
  side.schema.prune(object);
  return taken(object);
}

function readScale(definition: Definition, version: DefinitionVersion, before: unknown): Reply {
  const found = read(definition, version, before);
  if (found.kind === 'refused' || version.scale === undefined) return found;
  const shown = scaleOf(version.scale, found.body);
  if (shown !== undefined) return taken(shown);
  const { specReplicasPath } = version.scale;
  return refused(500, `Internal error occurred: the spec replicas field "${specReplicasPath}" does not exist`);
}

/** What the server of a CRD answers. */
function answer(definition: Definition, exchange: Exchange): Reply {
  const { before, request } = exchange;
  const route = routeOf(request.path);
  const version = route && find(definition, route, request);
  if (route === undefined || version === undefined) return notFound;
  switch (request.verb) {
    case 'get':
      return read(definition, version, before);
    case 'get-scale':
      return readScale(definition, version, before);
    case 'list':
      return list(definition, version, route, before);
    case 'scale':
      return scale(definition, version, exchange);
    default:
      return write(definition, version, exchange);
  }
}

/** The objects in an answer; a Scale is none of the CRD's. */
function objectsOf(body: JsonObject): readonly JsonObject[] {
  if (body['apiVersion'] === 'autoscaling/v1') return [];
  return Array.isArray(body['items']) ? (body['items'] as JsonObject[]) : [body];
}

/** What the live CRD makes of a request that the required one answers; undefined where nothing is different. */
export function compareAnswers(
  required: Definition,
  live: Definition,
  exchange: Exchange,
  lens: Lens,
): Witness['outcome'] | undefined {
  const wanted = answer(required, exchange);
  if (wanted.kind === 'refused' || wanted.pruned.length > 0) return undefined;
  const given = answer(live, exchange);
  if (given.kind === 'refused') return { kind: 'rejected', code: given.code, message: given.message };
  const [expected, got] = [cloneJson(wanted.body), cloneJson(given.body)];
  const schema = versionOf(required, routeOf(exchange.request.path)?.version ?? '')?.schema();
  // Fields that the requirement does not know are nobody's business.
  for (const object of objectsOf(got)) schema?.prune(object);
  for (const object of [...objectsOf(expected), ...objectsOf(got)]) lens(object);
  return outcomeOf(expected, got, given.pruned);
}
