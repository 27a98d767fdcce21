import { createHash } from 'node:crypto';
import type { ResourceDefinition } from '@capstan/api/kubernetes';
import type { Clock } from '@capstan/meta';
import { parseAccept } from '../negotiation/accept.js';
import { buildDocument } from './document.js';
import type { Schema } from './schemas.js';

/** What only the surrounding server knows. */
export interface OpenApiOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** `major.minor` of the server, for the documents' info. */
  readonly serverVersion: string;
  /** The schema of a custom resource in that version; `undefined` for built-in resources. Another one comes with another definition. */
  readonly schemaOf?: (resource: ResourceDefinition) => Schema | undefined;
}

/** A finished answer; the body is JSON, encoded once, or empty. */
export interface OpenApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  bytes(): Uint8Array;
}

interface GroupVersionEntry {
  readonly group: string;
  readonly version: string;
  readonly resources: ResourceDefinition[];
  document?: { readonly bytes: Uint8Array; readonly hash: string };
}

const noBytes = new Uint8Array(0);
const yearMs = 365 * 24 * 3600 * 1000;

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function empty(status: number, headers: Readonly<Record<string, string>> = {}): OpenApiResponse {
  return { status, headers, bytes: () => noBytes };
}

/** Documents are JSON only: the protobuf form that newer clients name first is passed over. */
function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept === '') return true;
  return parseAccept(accept).some(({ type, subtype }) =>
    type === '*' ? subtype === '*' : type === 'application' && (subtype === 'json' || subtype === '*'),
  );
}

function httpDate(ms: number): string {
  // The real server names the zone UTC where HTTP would have GMT.
  return new Date(ms).toUTCString().replace('GMT', 'UTC');
}

/** `/openapi/v3`: one document for each group-version, made when first asked for and kept while its resources stay. */
export class OpenApiIndex {
  readonly #options: OpenApiOptions;
  #entries = new Map<string, GroupVersionEntry>();
  #index: Uint8Array | undefined;

  constructor(resources: readonly ResourceDefinition[], options: OpenApiOptions) {
    this.#options = options;
    this.setResources(resources);
  }

  /** Replaces what is served; documents whose resources are the very same objects are kept. */
  setResources(resources: readonly ResourceDefinition[]): void {
    const entries = new Map<string, GroupVersionEntry>();
    for (const resource of resources) {
      const { group, version } = resource;
      const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
      let entry = entries.get(path);
      if (entry === undefined) entries.set(path, (entry = { group, version, resources: [] }));
      entry.resources.push(resource);
    }
    for (const [path, entry] of entries) {
      const before = this.#entries.get(path);
      const isSame = before !== undefined && sameItems(before.resources, entry.resources);
      if (isSame && before.document !== undefined) entry.document = before.document;
    }
    this.#entries = new Map([...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
    this.#index = undefined;
  }

  /** Answers a GET, or gives `undefined` where the path is not this index's (`/openapi/v2` is nobody's). */
  respond(target: string, headers: Readonly<Record<string, string | undefined>>): OpenApiResponse | undefined {
    const [path = '', query = ''] = target.split('?', 2);
    if (path === '/openapi/v3') {
      // The real server declares it plain text, whatever was requested.
      return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, bytes: () => this.#indexBytes() };
    }
    if (!path.startsWith('/openapi/v3/')) return undefined;
    const entry = this.#entries.get(path.slice('/openapi/v3/'.length));
    return entry === undefined
      ? empty(404)
      : this.#respondDocument(path, entry, new URLSearchParams(query).get('hash') ?? '', headers);
  }

  /** The document of a group-version as a JSON value. */
  document(group: string, version: string): unknown {
    const entry = this.#entries.get(group === '' ? `api/${version}` : `apis/${group}/${version}`);
    return entry === undefined ? undefined : JSON.parse(new TextDecoder().decode(this.#built(entry).bytes));
  }

  #respondDocument(
    path: string,
    entry: GroupVersionEntry,
    asked: string,
    headers: Readonly<Record<string, string | undefined>>,
  ): OpenApiResponse {
    if (!acceptsJson(headers['accept'])) return empty(406, { vary: 'Accept' });
    const { bytes, hash } = this.#built(entry);
    const common = { etag: `"${hash}"`, vary: 'Accept' };
    if (asked !== '' && asked !== hash) {
      return empty(301, { ...common, 'content-type': 'application/json', location: `${path}?hash=${hash}` });
    }
    const cacheable = { 'cache-control': 'public, immutable', expires: httpDate(this.#options.clock.now() + yearMs) };
    const all = asked === '' ? common : { ...common, ...cacheable };
    if (headers['if-none-match'] === common.etag) return empty(304, all);
    return { status: 200, headers: { ...all, 'content-type': 'application/json' }, bytes: () => bytes };
  }

  #built(entry: GroupVersionEntry): { readonly bytes: Uint8Array; readonly hash: string } {
    if (entry.document === undefined) {
      const { group, version, resources } = entry;
      const { serverVersion, schemaOf = () => undefined } = this.#options;
      const value = buildDocument({
        group,
        version,
        resources,
        serverVersion,
        schemaOf,
      });
      const bytes = new TextEncoder().encode(JSON.stringify(value));
      entry.document = { bytes, hash: createHash('sha512').update(bytes).digest('hex').toUpperCase() };
    }
    return entry.document;
  }

  #indexBytes(): Uint8Array {
    if (this.#index === undefined) {
      const paths: Record<string, object> = {};
      for (const [path, entry] of this.#entries)
        paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${this.#built(entry).hash}` };
      this.#index = new TextEncoder().encode(JSON.stringify({ paths }));
    }
    return this.#index;
  }
}
