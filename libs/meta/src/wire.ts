import type { Duplex } from 'node:stream';

/**
 * An API server is a function from request to response. These are its two types, and a {@link Transport} is anything
 * that carries one to the other: HTTP to any Kubernetes, or a call straight into the embedded server.
 */

/** Who is asking, as authentication found out. */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Bytes as they came over the wire, or a JSON value handed over in process (never mutated by the receiver). */
export type RequestBody =
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'value'; readonly value: unknown }
  /** Bytes that are still coming; only for requests that are passed on to another server. May be read once. */
  | { readonly type: 'stream'; read(): AsyncIterable<Uint8Array> };

export interface ApiRequest {
  /** Upper case. */
  readonly method: string;
  /** Path and query exactly as on the request line: `/api/v1/pods?limit=5`. */
  readonly target: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: RequestBody | undefined;
  /** Set by the front end after authentication; absent = anonymous. */
  readonly user?: UserInfo | undefined;
  /** Where the request came from; absent within the process. */
  readonly remoteAddress?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The caller reads the body while it comes (logs): a transport that could wait for its end must not. */
  readonly isStreaming?: boolean | undefined;
}

/** A finite body, encoded only when bytes are read, and decoded only when the value is read. */
export interface PayloadBody {
  readonly type: 'payload';
  /** The encoded body in order; the chunks may be shared with other responses and must not be changed. */
  chunks(): readonly Uint8Array[];
  /**
   * The same bytes made while they are taken, where a body may be too long to be made at once. An empty piece means that
   * there was work to do; the taker may let others come in between, and may leave off at any piece.
   */
  pieces?(): Iterator<Uint8Array, void>;
  /** About how many bytes live for this answer alone until it is taken; absent: few, the rest is shared. */
  readonly ownBytes?: number;
  /** The body as a JSON value (text bodies: a string). Deeply frozen: it may be shared. */
  value(): unknown;
}

export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** One watch event; both forms are computed at most once however many watchers receive it. */
export interface WatchFrame {
  readonly type: WatchEventType;
  /** The object of the event, deeply frozen. */
  object(): unknown;
  /** The wire form: in JSON one line `{"type":…,"object":…}\n`, in protobuf a message with its length before it. */
  bytes(): Uint8Array;
}

export interface WatchSink {
  /** `isPast`: an event from before the watch began, of which there may be many. */
  frame(frame: WatchFrame, isPast?: boolean): void;
  /** Called once, after the last frame; with an error when the stream broke rather than ended. */
  end(error?: Error): void;
}

/** An endless body. Nothing is delivered before `start`; `stop` may be called at any time and more than once. */
export interface WatchBody {
  readonly type: 'watch';
  start(sink: WatchSink): void;
  stop(): void;
}

export interface EmptyBody {
  readonly type: 'empty';
}

/** A body without known end, given no faster than it is read. May be read once. */
export interface StreamBody {
  readonly type: 'stream';
  read(): AsyncIterable<Uint8Array>;
  /** Gives it up, read or unread; may be called at any time and more than once. */
  cancel(): void;
}

/** The connection stops being HTTP: what follows the head are bytes both ways. Only for requests that asked for it. */
export interface UpgradeBody {
  readonly type: 'upgrade';
  /** The far end, served by another component. The receiver must end it. */
  readonly connection: Duplex;
}

export type ResponseBody = PayloadBody | WatchBody | EmptyBody | StreamBody | UpgradeBody;

export interface ApiResponse {
  readonly status: number;
  /** Header names in lower case; a list where a header repeats (`warning`). */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: ResponseBody;
}

/** Carries a request to an API server. Rejects only when no response could be had (connection lost, aborted). */
export interface Transport {
  send(request: ApiRequest): Promise<ApiResponse>;
}
