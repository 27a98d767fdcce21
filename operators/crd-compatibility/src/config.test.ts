import { describe, expect, it } from 'vitest';
import { settingsFrom } from './config.js';

const flags = { 'webhook-cert-dir': '/certs', 'webhook-service': 'checker' };

describe('settings', () => {
  it('have defaults', () => {
    expect(settingsFrom({ flags, namespace: 'ns' })).toEqual({
      port: 9443,
      host: '0.0.0.0',
      certFile: '/certs/tls.crt',
      keyFile: '/certs/tls.key',
      reach: { service: { namespace: 'ns', name: 'checker', port: 443 } },
      caFile: undefined,
      hasStaticWebhook: true,
      shutdownDelayMs: 5000,
    });
  });

  it.each([
    ['checker', { namespace: 'ns', name: 'checker', port: 443 }],
    ['other/checker:8443', { namespace: 'other', name: 'checker', port: 8443 }],
  ])('read the Service %s', (text, service) => {
    expect(settingsFrom({ flags: { ...flags, 'webhook-service': text }, namespace: 'ns' }).reach).toEqual({ service });
  });

  it.each([
    [
      { 'webhook-service': 'a', 'webhook-cert-dir': undefined },
      '--webhook-cert-dir is needed: a folder of tls.crt and tls.key',
    ],
    [{ 'webhook-service': undefined }, '--webhook-ca-file is needed where no --webhook-service is named'],
    [{ 'webhook-url': 'https://a' }, '--webhook-service and --webhook-url exclude each other'],
    [{ 'webhook-service': 'a/b/c' }, '--webhook-service: "a/b/c" is not of the form [namespace/]name[:port]'],
  ])('%j make no sense', (more, message) => {
    const given = Object.fromEntries(Object.entries({ ...flags, ...more }).filter(([, text]) => text !== undefined));
    expect(() => settingsFrom({ flags: given, namespace: 'ns' })).toThrow(message);
  });
});
