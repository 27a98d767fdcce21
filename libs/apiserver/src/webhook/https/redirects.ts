import { goQuote } from '@capstan/meta';
import { exchange, type Destination, type Exchanged, type Post, type Progress } from './exchange.js';

/** As many as Go's client sends for one call, the first among them. */
const MAX_REQUESTS = 10;
/** After these the question is not put again, only its answer fetched. */
const FETCHED: ReadonlySet<number> = new Set([301, 302, 303]);
const REPEATED: ReadonlySet<number> = new Set([307, 308]);
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/** A redirect that is not followed. */
export class RedirectRefused extends Error {
  override readonly name = 'RedirectRefused';
  /** As the error quotes it. */
  readonly url: string;

  constructor(url: string, reason: string) {
    super(reason);
    this.url = url;
  }
}

/** How far a call has come, and where it was then. */
export interface FollowedProgress extends Progress {
  destination: Destination;
}

/** Sends a request, and again wherever the answers lead. */
export async function followed(first: Post, progress: FollowedProgress): Promise<Exchanged> {
  let post = first;
  for (let sent = 1; ; sent += 1) {
    progress.isAnswered = false;
    progress.destination = post.destination;
    const answer = await exchange(post, progress);
    const { location, status } = answer;
    if (location === '' || !(FETCHED.has(status) || REPEATED.has(status))) return answer;
    const destination = leadsTo(post.destination, location);
    if (sent >= MAX_REQUESTS) throw new RedirectRefused(location, `stopped after ${MAX_REQUESTS} redirects`);
    const { url } = destination;
    if (DEFAULT_PORTS[new URL(url).protocol] === undefined)
      throw new RedirectRefused(url, `unsupported protocol scheme ${goQuote(new URL(url).protocol.slice(0, -1))}`);
    // Headers that came over TLS are not sent to servers without it.
    const referer =
      destination.isPlain === true && post.destination.isPlain !== true ? undefined : post.destination.url;
    post = { ...post, destination, referer, body: FETCHED.has(status) ? undefined : post.body };
  }
}

function leadsTo(from: Destination, location: string): Destination {
  const url = parse(from, location);
  const isSame = url.host === new URL(from.url).host;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port);
  return {
    url: url.href,
    address: isSame ? from.address : { host, port },
    serverName: from.isService === true ? from.serverName : host,
    hostHeader: isSame ? from.hostHeader : url.host,
    target: `${url.pathname}${url.search}`,
    isService: from.isService === true,
    isPlain: url.protocol === 'http:',
  };
}

function parse(from: Destination, location: string): URL {
  try {
    return new URL(location, from.url);
  } catch {
    const escape = /%(?![0-9a-f]{2}).{0,2}/i.exec(location)?.[0];
    const reason = escape === undefined ? 'invalid URL' : `invalid URL escape ${goQuote(escape)}`;
    throw new RedirectRefused(
      from.url,
      `failed to parse Location header ${goQuote(location)}: parse ${goQuote(location)}: ${reason}`,
    );
  }
}
