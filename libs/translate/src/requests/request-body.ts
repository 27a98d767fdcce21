import type { BodyRewriter } from '../body.js';
import { JsonOrYaml, WholeBody } from '../body.js';
import { TranslationError } from '../errors.js';
import { JsonRewriter } from '../json/rewriter.js';
import type { Shape } from '../json/shape.js';
import type { Entry } from '../surfaces/catalog.js';
import type { Fields } from '../surfaces/fields.js';
import { rewriteJsonPatch } from '../surfaces/json-patch.js';
import { writtenDefinition } from '../surfaces/definitions.js';
import type { Surface } from '../surfaces/surface.js';
import { encodingOf } from './headers.js';
import type { Encodings } from './types.js';
import type { Route } from './routes.js';

const JSON_PATCH = 'application/json-patch+json';

/** Rewrites the body of a request about objects. */
export function requestBody(fields: Fields, route: Route, contentType: string, encodings: Encodings): BodyRewriter {
  const surface = writtenSurface(fields, route);
  if (contentType.split(';')[0]?.trim().toLowerCase() === JSON_PATCH) {
    return new WholeBody((patch) => (mayHoldGroup(fields, patch) ? rewriteJsonPatch(patch, surface) : patch));
  }
  const json = (): BodyRewriter => jsonBody(fields, surface);
  const encoding = encodingOf(contentType);
  if (encoding === 'json') return json();
  if (encoding === 'yaml') return new JsonOrYaml(json, () => (encodings.yaml ?? unsupported('YAML'))(surface.object));
  if (encoding === 'protobuf')
    return (encodings.protobuf ?? unsupported('protobuf'))({ route, isWatch: false, direction: 'request' });
  return unsupported(contentType)();
}

function unsupported(what: string): () => never {
  return () => {
    throw new TranslationError('UNSUPPORTED', `bodies in ${what} are not translated`);
  };
}

const written = new WeakMap<Entry, Surface>();

/** What clients write of the kind. */
function writtenSurface(fields: Fields, { entry }: Route): Surface {
  if (entry === undefined) return { object: {} };
  let surface = written.get(entry);
  if (surface === undefined) written.set(entry, (surface = writtenBy(fields, entry)));
  return surface;
}

function writtenBy(fields: Fields, entry: Entry): Surface {
  return entry.names === undefined
    ? entry.surface
    : { ...entry.surface, object: writtenDefinition(entry.surface, fields, entry.names) };
}

function jsonBody(fields: Fields, { object, forDocument }: Surface): BodyRewriter {
  if (forDocument === undefined) return new JsonRewriter(object);
  return new WholeBody((body) => (mayHoldGroup(fields, body) ? rewriteWhole(body, forDocument(read(body))) : body));
}

function rewriteWhole(body: Uint8Array, shape: Shape): Uint8Array {
  const rewriter = new JsonRewriter(shape);
  return Buffer.concat([...rewriter.push(body), ...rewriter.end()]);
}

/** What is no JSON is for the server to refuse. */
function read(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch {
    return undefined;
  }
}

/** Whether any group that is renamed can be in a body: as it is, or written with escapes. */
function mayHoldGroup({ mapping }: Fields, body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return bytes.includes(String.raw`\u`) || mapping.needles.some((needle) => bytes.includes(needle));
}
