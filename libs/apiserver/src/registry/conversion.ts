/** The ways between versions, for flows: immediate for most kinds, by webhook for some. */
import { stringifyJson } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { ConversionFailed, type ApplyScope } from '../apply/index.js';
import type { Flow } from './effects.js';
import type { RemoteConversion, ServedResource } from './served-resource.js';

/** A stored object as a client of the resource sees it. Never changes its argument; may give it back. */
export function* viewed({ conversion }: ServedResource, object: KubeObject): Flow<KubeObject> {
  if (conversion === undefined) return object;
  if (conversion.remote === undefined) return conversion.fromStorage(object);
  const [view] = yield* conversion.remote.fromStorage([object]);
  return view as KubeObject;
}

/** {@link viewed} for many. */
export function* viewedAll(
  { conversion }: ServedResource,
  objects: readonly KubeObject[],
): Flow<readonly KubeObject[]> {
  if (conversion === undefined) return objects;
  if (conversion.remote !== undefined) return yield* conversion.remote.fromStorage(objects);
  return objects.map((object) => conversion.fromStorage(object));
}

/** Whether nobody has to be asked about other versions. */
export function isImmediate({ conversion }: ServedResource): boolean {
  return conversion?.remote === undefined;
}

/** Whether objects are admitted in the version the client speaks instead of the one that is stored. */
function isAdmittedAsServed({ conversion }: ServedResource): boolean {
  return conversion?.encode !== undefined;
}

/** A stored object as strategies, admission and transforms see it. */
export function* admitted(served: ServedResource, object: KubeObject): Flow<KubeObject> {
  return isAdmittedAsServed(served) ? yield* viewed(served, object) : object;
}

/** An object on its way through admission as the client sees it. */
export function shownOf(served: ServedResource, object: KubeObject): KubeObject {
  const { conversion } = served;
  return conversion === undefined || isAdmittedAsServed(served) ? object : conversion.fromStorage(object);
}

/** The form an admitted object is stored in. */
export function* encoded({ conversion }: ServedResource, object: KubeObject): Flow<KubeObject> {
  if (conversion?.remote !== undefined) return yield* conversion.remote.encode(object);
  return conversion?.encode === undefined ? object : conversion.encode(object);
}

/** Thrown where the webhook has to be called first. */
class Unconverted extends Error {
  readonly object: KubeObject;
  readonly to: string;
  readonly key: string;

  constructor(object: KubeObject, to: string, key: string) {
    super(`${to} is not there yet`);
    this.object = object;
    this.to = to;
    this.key = key;
  }
}

/**
 * Does what field managers do, which is pure but may need the object in other versions. Where a webhook makes these, it
 * is begun again with every answer; few objects have managers of more than one other version.
 */
export function* withApplyScope<T>(
  served: ServedResource,
  subresource: string,
  act: (scope: ApplyScope) => T,
): Flow<T> {
  const scope = served.applyScope(subresource);
  const remote = served.conversion?.remote;
  if (remote === undefined) return act(scope);
  const known = new Map<string, JsonObject | ConversionFailed>();
  const asking = { ...scope, convert: (object: JsonObject, to: string) => lookUp(known, object, to) };
  for (;;) {
    try {
      return act(asking);
    } catch (error) {
      if (!(error instanceof Unconverted)) throw error;
      known.set(error.key, yield* answerOf(remote, error));
    }
  }
}

function lookUp(known: ReadonlyMap<string, JsonObject | ConversionFailed>, object: JsonObject, to: string): JsonObject {
  if (object['apiVersion'] === to) return object;
  // An object of nothing but a name needs no webhook, and has nothing to convert.
  if (Object.keys(object).length === 2) return { ...object, apiVersion: to };
  const key = `${to}\n${stringifyJson(object)}`;
  const found = known.get(key);
  if (found === undefined) throw new Unconverted(object as KubeObject, to, key);
  if (found instanceof ConversionFailed) throw found;
  return found;
}

function* answerOf(remote: RemoteConversion, { object, to }: Unconverted): Flow<JsonObject | ConversionFailed> {
  try {
    return (yield* remote.asRead(object, to)) as JsonObject;
  } catch (error) {
    if (error instanceof ConversionFailed) return error;
    throw error;
  }
}
