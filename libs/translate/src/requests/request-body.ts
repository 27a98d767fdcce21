import type { BodyRewriter } from '../body.js';
import { JsonOrYaml, WholeBody } from '../body.js';
import { TranslationError } from '../errors.js';
import { JsonRewriter } from '../json/rewriter.js';
import type { Shape } from '../json/shape.js';
import type { Entry } from '../surfaces/catalog.js';
import { entryOf } from '../surfaces/catalog.js';
import type { Fields } from '../surfaces/fields.js';
import { fieldsOf } from '../surfaces/fields.js';
import { rewriteJsonPatch } from '../surfaces/json-patch.js';
import { writtenDefinition } from '../surfaces/definitions.js';
import type { Surface } from '../surfaces/surface.js';
import { encodingOf } from './headers.js';
import type { Route } from './routes.js';
import type { Encodings, Writing } from './types.js';
import { UpdateRewriter, whenNamed } from './updates.js';

const JSON_PATCH = 'application/json-patch+json';
const APPLY_PATCH = 'application/apply-patch+yaml';

/** The body of a request about objects. */
export interface WrittenBody {
  readonly method: string;
  readonly route: Route;
  readonly contentType: string;
}

/** Rewrites the body of a request about objects. */
export function requestBody(fields: Fields, written: WrittenBody, encodings: Encodings): BodyRewriter {
  const { contentType, method, route } = written;
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === JSON_PATCH) return patchBody(fields, writtenSurface(fields, route.entry));
  const writing = route.entry?.isQuestion === true ? 'change' : writingOf(method, type);
  const encoding = encodingOf(contentType);
  if (encoding === 'json') return objectBody(fields, { route, writing, make: (by) => jsonBody(fields, by) });
  if (encoding === 'yaml')
    return objectBody(fields, { route, writing, make: (by) => yamlBody(fields, by, encodings), isWhole: true });
  if (encoding === 'protobuf')
    return (encodings.protobuf ?? unsupported('protobuf'))({ route, isWatch: false, direction: 'request', writing });
  return unsupported(contentType)();
}

/** An object in some encoding. */
interface ObjectBody {
  readonly route: Route;
  readonly writing: Writing;
  readonly make: (surface: Surface) => BodyRewriter;
  /** It is held whole in any case. */
  readonly isWhole?: true;
}

function objectBody(fields: Fields, { route, writing, make, isWhole }: ObjectBody): BodyRewriter {
  const surface = writtenSurface(fields, route.entry);
  if (writing === 'change') return make(surface);
  const refusing = refusingSurface(fields, route);
  if (writing === 'create') return make(refusing);
  return isWhole === true || surface.forDocument !== undefined
    ? whenNamed(make, { refusing, surface })
    : new UpdateRewriter(fields.mapping.refusing, refusing.object);
}

function patchBody(fields: Fields, surface: Surface): BodyRewriter {
  return new WholeBody((patch) => (mayMoveGroup(fields, patch) ? rewriteJsonPatch(patch, surface) : patch));
}

function writingOf(method: string, mediaType: string): Writing {
  if (method === 'POST') return 'create';
  return method === 'PUT' || mediaType === APPLY_PATCH ? 'createOrChange' : 'change';
}

function yamlBody(fields: Fields, surface: Surface, encodings: Encodings): BodyRewriter {
  return new JsonOrYaml(
    () => jsonBody(fields, surface),
    () => (encodings.yaml ?? unsupported('YAML'))(surface.object),
  );
}

/** What clients write of the kind, where they may not name a private group. */
function refusingSurface({ mapping }: Fields, { path }: Route): Surface {
  const fields = fieldsOf(mapping.refusing);
  return writtenSurface(fields, path && entryOf(fields, path.group, path.resource ?? ''));
}

function unsupported(what: string): () => never {
  return () => {
    throw new TranslationError('UNSUPPORTED', `bodies in ${what} are not translated`);
  };
}

const written = new WeakMap<Entry, Surface>();

/** What clients write of the kind. */
function writtenSurface(fields: Fields, entry: Entry | undefined): Surface {
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

/** Whether a patch can name a group, or carry one from one place to another. */
const mayMoveGroup = (fields: Fields, patch: Uint8Array): boolean =>
  Buffer.from(patch.buffer, patch.byteOffset, patch.length).includes('"from"') || mayHoldGroup(fields, patch);

/** Whether any group that is renamed can be in a body: as it is, or written with escapes. */
function mayHoldGroup({ mapping }: Fields, body: Uint8Array): boolean {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  return bytes.includes(String.raw`\u`) || mapping.needles.some((needle) => bytes.includes(needle));
}
