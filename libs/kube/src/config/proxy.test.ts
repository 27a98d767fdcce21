import { describe, expect, it } from 'vitest';
import { environmentProxy, isProxyUrl } from './proxy.js';

const PROXY = 'http://p:3128';

describe('environmentProxy', () => {
  it.each<[string, Record<string, string>, string, string | undefined]>([
    ['nothing set', {}, 'https://a:6443', undefined],
    ['HTTPS_PROXY for a server with TLS', { HTTPS_PROXY: PROXY }, 'https://a:6443', PROXY],
    ['the name in small letters', { https_proxy: PROXY }, 'https://a', PROXY],
    ['capitals first', { HTTPS_PROXY: PROXY, https_proxy: 'http://other' }, 'https://a', PROXY],
    ['an empty value as none', { HTTPS_PROXY: '', https_proxy: PROXY }, 'https://a', PROXY],
    ['not HTTP_PROXY for a server with TLS', { HTTP_PROXY: PROXY }, 'https://a', undefined],
    ['HTTP_PROXY for a server without', { HTTP_PROXY: PROXY }, 'http://a', PROXY],
    [
      'HTTP_PROXY in a CGI program, where it is a header',
      { HTTP_PROXY: PROXY, REQUEST_METHOD: 'GET' },
      'http://a',
      undefined,
    ],
    ['a proxy without scheme', { HTTPS_PROXY: 'p:3128' }, 'https://a', PROXY],
    ['a SOCKS5 proxy', { HTTPS_PROXY: 'socks5://p:1' }, 'https://a', 'socks5://p:1'],
    ['localhost', { HTTPS_PROXY: PROXY }, 'https://localhost:6443', undefined],
    ['a loopback address', { HTTPS_PROXY: PROXY }, 'https://127.8.0.1:6443', undefined],
    ['the loopback address of IPv6', { HTTPS_PROXY: PROXY }, 'https://[::1]:6443', undefined],
    ['NO_PROXY with everything', { HTTPS_PROXY: PROXY, NO_PROXY: '*' }, 'https://a', undefined],
    ['NO_PROXY with the host', { HTTPS_PROXY: PROXY, NO_PROXY: 'x, A.example' }, 'https://a.example', undefined],
    ['NO_PROXY with a domain above', { HTTPS_PROXY: PROXY, no_proxy: 'example' }, 'https://a.example', undefined],
    ['NO_PROXY with another ending', { HTTPS_PROXY: PROXY, NO_PROXY: 'example' }, 'https://aexample', PROXY],
    ['NO_PROXY with a dot: subdomains', { HTTPS_PROXY: PROXY, NO_PROXY: '.example' }, 'https://a.example', undefined],
    ['NO_PROXY with a dot: not the domain', { HTTPS_PROXY: PROXY, NO_PROXY: '.example' }, 'https://example', PROXY],
    ['NO_PROXY with a star: not the domain', { HTTPS_PROXY: PROXY, NO_PROXY: '*.example' }, 'https://example', PROXY],
    ['NO_PROXY with a star: subdomains', { HTTPS_PROXY: PROXY, NO_PROXY: '*.example' }, 'https://a.example', undefined],
    ['NO_PROXY with its port', { HTTPS_PROXY: PROXY, NO_PROXY: 'a:6443' }, 'https://a:6443', undefined],
    ['NO_PROXY with the port of the scheme', { HTTPS_PROXY: PROXY, NO_PROXY: 'a:443' }, 'https://a', undefined],
    ['NO_PROXY with another port', { HTTPS_PROXY: PROXY, NO_PROXY: 'a:443' }, 'https://a:6443', PROXY],
    ['NO_PROXY with an address', { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.1' }, 'https://10.0.0.1', undefined],
    ['NO_PROXY with an address and port', { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.1:1' }, 'https://10.0.0.1:2', PROXY],
    ['NO_PROXY with a network', { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/8' }, 'https://10.9.0.1', undefined],
    ['NO_PROXY with another network', { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/16' }, 'https://10.9.0.1', PROXY],
    [
      'NO_PROXY with no network at all',
      { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/x,1.2.3.4/33' },
      'https://10.9.0.1',
      PROXY,
    ],
    [
      'NO_PROXY with an IPv6 address',
      { HTTPS_PROXY: PROXY, NO_PROXY: 'fd00:0::1' },
      'https://[fd00::1]:6443',
      undefined,
    ],
    [
      'NO_PROXY with an IPv6 address and port',
      { HTTPS_PROXY: PROXY, NO_PROXY: '[fd00::1]:1' },
      'https://[fd00::1]',
      PROXY,
    ],
    ['NO_PROXY with an IPv6 network', { HTTPS_PROXY: PROXY, NO_PROXY: 'fd00::/8' }, 'https://[fd12::1]', undefined],
    ['a name where a network is listed', { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/8' }, 'https://a', PROXY],
  ])('knows %s', (_name, env, server, expected) => {
    expect(environmentProxy(server, env)).toBe(expected);
  });

  it('reports which variable names a proxy it cannot use', () => {
    expect(() => environmentProxy('https://a', { HTTPS_PROXY: 'ftp://p' })).toThrow(
      'HTTPS_PROXY: unsupported scheme in "ftp://p", must be http, https, or socks5',
    );
  });
});

describe('isProxyUrl', () => {
  it.each([
    ['http://p', true],
    ['https://p:1', true],
    ['socks5://p', true],
    ['socks4://p', false],
    ['p', false],
  ])('%s: %s', (text, expected) => {
    expect(isProxyUrl(text)).toBe(expected);
  });
});
