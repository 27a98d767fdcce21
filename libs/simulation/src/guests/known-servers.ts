import type { X509Certificate } from 'node:crypto';
import { HttpTransport, readIssued } from '@capstan/kube';
import type { ClientCertificate, Connection, Credentials, CredentialSource, HttpTransportOptions } from '@capstan/kube';
import type { ApiRequest, ApiResponse, Clock, Transport, UserInfo } from '@capstan/meta';

/** An API server within the process. */
export interface KnownServer {
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse>;
  /** Whose client certificates are believed, PEM; asked each time, since there may be none yet. */
  clientCa?(): string | undefined;
  /**
   * Bearer tokens, for a server that trusts its callers within the process: with these, others are anonymous. A
   * server without them finds out by itself.
   */
  readonly tokens?: ReadonlyMap<string, UserInfo> | undefined;
}

const NOBODY: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
const AUTHENTICATED = 'system:authenticated';
const MOST_HEADERS = 16;

/** Turns the URL of a server into a way there: a call where the server is in this process, else HTTP. */
export class KnownServers {
  readonly #clock: Clock;
  readonly #servers = new Map<string, KnownServer>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Makes a server known by its URL. Gives the function that forgets it. */
  add(url: string, server: KnownServer): () => void {
    const key = normal(url);
    this.#servers.set(key, server);
    return () => {
      if (this.#servers.get(key) === server) this.#servers.delete(key);
    };
  }

  find(url: string): KnownServer | undefined {
    return this.#servers.get(normal(url));
  }

  /** The transport to a server with the credentials of the connection. */
  transport(connection: Connection, options: HttpTransportOptions = {}): Transport {
    const server = this.find(connection.server);
    if (server === undefined) return new HttpTransport(connection, { clock: this.#clock, ...options });
    return credentialedTransport(server, connection.credentials, this.#clock);
  }
}

function normal(url: string): string {
  return url.endsWith('/') ? url.replace(/\/+$/, '') : url;
}

/** Calls a server of this process with the given credentials, as if the request had come over the wire. */
export function credentialedTransport(server: KnownServer, credentials: CredentialSource, clock: Clock): Transport {
  const readCertificate = certificateReader();
  const merge = headerMerger();
  const dispatch = ({ headers, certificate }: Credentials, request: ApiRequest): ApiResponse | Promise<ApiResponse> => {
    const merged = merge(request.headers, headers);
    const user =
      (certificate && readCertificate(certificate, server.clientCa?.(), clock.now())) ??
      (server.tokens && (server.tokens.get(bearerOf(merged)) ?? NOBODY));
    return server.handle({ ...request, headers: merged, user });
  };
  return {
    send: async (request) => {
      const given = credentials.get();
      const response = await dispatch(given instanceof Promise ? await given : given, request);
      return response.status === 401 && credentials.refresh() ? dispatch(await credentials.get(), request) : response;
    },
  };
}

type Headers = ApiRequest['headers'];

/** Adds headers to headers, and knows both again: most requests of a client have the same. */
function headerMerger(): (own: Headers, added: Credentials['headers']) => Headers {
  const known = new Map<Headers, Headers>();
  let last: Credentials['headers'] | undefined;
  return (own, added) => {
    if (last !== added || known.size > MOST_HEADERS) known.clear();
    last = added;
    let merged = known.get(own);
    if (merged === undefined) {
      const texts = Object.entries(added).map(([name, value]): [string, string] => [name, String(value)]);
      known.set(own, (merged = { ...own, ...Object.fromEntries(texts) }));
    }
    return merged;
  };
}

/** Reads each certificate once, as a connection would. */
function certificateReader(): (pair: ClientCertificate, ca: string | undefined, now: number) => UserInfo | undefined {
  let last: { readonly pair: ClientCertificate; readonly ca: string; readonly checked: Checked } | undefined;
  return (pair, ca, now) => {
    if (ca === undefined) return undefined;
    if (last?.pair !== pair || last.ca !== ca) last = { pair, ca, checked: check(pair.certPem, ca) };
    return userAt(last.checked, now);
  };
}

function bearerOf(headers: Readonly<Record<string, string | undefined>>): string {
  return (headers['authorization'] ?? '').replace(/^bearer /i, '');
}

/** The subject of a certificate and its validity; absent when the CA did not issue it. */
type Checked = { readonly user: UserInfo; readonly from: number; readonly to: number } | undefined;

function check(certificate: string | X509Certificate, caPem: string): Checked {
  const issued = readIssued(certificate, caPem);
  if (issued === undefined || !issued.isForClients) return undefined;
  const { commonName, from, organizations, to } = issued;
  return { user: { username: commonName, groups: [...organizations, AUTHENTICATED] }, from, to };
}

function userAt(checked: Checked, now: number): UserInfo | undefined {
  return checked !== undefined && checked.from <= now && now < checked.to ? checked.user : undefined;
}

/** Who a certificate was issued to; undefined unless the CA vouches for it at that time. */
export function userOfCertificate(certificate: X509Certificate, caPem: string, now: number): UserInfo | undefined {
  return userAt(check(certificate, caPem), now);
}
