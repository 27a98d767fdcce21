/** URLs as Go's net/url reads them: the request form that decides validity, and the parts rules ask for. */
import { goQuote, pushAll } from '@capstan/meta';
import { AddressError, parseAddress } from './net-address.js';

/** A parsed URL. */
export interface GoUrl {
  readonly scheme: string;
  readonly opaque: string;
  readonly userinfo: string;
  readonly host: string;
  /** The path as it was written. */
  readonly rawPath: string;
  readonly path: string;
  readonly rawQuery: string;
  readonly fragment: string;
}

/** Text that is no URL, in Go's words. */
export class UrlError extends Error {}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const hexPair = /^[0-9a-fA-F]{2}$/;

/** Undoes percent escapes; in a host only bytes beyond ASCII may be escaped. */
function unescape(text: string, host: boolean): string {
  if (!text.includes('%')) return text;
  const bytes: number[] = [];
  for (let at = 0; at < text.length;) {
    if (text[at] !== '%') {
      const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
      pushAll(bytes, encoder.encode(char));
      at += char.length;
      continue;
    }
    const pair = text.slice(at + 1, at + 3);
    const shown = text.slice(at, at + 3);
    if (!hexPair.test(pair)) throw new UrlError(`invalid URL escape ${goQuote(shown)}`);
    const value = Number.parseInt(pair, 16);
    if (host && value < 0x80 && shown !== '%25') throw new UrlError(`invalid URL escape ${goQuote(shown)}`);
    bytes.push(value);
    at += 3;
  }
  return decoder.decode(Uint8Array.from(bytes));
}

const hostChars = /^[A-Za-z0-9\-_.~!$&'()*+,;=:[\]<>"%\u0080-\u{10ffff}]$/u;

function checkHost(text: string): void {
  for (const char of text) {
    if (!hostChars.test(char)) throw new UrlError(`invalid character ${goQuote(char)} in host name`);
  }
}

function checkPort(text: string): void {
  if (text !== '' && !/^:\d*$/.test(text)) throw new UrlError(`invalid port ${goQuote(text)} after host`);
}

function parseHost(scheme: string, text: string): string {
  if (text.lastIndexOf('[') > 0) throw new UrlError('invalid IP-literal');
  if (!text.startsWith('[')) {
    // Only web addresses are strict about colons.
    const strict = scheme === 'http' || scheme === 'https';
    const colon = strict ? text.indexOf(':') : text.lastIndexOf(':');
    if (colon !== -1) checkPort(text.slice(colon));
    checkHost(text);
    return unescape(text, true);
  }
  const close = text.lastIndexOf(']');
  if (close === -1) throw new UrlError("missing ']' in host");
  checkPort(text.slice(close + 1));
  const inner = text.slice(1, close);
  const zone = inner.indexOf('%25');
  const address = zone === -1 ? inner : inner.slice(0, zone);
  checkHost(address);
  const host = unescape(address, true) + (zone === -1 ? '' : unescape(inner.slice(zone), false));
  try {
    // Only IPv6 goes in brackets.
    if (parseAddress(host).bytes.length === 4) throw new UrlError('invalid IP-literal');
  } catch (error) {
    throw error instanceof AddressError ? new UrlError(`invalid host: ${error.message}`) : error;
  }
  return `[${host}]${text.slice(close + 1)}`;
}

function schemeOf(text: string): { scheme: string; rest: string } {
  const [whole, scheme = ''] = /^([A-Za-z][A-Za-z0-9+\-.]*)?:/.exec(text) ?? [];
  if (whole === undefined) return { scheme: '', rest: text };
  if (scheme === '') throw new UrlError('missing protocol scheme');
  return { scheme: scheme.toLowerCase(), rest: text.slice(whole.length) };
}

interface Authority {
  userinfo: string;
  host: string;
  rest: string;
}

function parseAuthority(scheme: string, text: string): Authority {
  const slash = text.indexOf('/');
  const authority = slash === -1 ? text : text.slice(0, slash);
  const rest = slash === -1 ? '' : text.slice(slash);
  const at = authority.lastIndexOf('@');
  const userinfo = at === -1 ? '' : authority.slice(0, at);
  const host = parseHost(scheme, authority.slice(at + 1));
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) throw new UrlError('net/url: invalid userinfo');
  unescape(userinfo, false);
  return { userinfo, host, rest };
}

const emptyUrl: GoUrl = {
  scheme: '',
  opaque: '',
  userinfo: '',
  host: '',
  rawPath: '',
  path: '',
  rawQuery: '',
  fragment: '',
};

function checkText(text: string, request: boolean): void {
  const control = Array.from(text).some((char) => char < ' ' || char === '\u007f');
  if (control) throw new UrlError('net/url: invalid control character in URL');
  if (text === '' && request) throw new UrlError('empty url');
}

/** Parses without a fragment; a request must have a path from the root or a scheme. */
function parse(text: string, request: boolean): GoUrl {
  checkText(text, request);
  if (text === '*') return { ...emptyUrl, path: '*', rawPath: '*' };
  const { scheme, rest: afterScheme } = schemeOf(text);
  const [rest, rawQuery = ''] = cut(afterScheme, '?');
  const base = { ...emptyUrl, scheme, rawQuery };
  if (!rest.startsWith('/')) {
    if (scheme !== '') return { ...base, opaque: rest };
    if (request) throw new UrlError('invalid URI for request');
    if (rest.split('/')[0]?.includes(':') === true) {
      throw new UrlError('first path segment in URL cannot contain colon');
    }
  }
  const slashes = rest.startsWith('//') && (scheme !== '' || (!request && !rest.startsWith('///')));
  if (!slashes) return { ...base, rawPath: rest, path: unescape(rest, false) };
  const { userinfo, host, rest: rawPath } = parseAuthority(scheme, rest.slice(2));
  return { ...base, userinfo, host, rawPath, path: unescape(rawPath, false) };
}

function cut(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function wrapped(text: string, run: () => GoUrl): GoUrl {
  try {
    return run();
  } catch (error) {
    throw error instanceof UrlError ? new UrlError(`parse ${goQuote(text)}: ${error.message}`) : error;
  }
}

/** Checks a request URI. Throws {@link UrlError}. */
export function checkRequestUri(text: string): void {
  wrapped(text, () => parse(text, true));
}

/** Parses a request URI with its fragment. Throws {@link UrlError}. */
export function parseUrl(text: string): GoUrl {
  checkRequestUri(text);
  const hash = text.indexOf('#');
  const url = wrapped(text, () => parse(hash === -1 ? text : text.slice(0, hash), false));
  if (hash === -1) return url;
  const fragment = text.slice(hash + 1);
  return wrapped(text, () => ({ ...url, fragment: unescape(fragment, false) }));
}

const pathChars = /^[A-Za-z0-9\-_.~$&+/:=@]$/;
const encodedPath = /^[A-Za-z0-9\-_.~$&+/:=@!'()*,;[\]%]*$/;

/** The path with escapes, as it was written where that is valid. */
export function escapedPath(url: GoUrl): string {
  if (encodedPath.test(url.rawPath)) return url.rawPath;
  let out = '';
  for (const byte of encoder.encode(url.path)) {
    const char = String.fromCharCode(byte);
    out += byte < 0x80 && pathChars.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return out;
}

/** Host and port; what is no port belongs to the host. */
function splitHost({ host }: GoUrl): { name: string; port: string } {
  const [, before = host, port = ''] = /^([^]*):(\d*)$/.exec(host) ?? [];
  return {
    name: before.startsWith('[') && before.endsWith(']') ? before.slice(1, -1) : before,
    port,
  };
}

/** The host without port and brackets. */
export function hostname(url: GoUrl): string {
  return splitHost(url).name;
}

/** The port, empty when there is none. */
export function port(url: GoUrl): string {
  return splitHost(url).port;
}

/** The query's values by key; pairs that are malformed are left out. */
export function queryOf(url: GoUrl): ReadonlyMap<string, string[]> {
  const found = new Map<string, string[]>();
  for (const pair of url.rawQuery.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    try {
      const decode = (part: string): string => unescape(part.replaceAll('+', '%20'), false);
      const key = decode(equals === -1 ? pair : pair.slice(0, equals));
      const value = equals === -1 ? '' : decode(pair.slice(equals + 1));
      found.set(key, [...(found.get(key) ?? []), value]);
    } catch (error) {
      if (!(error instanceof UrlError)) throw error;
    }
  }
  return found;
}
