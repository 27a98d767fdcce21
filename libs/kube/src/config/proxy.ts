import { BlockList, isIP, isIPv6 } from 'node:net';
import { ConfigError } from './fields.js';

type Environment = Readonly<Record<string, string | undefined>>;

const PROTOCOLS: ReadonlySet<string> = new Set(['http:', 'https:', 'socks5:']);

/** Whether a proxy of that scheme can be used. */
export function isProxyUrl(text: string): boolean {
  return URL.canParse(text) && PROTOCOLS.has(new URL(text).protocol);
}

/** The proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name for a server, by the rules of Go programs. */
export function environmentProxy(server: string, env: Environment): string | undefined {
  const url = new URL(server);
  const isPlain = url.protocol === 'http:';
  // In a CGI program HTTP_PROXY is a header of the client.
  if (isPlain && env['REQUEST_METHOD'] !== undefined) return undefined;
  const name = isPlain ? 'HTTP_PROXY' : 'HTTPS_PROXY';
  const value = either(env, name);
  if (value === undefined || isExempt(url, either(env, 'NO_PROXY') ?? '')) return undefined;
  const proxy = value.includes('://') ? value : `http://${value}`;
  if (!isProxyUrl(proxy))
    throw new ConfigError(`unsupported scheme in "${value}", must be http, https, or socks5`, { field: name });
  return proxy;
}

function either(env: Environment, name: string): string | undefined {
  return [env[name], env[name.toLowerCase()]].find((value) => value !== undefined && value !== '');
}

/** Whether a server is to be reached without the proxy: it is on this machine, or the list names it. */
function isExempt(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const port = url.port === '' ? (url.protocol === 'http:' ? '80' : '443') : url.port;
  if (host === 'localhost' || isLoopback(host)) return true;
  return list
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .some((item) => item !== '' && matches(item, host, port));
}

function isLoopback(host: string): boolean {
  return isIP(host) !== 0 && (host === '::1' || inNetwork('127.0.0.0/8', host));
}

function matches(item: string, host: string, port: string): boolean {
  if (item === '*') return true;
  if (item.includes('/')) return inNetwork(item, host);
  const [name, onlyPort] = splitPort(item);
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (isIP(name) !== 0) return sameAddress(name, host);
  const domain = name.startsWith('*.') ? name.slice(1) : name;
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function splitPort(item: string): [name: string, port: string | undefined] {
  if (isIPv6(item)) return [item, undefined];
  const found = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(item);
  return [(found?.[1] ?? item).replace(/^\[|\]$/g, ''), found?.[2]];
}

function sameAddress(a: string, b: string): boolean {
  return isIP(b) !== 0 && new URL(bracketed(a)).hostname === new URL(bracketed(b)).hostname;
}

const bracketed = (address: string): string => `http://${isIPv6(address) ? `[${address}]` : address}`;

function inNetwork(network: string, host: string): boolean {
  const [address = '', bits = ''] = network.split('/');
  const family = isIP(address);
  const longest = family === 6 ? 128 : 32;
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(bits) || Number(bits) > longest) return false;
  const list = new BlockList();
  const type = family === 6 ? 'ipv6' : 'ipv4';
  list.addSubnet(address, Number(bits), type);
  return list.check(host, type);
}
