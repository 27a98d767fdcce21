import { gunzipSync } from 'node:zlib';
import type { Machine, MachineSet } from '@capstan/api/cluster-api';
import type { Change } from '@capstan/kube';
import { testPlatform } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { secretText } from '../resources.js';
import type { Secret } from '../resources.js';
import { snapshot, HOME, hosted, KEY, NOW_MS, owned, ownSecret, pool } from '../testing/snapshots.js';
import { collectSecrets } from './collect.js';
import { desiredToken, expiring, tokenOf } from './token.js';
import { desiredUserData, ignitionOf } from './user-data.js';

const ROLLOUT = { version: '4.22.0', raw: '{"kind":"KubeletConfig"}', hash: 'abcd1234', hashWithoutVersion: 'x' };
const EXPIRES = 'hypershift.openshift.io/ignition-token-expiration-timestamp';

describe('a token', () => {
  it('is drawn once, with what the ignition server needs', () => {
    const token = desiredToken(snapshot(), ROLLOUT, undefined);
    expect(token.metadata).toEqual({
      name: 'token-workers-abcd1234',
      namespace: HOME,
      annotations: {
        'hypershift.openshift.io/last-token-generation-time': '2026-01-01T12:00:00.000Z',
        'hypershift.openshift.io/ignition-config': 'true',
        'hypershift.openshift.io/node-pool-upgrade-type': 'Replace',
        'hypershift.openshift.io/nodePool': KEY,
      },
    });
    const values = Object.keys(token.data ?? {}).map((key) => [key, secretText(token, key)]);
    expect(Object.fromEntries(values)).toMatchObject({
      token: 'drawn',
      release: 'registry.example.com/release:4.22.0',
      'release-version': '4.22.0',
      'pull-secret-hash': expect.stringMatching(/^[0-9a-f]{8}$/),
      'hc-configuration-hash': expect.stringMatching(/^[0-9a-f]{8}$/),
    });
    const packed = Buffer.from(secretText(token, 'config') ?? '', 'base64');
    expect(gunzipSync(packed).toString()).toBe(ROLLOUT.raw);
  });

  it('stays as the ignition server renews it, and is not expired while it is used', () => {
    const first = desiredToken(snapshot(), ROLLOUT, undefined);
    const renewed = ownSecret('token-workers-abcd1234', { token: 'renewed' }, { [EXPIRES]: '2026-01-01T13:00:00Z' });
    expect(desiredToken(snapshot(), ROLLOUT, first)).toEqual(first);
    const kept = desiredToken(snapshot(), ROLLOUT, renewed);
    expect(tokenOf(kept)).toBe('renewed');
    expect(Object.keys(kept.metadata.annotations ?? {})).not.toContain(EXPIRES);
  });

  it('changes with settings that need no new machines', () => {
    const first = desiredToken(snapshot(), ROLLOUT, undefined);
    const hostedCluster = hosted({ configuration: { oauth: { a: 1 } } });
    const next = desiredToken(snapshot({ hostedCluster }), ROLLOUT, first);
    expect(secretText(next, 'hc-configuration-hash')).not.toBe(secretText(first, 'hc-configuration-hash'));
    expect(tokenOf(next)).toBe('drawn');
  });

  it('gets a time to live once', () => {
    const expired = expiring(ownSecret('token-workers-old'), NOW_MS);
    expect(expired.metadata.annotations?.[EXPIRES]).toBe('2026-01-01T14:00:00Z');
    expect(expiring(expired, NOW_MS + 1000)).toBe(expired);
  });
});

describe('user data', () => {
  it('has the address of the configuration, its CA bundle and the token', () => {
    const proxy = { httpProxy: 'http://p', noProxy: 'a,b' };
    const hostedCluster = hosted({ configuration: { proxy } }, { ignitionEndpoint: 'ign.example.com' });
    expect(JSON.parse(ignitionOf(snapshot({ hostedCluster }), 'abcd1234', 'let-me-in'))).toEqual({
      ignition: {
        version: '3.2.0',
        config: {
          merge: [
            {
              source: 'https://ign.example.com/ignition',
              httpHeaders: [
                { name: 'Authorization', value: 'Bearer bGV0LW1lLWlu' },
                { name: 'NodePool', value: KEY },
                { name: 'TargetConfigVersionHash', value: 'abcd1234' },
              ],
            },
          ],
        },
        proxy: { httpProxy: 'http://p', noProxy: ['a', 'b'] },
        security: { tls: { certificateAuthorities: [{ source: 'data:text/plain;base64,Q0VSVElGSUNBVEU=' }] } },
      },
    });
  });

  it('is in a Secret that follows the token', () => {
    const first = desiredUserData(snapshot(), { hash: 'h', token: 'a' }, undefined);
    expect([first.metadata.name, secretText(first, 'disableTemplating')]).toEqual(['user-data-workers-h', 'dHJ1ZQ==']);
    expect(desiredUserData(snapshot(), { hash: 'h', token: 'a' }, first)).toEqual(first);
    expect(desiredUserData(snapshot(), { hash: 'h', token: 'b' }, first)).not.toEqual(first);
  });
});

describe('what is left of earlier configurations', () => {
  const using = (name: string) => ({ bootstrap: { dataSecretName: name } });
  const set = (name: string, replicas: number) =>
    owned<MachineSet>('MachineSet', `s-${name}`, { spec: { replicas, template: { spec: using(name) } } });
  const machine = (name: string, nodeRef?: object) =>
    owned<Machine>('Machine', `m-${name}`, { spec: using(name), status: nodeRef === undefined ? {} : { nodeRef } });
  const old = 'user-data-workers-old';
  const keeping = testPlatform({ nodePools: { ...testPlatform().nodePools, keepsUserData: true } });
  const node = { name: 'n' };

  it.each<[string, Parameters<typeof snapshot>[0], boolean]>([
    ['used by nobody', {}, true],
    ['of a set that grows', { existing: { machineSets: [set(old, 1)] } }, false],
    ['of a set of none', { existing: { machineSets: [set(old, 0)] } }, true],
    ['of a set of none, where it is kept', { existing: { machineSets: [set(old, 0)] }, platform: keeping }, false],
    ['of an instance that starts', { existing: { machines: [machine(old)] } }, false],
    ['of a node', { existing: { machines: [machine(old, node)] } }, true],
    ['of a node, where it is kept', { existing: { machines: [machine(old, node)] }, platform: keeping }, false],
    ['used by nobody, where it is kept', { platform: keeping }, true],
    [
      'of nodes that are upgraded in place, where it is kept',
      { platform: keeping, nodePool: pool({ management: { upgradeType: 'InPlace' } }) },
      false,
    ],
  ])('user data %s', (_, overrides = {}, isGone) => {
    const secrets = [ownSecret(old), ownSecret('user-data-workers-new')];
    const { changes } = collectSecrets(
      snapshot({ ...overrides, existing: { ...overrides.existing, secrets } }),
      new Set(['user-data-workers-new']),
    );
    expect(changes.map((change) => change.verb)).toEqual(isGone ? ['delete'] : []);
  });

  it.each<[string, Secret, Parameters<typeof snapshot>[0], readonly Change['verb'][], number | undefined]>([
    ['gets a time to live', ownSecret('token-workers-old'), {}, ['patch'], undefined],
    [
      'not while instances may start with it',
      ownSecret('token-workers-old'),
      { existing: { machineSets: [set(old, 1)] } },
      [],
      undefined,
    ],
    [
      'lives on for its time',
      ownSecret('token-workers-old', {}, { [EXPIRES]: '2026-01-01T12:30:00Z' }),
      {},
      [],
      1_800_000,
    ],
    [
      'goes when it is over',
      ownSecret('token-workers-old', {}, { [EXPIRES]: '2026-01-01T12:00:00Z' }),
      {},
      ['delete'],
      undefined,
    ],
    [
      'is deleted when its expiration is not a time',
      ownSecret('token-workers-old', {}, { [EXPIRES]: 'soon' }),
      {},
      ['delete'],
      undefined,
    ],
  ])('a token %s', (...[, token, overrides = {}, acts, againInMs]) => {
    const collected = collectSecrets(
      snapshot({ ...overrides, existing: { ...overrides.existing, secrets: [token] } }),
      new Set(),
    );
    expect([collected.changes.map(({ verb }) => verb), collected.againInMs]).toEqual([acts, againInMs]);
  });
});
