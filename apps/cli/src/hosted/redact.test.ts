import { createCa, kubeconfigJson, kubeconfigText } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { printYaml } from '@capstan/translate/mirror';
import { redacted, redactedText } from './redact.js';

const { keyPem } = createCa({ commonName: 'ca' }).issueClient({ user: 'admin' });
const JWT = `eyJ${'a'.repeat(40)}.eyJ${'b'.repeat(60)}.${'c'.repeat(43)}`;
const CERTIFICATE = createCa({ commonName: 'public' }).certPem;
const SECRETS = { token: 'very-secret-token', clientCert: { certPem: CERTIFICATE, keyPem } };
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('credentials outside of Secrets', () => {
  it.each<[string, string]>([
    ['a kubeconfig', kubeconfigText({ server: 'https://a', ...SECRETS })],
    ['a kubeconfig as JSON', kubeconfigJson({ server: 'https://a', ...SECRETS })],
    [
      'a kubeconfig as JSON with spaces',
      JSON.stringify(JSON.parse(kubeconfigJson({ server: 'https://a', ...SECRETS })), null, 2),
    ],
    ['a kubeconfig within JSON', JSON.stringify({ data: kubeconfigJson({ server: 'https://a', ...SECRETS }) })],
    [
      'a kubeconfig within JSON within JSON',
      JSON.stringify({ a: JSON.stringify({ b: kubeconfigJson({ server: 'https://a', ...SECRETS }) }) }),
    ],
    ['a kubeconfig in base64', base64(kubeconfigText({ server: 'https://a', ...SECRETS }))],
    [
      'a plain YAML kubeconfig',
      `users:\n- name: a\n  user:\n    token: very-secret-token\n    client-key-data: ${base64(keyPem)}\n`,
    ],
    ['a private key', keyPem],
    ['a JWT', `I0101 token ${JWT} was used`],
    ['a header', 'authorization: Bearer very-secret-token'],
    ['an argument', '--token=very-secret-token --v=2'],
    ['an OpenShift token', 'sha256~very-secret-token-0123456789abcdef'],
    ['a pull secret', '{"auths":{"quay.io":{"auth":"very-secret-token"}}}'],
    ['a password', "password: 'very-secret-token'"],
  ])('as %s are not shown', (_, text) => {
    const shown = redactedText(text);
    expect(shown).toContain('redacted');
    for (const secret of ['very-secret-token', base64(keyPem), keyPem.split('\n')[1] ?? '', JWT])
      expect(shown).not.toContain(secret);
  });

  it.each([
    CERTIFICATE,
    'serviceAccountToken:\n  path: token\n',
    'tokenFile: /var/run/token',
    '--token-auth-file=/etc/tokens.csv',
    'sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    'a: b\nname: token-minter\n',
    base64(CERTIFICATE),
  ])('are not seen where there are none: %j', (text) => {
    expect(redactedText(text)).toBe(text);
  });

  it('are not shown in annotations, status, variables and ConfigMaps', () => {
    const kubeconfig = kubeconfigJson({ server: 'https://a', ...SECRETS });
    const shown = printYaml([
      redacted({
        apiVersion: 'example.com/v1',
        kind: 'Thing',
        metadata: {
          name: 'a',
          annotations: {
            kubeconfig,
            'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ kubeconfig }),
          },
        },
        data: { kubeconfig, value: base64(kubeconfig), password: 'very-secret-token' },
        status: { token: 'very-secret-token', conditions: [{ message: `failed with Bearer ${JWT}` }] },
        spec: {
          containers: [
            {
              env: [
                { name: 'DB_PASSWORD', value: 'very-secret-token' },
                { name: 'HOME', value: '/' },
              ],
            },
          ],
        },
      }),
      redacted({
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 's', annotations: { 'openshift.io/token-secret.value': JWT } },
        data: { a: base64('very-secret-token') },
      }),
    ]);
    for (const secret of ['very-secret-token', base64('very-secret-token'), base64(keyPem), JWT, base64(kubeconfig)])
      expect(shown).not.toContain(secret);
    expect(shown).toContain('name: HOME');
  });

  it.each<[string, string]>([
    ['keys that never end', '-----BEGIN PRIVATE KEY-----'.repeat(40_000)],
    ['beginnings of tokens', '-eyJ'.repeat(250_000)],
    ['fields', 'token: '.repeat(140_000)],
    ['quotes', `token: "${'\\'.repeat(1_000_000)}`],
    ['base64', 'A'.repeat(1_000_000)],
    ['bearers', 'bearer '.repeat(140_000)],
  ])('of %s are looked for in time', (_, text) => {
    const began = performance.now();
    redactedText(text);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});
