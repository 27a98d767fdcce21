import { createCa, systemRandom } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import type { CertificateRow } from './certificates.table.js';
import { decideKeys, decideLeaf, ONCE, planOf } from './decide.js';
import type { FoundKeys, KeysDecision } from './decide.js';
import { secret } from './kubeconfigs.js';
import { issueLeaf, RENEW_BEFORE_MS, VALID_FOR_MS } from './leaf.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const EXISTING = secret('root-ca', { 'ca.crt': 'there' });
const SEEN = secret('root-ca', { 'ca.crt': 'seen' });
const NONE = { existing: undefined, lastSeen: undefined, isInUse: false, nowMs: NOW };

describe('a Secret whose keys are generated once', () => {
  it.each<[string, Partial<FoundKeys>, KeysDecision]>([
    ['is kept', { existing: EXISTING }, { do: 'keep', secret: EXISTING }],
    [
      'is kept as it is, not as it was seen last',
      { existing: EXISTING, lastSeen: SEEN },
      { do: 'keep', secret: EXISTING },
    ],
    ['is restored after a deletion', { lastSeen: SEEN, isInUse: true }, { do: 'restore', secret: SEEN }],
    ['is generated for a new control plane', {}, { do: 'generate', annotations: {} }],
    [
      'is generated with an annotation where clients may trust the lost keys',
      { isInUse: true },
      { do: 'generate', annotations: { 'capstan.dev/keys-regenerated': '2026-01-01T00:00:00Z' } },
    ],
  ])('%s', (_, found, decision) => {
    expect(decideKeys({ ...NONE, ...found })).toEqual(decision);
  });
});

describe('a certificate of a control plane', () => {
  const random = systemRandom('decide');
  const ca = createCa({ commonName: 'ca', now: NOW, keyFrom: random.split('ca'), random });
  const row: CertificateRow = {
    secret: 's',
    signer: 'root-ca',
    usages: ['server'],
    keys: { cert: 'tls.crt', key: 'tls.key' },
    commonName: 'me',
    groups: [],
    hosts: ['a.example.com'],
  };
  const { certPem, keyPem } = issueLeaf(row, ca, { nowMs: NOW, random, keyFrom: random.split('leaf') });
  const good = secret('s', { 'tls.crt': certPem, 'tls.key': keyPem });
  const dueMs = NOW + VALID_FOR_MS - RENEW_BEFORE_MS;

  it.each([
    ['is issued where there is none', row, { existing: undefined, nowMs: NOW }, { do: 'issue', why: 'there is none' }],
    ['is kept until it is due', row, { existing: good, nowMs: NOW }, { do: 'keep', untilMs: dueMs }],
    ['is reissued when it is due', row, { existing: good, nowMs: dueMs }, { do: 'issue', why: 'it ends soon' }],
    [
      'is reissued for another name',
      { ...row, hosts: ['b.example.com'] },
      { existing: good, nowMs: NOW },
      { do: 'issue', why: 'it is not good for b.example.com' },
    ],
  ])('%s', (_, of, { existing, nowMs }, decision) => {
    expect(decideLeaf(of, existing, { caPem: ca.certPem, nowMs })).toEqual(decision);
  });
});

it('a plan names every Secret once, those with keys that cannot be generated again first', () => {
  const { names, rows } = planOf({
    namespace: 'ns',
    infraID: 'inf',
    apiServerHosts: ['api'],
    ignitionHosts: ['ign'],
    serving: new Map([['kube-scheduler', 'scheduler-server']]),
    endpoint: { host: 'lb', port: 6443 },
    port: 6443,
    dnsName: undefined,
  });
  expect(new Set(names).size).toBe(names.length);
  expect(names.slice(0, ONCE.length)).toEqual(ONCE);
  expect(names).toEqual(expect.arrayContaining(['inf-kubeconfig', ...rows.map(({ secret: name }) => name)]));
});
