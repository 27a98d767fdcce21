import { TranslationError } from '../errors.js';
import { JsonRewriter } from '../json/rewriter.js';
import type { Shape } from '../json/shape.js';
import type { Entry } from '../surfaces/catalog.js';
import { discoveryShape } from '../surfaces/discovery.js';
import { mixEtag } from '../surfaces/etag.js';
import type { Fields } from '../surfaces/fields.js';
import { swapWarning } from '../surfaces/messages.js';
import { openApiIndexShape, openApiShape, swapDocumentUrl } from '../surfaces/openapi.js';
import { responseShape } from '../surfaces/responses.js';
import type { Headers } from './headers.js';
import { acceptsTables, encodingOf, headerText } from './headers.js';
import type { Route } from './routes.js';
import type { Body, Encodings, RequestHead, ResponseChanges } from './types.js';

/** What every translation of one mapping shares. */
export interface Context {
  readonly fields: Fields;
  readonly encodings: Encodings;
}

/** A target, taken apart. */
export interface Target {
  /** As it was written. */
  readonly path: string;
  readonly segments: readonly string[];
  /** With `.` and `..` as they were. */
  readonly unresolved: readonly string[];
  readonly hasTrailingSlash: boolean;
  readonly query: string | undefined;
}

/** A request that was sent on its way. */
export interface Asked {
  readonly head: RequestHead;
  readonly route: Route;
  readonly isWatch: boolean;
  readonly target: Target;
}

const NO_CHANGES: Headers = {};
const OTHER_LENGTH: Headers = { 'content-length': undefined };

/** Decides how the head and the body of a response are translated. */
export function changesOf(
  context: Context,
  asked: Asked,
  { status, headers }: { status: number; headers: Headers },
): ResponseChanges {
  const body = responseBody(context, asked, { status, headers });
  const length = body === 'pass' ? NO_CHANGES : OTHER_LENGTH;
  const changed = changedHeaders(context, asked, headers);
  return { headers: changed === undefined ? length : { ...changed, ...length }, body };
}

/** Names of groups in headers; most responses have none of these. */
function changedHeaders({ fields }: Context, { route }: Asked, headers: Headers): Headers | undefined {
  const { mapping } = fields;
  const etag = route.class === 'discovery' || route.class === 'openapi' ? headerText(headers, 'etag') : undefined;
  const location = headerText(headers, 'location');
  const { warning } = headers;
  if (etag === undefined && location === undefined && warning === undefined) return undefined;
  return {
    ...(etag === undefined ? {} : { etag: mixEtag(etag, mapping.hash) }),
    ...(location === undefined ? {} : { location: swapDocumentUrl(mapping, location) }),
    ...(warning === undefined
      ? {}
      : {
          warning:
            typeof warning === 'string'
              ? swapWarning(mapping, warning)
              : warning.map((one) => swapWarning(mapping, one)),
        }),
  };
}

function responseBody(context: Context, asked: Asked, { status, headers }: { status: number; headers: Headers }): Body {
  const type = headerText(headers, 'content-type');
  if (asked.head.method === 'HEAD' || status === 204 || status === 304 || type === undefined) return 'pass';
  const encoding = encodingOf(type);
  // Servers send the list of OpenAPI documents as plain text.
  const isJson = encoding === 'json' || (encoding === 'other' && asked.route.class === 'openapi');
  if (encoding === 'other' && !isJson) return 'pass';
  refuseCompressed(headers);
  return isJson ? new JsonRewriter(shapeOf(context.fields, asked)) : encodedBody(context, asked, type);
}

function encodedBody({ fields, encodings }: Context, asked: Asked, type: string): Body {
  const { route, isWatch } = asked;
  const { protobuf, yaml }: Encodings = route.path === undefined && route.isOpenApiV2 !== true ? {} : encodings;
  const encoding = encodingOf(type);
  if (encoding === 'protobuf' && protobuf !== undefined) return protobuf({ route, isWatch, direction: 'response' });
  if (encoding === 'yaml' && yaml !== undefined) return yaml(shapeOf(fields, asked));
  throw new TranslationError('UNSUPPORTED', `the server answers in ${type}, which was not asked for`);
}

function refuseCompressed(headers: Headers): void {
  const coding = headerText(headers, 'content-encoding') ?? 'identity';
  if (coding !== 'identity')
    throw new TranslationError('UNSUPPORTED', `the server answers in ${coding}, which was not asked for`);
}

/** Shapes by what they are for: a shape is made ready once. */
const shapesOfEntries = new WeakMap<Entry, (Shape | undefined)[]>();
const shapesOfDocuments = new WeakMap<Fields, Readonly<Record<'discovery' | 'index' | 'openapi', Shape>>>();

function shapeOf(fields: Fields, { head, route, isWatch, target }: Asked): Shape {
  const { path, entry } = route;
  if (path === undefined || entry === undefined) return documentShape(fields, route, target);
  const isList = path.name === undefined && head.method !== 'POST';
  // A row of what is hidden must be left out, whatever made the server send a table.
  const isTable = entry.names !== undefined || acceptsTables(headerText(head.headers, 'accept'));
  const place = (isList ? 1 : 0) + (isWatch ? 2 : 0) + (isTable ? 4 : 0);
  let known = shapesOfEntries.get(entry);
  if (known === undefined) shapesOfEntries.set(entry, (known = Array.from({ length: 8 })));
  return (known[place] ??= responseShape(fields, entry.surface, { isList, isWatch, isTable }));
}

function documentShape(fields: Fields, route: Route, { segments }: Target): Shape {
  let known = shapesOfDocuments.get(fields);
  if (known === undefined) {
    known = { discovery: discoveryShape(fields), index: openApiIndexShape(fields), openapi: openApiShape(fields) };
    shapesOfDocuments.set(fields, known);
  }
  if (route.class === 'discovery') return known.discovery;
  return segments.length === 2 && segments[1] === 'v3' ? known.index : known.openapi;
}
