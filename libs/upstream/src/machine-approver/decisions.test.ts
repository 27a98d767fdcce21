import type { CertificateRequest } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { CLIENT_SIGNER, SERVING_SIGNER } from '../signing-requests.js';
import type { SigningRequest } from '../signing-requests.js';
import { NODE_BOOTSTRAPPER } from '../signing-requests.js';
import { decideApproval, mayBeTooMany, nodesOf, tooManyPending } from './decisions.js';
import type { ApprovableMachine, ApprovalInputs } from './decisions.js';

const AT = '2026-01-01T12:00:00Z';

function request(spec: Partial<SigningRequest['spec']> = {}, at = AT, conditions: string[] = []): SigningRequest {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'csr', creationTimestamp: at },
    spec: {
      request: '',
      signerName: CLIENT_SIGNER,
      usages: ['digital signature', 'client auth'],
      username: NODE_BOOTSTRAPPER.username,
      groups: NODE_BOOTSTRAPPER.groups,
      ...spec,
    },
    status: { conditions: conditions.map((type) => ({ type, status: 'True' })) },
  };
}

function asked(more: Partial<CertificateRequest> = {}): CertificateRequest {
  return {
    commonName: 'system:node:node-a',
    organizations: ['system:nodes'],
    dnsNames: [],
    ipAddresses: [],
    emailAddresses: [],
    uris: [],
    otherNames: 0,
    keyInfo: new Uint8Array(),
    publicKey: {} as CertificateRequest['publicKey'],
    ...more,
  };
}

function machine(nodeRef?: string, createdAt = AT): ApprovableMachine {
  const addresses = [
    { type: 'InternalIP', address: '10.0.0.1' },
    { type: 'InternalDNS', address: 'node-a' },
    { type: 'Hostname', address: 'node-a' },
  ];
  const metadata = { name: 'm', creationTimestamp: createdAt };
  const core = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Machine' };
  return { ...core, metadata, status: { addresses, ...(nodeRef === undefined ? {} : { nodeRef: { name: nodeRef } }) } };
}

const CLIENT: ApprovalInputs = { request: request(), asked: asked(), machines: [machine()], nodes: new Set() };

describe('the request of a node that is to be a client', () => {
  it('is approved where its Machine waits for it', () => {
    expect(decideApproval(CLIENT)).toEqual({ do: 'approve' });
    const usages = ['key encipherment', 'client auth', 'digital signature'];
    expect(decideApproval({ ...CLIENT, request: request({ usages }) })).toEqual({ do: 'approve' });
  });

  it.each<[string, Partial<ApprovalInputs>, 'ignore' | 'not-yet', string]>([
    ['decided', { request: request({}, AT, ['Approved']) }, 'ignore', 'it is decided already'],
    ['denied', { request: request({}, AT, ['Denied']) }, 'ignore', 'it is decided already'],
    ['for another signer', { request: request({ signerName: 'example.com/x' }) }, 'ignore', 'it is for another signer'],
    ['unreadable', { asked: undefined }, 'ignore', 'it cannot be read'],
    [
      'of more groups',
      { asked: asked({ organizations: ['system:nodes', 'system:masters'] }) },
      'ignore',
      'it is not for the group system:nodes alone',
    ],
    ['of no node', { asked: asked({ commonName: 'system:admin' }) }, 'ignore', 'it is not for a node'],
    ['of a nameless node', { asked: asked({ commonName: 'system:node:' }) }, 'ignore', 'it is not for a node'],
    ['with mail addresses', { asked: asked({ emailAddresses: ['x'] }) }, 'ignore', 'a client has no alternative names'],
    ['with names', { asked: asked({ dnsNames: ['x'] }) }, 'ignore', 'a client has no alternative names'],
    [
      'with other usages',
      { request: request({ usages: ['server auth'] }) },
      'ignore',
      'its usages are not those of a client',
    ],
    [
      'of another user',
      { request: request({ username: 'bob' }) },
      'ignore',
      'it does not come from the bootstrapper of nodes',
    ],
    ['of a node that is there', { nodes: new Set(['node-a']) }, 'ignore', 'node node-a already exists'],
    ['without Machine', { machines: [] }, 'not-yet', 'failed to find machine for node node-a'],
    [
      'of a Machine that has its node',
      { machines: [machine('node-a')] },
      'ignore',
      'machine for node node-a already has node ref',
    ],
    [
      'too late',
      { machines: [machine(undefined, '2026-01-01T09:59:59Z')] },
      'ignore',
      'CSR creation time not in range',
    ],
    [
      'too early',
      { machines: [machine(undefined, '2026-01-01T12:00:11Z')] },
      'ignore',
      'CSR creation time not in range',
    ],
  ])('is not approved when %s', (_, given, what, reason) => {
    expect(decideApproval({ ...CLIENT, ...given })).toEqual({ do: what, reason });
  });
});

describe('the request of a node that is to be a server', () => {
  const spec = {
    signerName: SERVING_SIGNER,
    usages: ['digital signature', 'server auth'],
    username: 'system:node:node-a',
    groups: ['system:nodes', 'system:authenticated'],
  };
  const serving: ApprovalInputs = {
    request: request(spec),
    asked: asked({ dnsNames: ['node-a'], ipAddresses: ['10.0.0.1'] }),
    machines: [machine('node-a')],
    nodes: new Set(['node-a']),
  };

  it('is approved for the addresses of its Machine', () => {
    expect(decideApproval(serving)).toEqual({ do: 'approve' });
  });

  it.each<[string, Partial<ApprovalInputs>, 'ignore' | 'not-yet', string]>([
    [
      'for another node',
      { request: request({ ...spec, username: 'system:node:b' }) },
      'ignore',
      'a node asks for itself alone',
    ],
    [
      'of no node',
      { request: request({ ...spec, groups: ['system:authenticated'] }) },
      'ignore',
      'it comes from no node',
    ],
    [
      'with other usages',
      { request: request({ ...spec, usages: ['client auth'] }) },
      'ignore',
      'its usages are not those of a server',
    ],
    ['with URIs', { asked: asked({ uris: ['a:b'] }) }, 'ignore', 'it names more than hosts and addresses'],
    ['with strange names', { asked: asked({ otherNames: 1 }) }, 'ignore', 'it names more than hosts and addresses'],
    ['before its Machine knows it', { machines: [machine()] }, 'not-yet', 'no machine has node node-a as its node'],
    [
      'for a strange address',
      { asked: asked({ ipAddresses: ['10.0.0.2'] }) },
      'not-yet',
      'the machine has no address 10.0.0.2',
    ],
    [
      'for a strange name',
      { asked: asked({ dnsNames: ['10.0.0.1'] }) },
      'not-yet',
      'the machine has no address 10.0.0.1',
    ],
  ])('is not approved %s', (_, given, what, reason) => {
    expect(decideApproval({ ...serving, ...given })).toEqual({ do: what, reason });
  });
});

it('nothing is approved while far more requests are pending than there are machines', () => {
  const now = Date.parse(AT);
  const pending = (count: number, at = AT): SigningRequest[] => Array.from({ length: count }, () => request({}, at));
  const counts = { machines: 3, nodes: 5 };
  expect(tooManyPending(pending(105), counts, now)).toBeUndefined();
  expect(tooManyPending(pending(106), counts, now)).toEqual({ pending: 106, most: 105 });
  expect(tooManyPending(pending(200, '2026-01-01T11:00:00Z'), counts, now)).toBeUndefined();
  expect(
    tooManyPending(
      pending(200).map((each) => ({ ...each, ...request({}, AT, ['Approved']) })),
      counts,
      now,
    ),
  ).toBeUndefined();
});

it('few requests are never too many, so that machines are not counted for them', () => {
  const now = Date.parse(AT);
  const pending = (count: number): SigningRequest[] => Array.from({ length: count }, () => request());
  expect(mayBeTooMany(pending(100), now)).toBe(false);
  expect(mayBeTooMany(pending(101), now)).toBe(true);
});

it('a Machine is found by where it is and by the node it has', () => {
  expect(nodesOf(machine())).toEqual(['node-a']);
  expect(nodesOf(machine('node-a'))).toEqual(['node-a']);
  expect(nodesOf(machine('other'))).toEqual(['node-a', 'other']);
  expect(nodesOf({ ...machine(), status: {} })).toEqual([]);
});
