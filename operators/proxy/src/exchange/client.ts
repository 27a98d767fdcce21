import type { Headers, TranslatedRequest } from '@capstan/translate';

/** Takes the body of a request while it comes. */
export interface BodyReader {
  data(chunk: Buffer): void;
  end(): void;
  /** The client left before the end. */
  gone(): void;
}

/** What was found out about a request, for the next one whose head is the same to the last byte. */
export interface Findings {
  /** It was admitted, and this is its translation. */
  translated?: TranslatedRequest | undefined;
  /** All that is sent to the server with some credentials, where there is no body. */
  sent?: { readonly credentials: Headers; readonly head: string } | undefined;
}

/** A request of a client, read by either parser. */
export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Headers;
  /** How many Host headers it has. */
  readonly hosts: number;
  /** Its body has come to its end. */
  readonly isWhole: boolean;
  readonly trailers: Readonly<Record<string, string | undefined>>;
  /** Undefined where nobody remembers. */
  readonly findings?: Findings | undefined;
  /** Gives the body to this reader from here on; before that it is held back. */
  read(reader: BodyReader): void;
  pause(): void;
  resume(): void;
}

/** Headers as they are sent: a name, its value, the next name. */
export type ReplyHeaders = readonly string[];

/** How a reply begins. */
export interface ReplyHead {
  readonly status: number;
  readonly headers: ReplyHeaders;
  /** Of the body, where no header has it. */
  readonly length?: number | undefined;
  /** It is an answer of our own, and has the time of ours. */
  readonly hasDate: boolean;
  /** The connection cannot be used again. */
  readonly isLast: boolean;
}

/** The first value of a header. */
export function valueOf(headers: ReplyHeaders, name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return headers[at + 1];
  return undefined;
}

/** Notified of the progress of a reply. */
export interface ReplyListener {
  /** An end that was waiting has been written, though the network may not have taken it yet. */
  onReplyWritten(): void;
  /** The client has taken what was written. */
  onReplyDrain(): void;
  /** It is over: sent to its end, or the client is gone. */
  onReplyClose(): void;
}

/** What a client is answered, and the connection it goes by. */
export interface Reply {
  listener: ReplyListener | undefined;
  /** The client has been sent the head. */
  readonly hasBegun: boolean;
  /** All of it is on its way. */
  readonly isSent: boolean;
  /** The connection is gone. */
  readonly isGone: boolean;
  /** The network has taken all that was written: its bytes may be overwritten. */
  readonly isFlushed: boolean;
  /** Its end is written once all that has come in this turn has been read. */
  readonly isWaiting: boolean;
  /** The client may send the body it announced. */
  goOn(): void;
  /** Something before the answer: 103 and the like. */
  interim(status: number, headers: ReplyHeaders): void;
  /** The head, which goes out with the first bytes. A body of no known length is sent in chunks. */
  begin(head: ReplyHead): void;
  /** The head goes out even though there is no body yet. */
  flush(): void;
  /** More of the body; false: wait until it is drained. */
  write(piece: Uint8Array): boolean;
  /** The end, with the last of the body. */
  end(piece?: Uint8Array, trailers?: readonly (readonly [name: string, value: string])[]): void;
  /** Breaks the connection: the client must not believe in an end. */
  destroy(): void;
}

/** Whether a request announces a body. */
export function announcesBody(headers: Headers): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
