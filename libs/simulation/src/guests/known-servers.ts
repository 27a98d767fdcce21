import { X509Certificate } from 'node:crypto';
import { HttpTransport } from '@capstan/kube';
import type { Connection, CredentialSource, HttpTransportOptions } from '@capstan/kube';
import type { ApiRequest, ApiResponse, Clock, Transport, UserInfo } from '@capstan/meta';

/** An API server within the process. */
export interface KnownServer {
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse>;
  /** Whose client certificates are believed, PEM; asked each time, since there may be none yet. */
  clientCa?(): string | undefined;
  /**
   * Bearer tokens, for a server that trusts whoever calls it within the process: with these, others are nobody. A
   * server without them finds out by itself.
   */
  readonly tokens?: ReadonlyMap<string, UserInfo> | undefined;
}

const NOBODY: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
const AUTHENTICATED = 'system:authenticated';

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

  /** The way to a server, as the connection says who one is. */
  transport(connection: Connection, options: HttpTransportOptions = {}): Transport {
    const server = this.find(connection.server);
    if (server === undefined) return new HttpTransport(connection, { clock: this.#clock, ...options });
    return credentialedTransport(server, connection.credentials, this.#clock);
  }
}

function normal(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Calls a server of this process as whom the credentials say, as if it had come over the wire. */
export function credentialedTransport(server: KnownServer, credentials: CredentialSource, clock: Clock): Transport {
  const dispatch = async (request: ApiRequest): Promise<ApiResponse> => {
    const { headers, certificate } = await credentials.get();
    const added = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const merged = { ...request.headers, ...Object.fromEntries(added) };
    const user =
      (certificate && userOfCertificate(new X509Certificate(certificate.certPem), server.clientCa?.(), clock.now())) ??
      (server.tokens && (server.tokens.get(bearerOf(merged)) ?? NOBODY));
    return server.handle({ ...request, headers: merged, user });
  };
  return {
    send: async (request) => {
      const response = await dispatch(request);
      return response.status === 401 && credentials.refresh() ? dispatch(request) : response;
    },
  };
}

function bearerOf(headers: Readonly<Record<string, string | undefined>>): string {
  return (headers['authorization'] ?? '').replace(/^bearer /i, '');
}

/** Who a certificate was issued to; undefined unless the authority vouches for it at that time. */
export function userOfCertificate(
  certificate: X509Certificate,
  caPem: string | undefined,
  now: number,
): UserInfo | undefined {
  if (caPem === undefined) return undefined;
  const isInTime = Date.parse(certificate.validFrom) <= now && now < Date.parse(certificate.validTo);
  if (!isInTime || !certificate.verify(new X509Certificate(caPem).publicKey)) return undefined;
  const values = (attribute: string): string[] =>
    certificate.subject
      .split('\n')
      .filter((line) => line.startsWith(`${attribute}=`))
      .map((line) => line.slice(attribute.length + 1));
  return { username: values('CN').at(-1) ?? '', groups: [...values('O'), AUTHENTICATED] };
}
