import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AttachServer, Connection, Logger } from '@capstan/kube/connect';
import type { Clock } from '@capstan/meta';
import { CLUSTER_API_RULES, GroupMapping, TranslationError } from '@capstan/translate';
import type { GroupRule } from '@capstan/translate';
import { ProxyError } from './errors.js';
import { hostName } from './host-name.js';

const MEBIBYTE = 1024 * 1024;
const PATH_SEGMENT = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;
/** In place of a namespace. */
export const ALL_NAMESPACES = '*';

/** Objects that the check of the translation reads, by their standard group. */
export interface ReadyzResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** Default: that of the proxy. `*`: all of them. */
  readonly namespace?: string | undefined;
}

/** Where to listen. */
export interface Listen {
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
}

/** The options of a proxy. */
export interface ProxyOptions {
  readonly listen: Listen;
  /** Health checks and metrics; absent = nowhere. */
  readonly health?: Listen | undefined;
  /** The server, and as whom it is asked. */
  readonly connection: Connection;
  readonly mapping: GroupMapping;
  readonly logger: Logger;
  readonly clock?: Clock | undefined;
  /** Names, other than those of the loopback, by which clients may call the proxy. */
  readonly allowHosts?: readonly string[] | undefined;
  /** Without it only loopback addresses are listened on: any client that reaches the proxy has its permissions. */
  readonly listenAnywhere?: boolean | undefined;
  /** A request without an answer for this long fails with 504. Default 90 s, more than servers take. */
  readonly responseTimeoutMs?: number | undefined;
  /** How long it serves on once it is asked to stop, unless all clients are gone before. Default 0. */
  readonly lingerMs?: number | undefined;
  /** What `/readyz/translation` reads. Default: what the permissions of the proxy allow. */
  readonly readyzResource?: ReadyzResource | undefined;
  /** Most of a response that must be held whole, as lists in protobuf are. Default 256 MiB. */
  readonly heldResponseBytes?: number | undefined;
  /** How long requests under way may take once the proxy is stopped. Default 10 s. */
  readonly drainMs?: number | undefined;
  /** False: every request goes through the parser of Node, also those that are beyond doubt. For comparisons. */
  readonly readsPlainRequests?: boolean | undefined;
  /** A network that is not this machine's: that of a pod. Port 0 cannot be listened on there. */
  readonly network?: ProxyNetwork | undefined;
}

/** Where a proxy listens and dials, in place of the sockets of this machine. */
export interface ProxyNetwork {
  readonly attach: AttachServer;
  readonly dial: (host: string, port: number) => Promise<Duplex>;
}

/** Options that can work. */
export interface CheckedOptions extends ProxyOptions {
  readonly allowedHosts: readonly string[];
}

/** Whether an address is reached from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** Refuses what cannot work, and what would let in more than was meant. */
export function checkedOptions(options: ProxyOptions): CheckedOptions {
  const { allowHosts = [], listen, listenAnywhere } = options;
  if (!isLoopback(listen.host) && listenAnywhere !== true)
    throw new ProxyError(
      'bad-options',
      `--listen ${listen.host} is reached from other machines, and every client of the proxy has its permissions: listen on 127.0.0.1, or set --listen-anywhere`,
    );
  const allowedHosts = allowHosts.map((text) => {
    const name = hostName(text);
    if (name === undefined) throw new ProxyError('bad-options', `${JSON.stringify(text)} is not the name of a host`);
    return name;
  });
  const own = isIP(listen.host) === 6 ? `[${listen.host}]` : listen.host;
  return { ...options, allowedHosts: [...allowedHosts, own.toLowerCase()] };
}

/** Reads `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, `:8080` or `8080`. */
export function listenFrom(text: string): Listen {
  const found = /^(?:(\[[0-9A-Fa-f:.]+\]|[^:[\]]*):)?([0-9]{1,5})$/.exec(text);
  const port = Number(found?.[2]);
  if (found === null || port > 65_535)
    throw new ProxyError('bad-options', `${JSON.stringify(text)} is not an address such as 127.0.0.1:8080`);
  const host = (found[1] ?? '').replace(/^\[|\]$/g, '');
  return { host: host === '' ? '127.0.0.1' : host, port };
}

/** Reads `GROUP/VERSION/RESOURCE[/NAMESPACE]`. */
export function readyzResourceFrom(text: string): ReadyzResource {
  const [group = '', version = '', resource = '', namespace, ...rest] = text.split('/');
  const parts = [group, version, resource, ...(namespace === undefined ? [] : [namespace])];
  if (rest.length > 0 || !parts.every((part, at) => PATH_SEGMENT.test(part) || (at === 3 && part === ALL_NAMESPACES)))
    throw new ProxyError(
      'bad-options',
      `--readyz-resource ${JSON.stringify(text)} is not GROUP/VERSION/RESOURCE or GROUP/VERSION/RESOURCE/NAMESPACE, such as cluster.x-k8s.io/v1beta2/machines`,
    );
  return { group, version, resource, ...(namespace === undefined ? {} : { namespace }) };
}

/** The mapping of Cluster API with more pairs `STANDARD=PRIVATE`, and groups that are shared as they are. */
export function mappingFrom(pairs: readonly string[] = [], shared: readonly string[] = []): GroupMapping {
  const more = pairs.map((text): GroupRule => {
    const [standard = '', hidden = '', rest] = text.split('=');
    if (standard === '' || hidden === '' || rest !== undefined)
      throw new ProxyError(
        'bad-options',
        `${JSON.stringify(text)} is not a pair of groups such as a.example.com=b.example.com`,
      );
    return { standard, private: hidden, suffix: false };
  });
  try {
    return new GroupMapping({
      rules: [...CLUSTER_API_RULES.rules, ...more],
      ...(shared.length === 0 ? {} : { shared }),
    });
  } catch (error) {
    if (error instanceof TranslationError) throw new ProxyError('bad-options', error.message, error);
    throw error;
  }
}

/** The flags of a command line. */
export interface ProxyFlags {
  readonly listen: string;
  /** `-`: nowhere. */
  readonly healthListen: string;
  readonly groupPair?: readonly string[] | undefined;
  readonly sharedGroup?: readonly string[] | undefined;
  readonly allowHost?: readonly string[] | undefined;
  readonly listenAnywhere?: boolean | undefined;
  /** `GROUP/VERSION/RESOURCE`, or the same and `/NAMESPACE`, `/*` for all namespaces. */
  readonly readyzResource?: string | undefined;
  /** MiB. */
  readonly heldResponseLimit?: number | undefined;
  /** Milliseconds. */
  readonly lingerTimeout?: number | undefined;
  /** Milliseconds. */
  readonly responseTimeout: number;
  /** Milliseconds. */
  readonly drainTimeout: number;
}

/** The options that a command line means. */
export function proxyOptionsFrom(flags: ProxyFlags): Omit<ProxyOptions, 'connection' | 'logger'> {
  return {
    listen: listenFrom(flags.listen),
    ...(flags.healthListen === '-' ? {} : { health: listenFrom(flags.healthListen) }),
    mapping: mappingFrom(flags.groupPair, flags.sharedGroup),
    allowHosts: flags.allowHost,
    listenAnywhere: flags.listenAnywhere,
    responseTimeoutMs: flags.responseTimeout,
    drainMs: flags.drainTimeout,
    ...(flags.lingerTimeout === undefined ? {} : { lingerMs: flags.lingerTimeout }),
    ...(flags.heldResponseLimit === undefined ? {} : { heldResponseBytes: flags.heldResponseLimit * MEBIBYTE }),
    ...(flags.readyzResource === undefined ? {} : { readyzResource: readyzResourceFrom(flags.readyzResource) }),
  };
}
