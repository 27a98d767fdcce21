import { createCa, kubeconfigJson, systemRandom } from '@capstan/kube';
import { expect, it } from 'vitest';
import { adminKubeconfig } from './admin-kubeconfig.js';
import type { Issued } from './admin-kubeconfig.js';

const caNamed = (name: string) =>
  createCa({ commonName: name, now: Date.parse('2026-01-01T00:00:00Z'), random: systemRandom(name) });
const CA = caNamed('root-ca').certPem;
const OTHER_CA = caNamed('evil').certPem;
const SERVER = 'https://api.example.com:6443';
const ISSUED: Issued = {
  server: SERVER,
  caPem: CA,
  tokens: 'good,system:admin,system:admin,"system:masters"\nnode,system:serviceaccount:x,y,""\n',
};
const GOOD = { server: SERVER, caPem: CA, token: 'good', name: 'cluster', userName: 'admin' };
const written = kubeconfigJson(GOOD);
interface Config {
  readonly clusters: { name: string; cluster: Record<string, unknown> }[];
  readonly users: { user: Record<string, unknown> }[];
  readonly contexts: object[];
  extensions?: object[];
}
const changed = (edit: (config: Config) => void): string => {
  const config = JSON.parse(written) as Config;
  edit(config);
  return JSON.stringify(config);
};
const not = (field: string): string => `Secret ns/admin: its ${field} is not that of the control plane`;

it.each<[string, string, Partial<Issued>, string | undefined]>([
  ['as it was issued', written, {}, undefined],
  [
    'on the default port',
    kubeconfigJson({ ...GOOD, server: 'https://api.example.com' }),
    { server: 'https://api.example.com:443' },
    undefined,
  ],
  [
    'where administrators have no tokens on file',
    kubeconfigJson({ ...GOOD, token: 'any' }),
    { tokens: undefined },
    undefined,
  ],
  ['another server', kubeconfigJson({ ...GOOD, server: 'https://evil.example.com:6443' }), {}, not('server')],
  ['another path of the server', kubeconfigJson({ ...GOOD, server: `${SERVER}/evil` }), {}, not('server')],
  ['a server that is not known yet', written, { server: undefined }, not('server')],
  ['another CA', kubeconfigJson({ ...GOOD, caPem: OTHER_CA }), {}, not('certificate-authority-data')],
  ['another CA besides', kubeconfigJson({ ...GOOD, caPem: CA + OTHER_CA }), {}, not('certificate-authority-data')],
  ['no CA', kubeconfigJson({ ...GOOD, caPem: undefined }), {}, not('certificate-authority-data')],
  ['a CA that is not known yet', written, { caPem: undefined }, not('certificate-authority-data')],
  ['another name of the server', kubeconfigJson({ ...GOOD, serverName: 'evil' }), {}, not('tls-server-name')],
  ['another token', kubeconfigJson({ ...GOOD, token: 'bad' }), {}, not('token')],
  ['the token of another account', kubeconfigJson({ ...GOOD, token: 'node' }), {}, not('token')],
  ['no user', kubeconfigJson({ ...GOOD, token: undefined }), {}, not('user')],
  [
    'a command to run',
    changed((config) => Object.assign(config.users[0]?.user ?? {}, { exec: { command: 'sh' } })),
    {},
    'may not run commands',
  ],
  [
    'no verification',
    changed((config) => Object.assign(config.clusters[0]?.cluster ?? {}, { 'insecure-skip-tls-verify': true })),
    {},
    'may not turn verification off',
  ],
  [
    'a proxy',
    changed((config) => Object.assign(config.clusters[0]?.cluster ?? {}, { 'proxy-url': 'http://evil' })),
    {},
    'may not choose a proxy',
  ],
  ['no kubeconfig', 'nonsense', {}, 'Secret ns/admin'],
])('a kubeconfig with %s', async (_, text, issued, problem) => {
  const found = await adminKubeconfig(text, 'Secret ns/admin', { ...ISSUED, ...issued });
  if (problem === undefined) expect(found).toEqual({ kubeconfig: text });
  else expect('problem' in found && found.problem).toContain(problem);
});

it('loses whatever it has besides', async () => {
  const more = changed((config) => {
    config.clusters.push({ name: 'evil', cluster: { server: 'https://evil.example.com' } });
    config.contexts.push({ name: 'evil', context: { cluster: 'evil', user: 'admin' } });
    config.extensions = [{ name: 'x', extension: {} }];
  });
  expect(await adminKubeconfig(more, 'Secret ns/admin', ISSUED)).toEqual({ kubeconfig: written });
});
