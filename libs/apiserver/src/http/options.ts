import type { X509Certificate } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { ApiRequest, ApiResponse, MetricFamily, UserInfo } from '@capstan/meta';

/** What the front end serves; an answer given without a promise is sent in the same tick. */
export interface RequestHandler {
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse>;
  /** Whether the body of such a request is to be handed over while it comes, however long; absent: never. */
  streamsBody?(target: string): boolean;
  /** Shows what the front end counts; absent: nobody does. */
  readonly metrics?: { include(families: readonly MetricFamily[]): void } | undefined;
}

/** Who a verified client certificate was issued to. */
export interface CertificateSubject {
  /** What Kubernetes reads as the user name. */
  readonly commonName: string;
  /** What Kubernetes reads as groups, in the certificate's order. */
  readonly organizations: readonly string[];
}

export interface TlsOptions {
  /** PEM; the chain when there is one. */
  readonly cert: string;
  readonly key: string;
  /** PEM of the CAs whose client certificates are believed; without it none is asked for. */
  readonly clientCa?: string | undefined;
}

/** Every bound of the front end. */
export interface HttpLimits {
  /** Largest request body; more is answered 413. */
  readonly bodyBytes: number;
  /** Largest request head; more is answered 431. */
  readonly headerBytes: number;
  /** Bodies longer than this are compressed for clients that accept it. */
  readonly gzipOverBytes: number;
  /** A watcher with more than this unsent, the initial state not counted, is cut. */
  readonly watchPendingBytes: number;
  /** Bytes of events that may wait for all watchers together that are behind; over it those furthest behind are cut. */
  readonly watchBacklogBytes: number;
  /** Connections that may be open at once, each watch being one; others are closed as soon as they are there. */
  readonly connections: number;
  /** How long an idle connection is kept. Go clients keep theirs 90 s, so less would break their POSTs. */
  readonly keepAliveMs: number;
  /** Time to send the request head. */
  readonly headersMs: number;
  /**
   * Time for a request as a whole, its body and its answer included, as `--request-timeout` of the real server; a client that
   * has not taken the answer by then is cut. Watches, logs and what is passed on may take for ever.
   */
  readonly requestMs: number;
  /** A watcher that takes nothing for so long although something waits for it is cut. */
  readonly watchStallMs: number;
  /** Bytes of answers that may wait for their readers, all together; more long answers wait for room. */
  readonly responseBytesInFlight: number;
  /** How long a long answer waits for room before it is refused with 429; the real server's queues: a quarter of the request's time. */
  readonly responseWaitMs: number;
  /** How long a refused request's body is read and dropped, so that the client gets to see the answer. */
  readonly lingerMs: number;
  /** How long `close` waits for requests under way. */
  readonly closeMs: number;
}

/** The limits of the real server, where it has them. */
export const DEFAULT_HTTP_LIMITS: HttpLimits = {
  bodyBytes: 3 * 1024 * 1024,
  headerBytes: 1024 * 1024,
  gzipOverBytes: 128 * 1024,
  watchPendingBytes: 16 * 1024 * 1024,
  watchBacklogBytes: 256 * 1024 * 1024,
  connections: 10_000,
  keepAliveMs: 120_000,
  headersMs: 32_000,
  requestMs: 60_000,
  watchStallMs: 60_000,
  responseBytesInFlight: 128 * 1024 * 1024,
  responseWaitMs: 15_000,
  lingerMs: 500,
  closeMs: 5_000,
};

export interface HttpOptions {
  /** 0 takes any free one. */
  readonly port: number;
  /** Address to listen on, 127.0.0.1 unless given. */
  readonly host?: string | undefined;
  /** Puts the server on a network that is not this machine's, the one of a pod for one; `port` and `host` are those there. */
  readonly attach?:
    | ((
        port: number,
        server: { emit(event: 'connection', connection: Duplex): boolean },
      ) => Promise<{ close(): Promise<void> }>)
    | undefined;
  /** Plain HTTP when absent; note that no client sends credentials over it. */
  readonly tls?: TlsOptions | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
  /** Names the user of a verified client certificate; asked once per connection. */
  readonly userFromCertificate?: ((subject: CertificateSubject) => UserInfo | undefined) | undefined;
  /**
   * Names the user of any client certificate by rules of its own: for a listener of many CAs, which
   * come and go. Goes before `clientCa`; undefined refuses the connection.
   */
  readonly vouchForCertificate?: ((certificate: X509Certificate) => UserInfo | undefined) | undefined;
  /** Called with every failure the client sees as a 500 or a broken stream, and with every watcher cut for slowness. */
  readonly onError?:
    | ((error: unknown, request: { readonly method: string; readonly target: string }) => void)
    | undefined;
}

/** A front end that is listening. */
export interface HttpServer {
  readonly port: number;
  readonly url: string;
  /** What it counts, for a handler that is not there yet when it begins to listen. */
  readonly metrics: readonly MetricFamily[];
  /** Stops accepting, ends watches cleanly, waits for requests under way up to the limit, then cuts what is left. */
  close(): Promise<void>;
}
