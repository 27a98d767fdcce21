import { describe, expect, it } from 'vitest';
import { hashText } from '@capstan/meta';
import { snapshot, hosted, payload, pool, source } from '../testing/snapshots.js';
import type { Snapshot } from '../snapshot.js';
import { rolloutOf } from './rollout.js';
import type { Rollout } from './rollout.js';

function rollout(changes: Partial<Snapshot> = {}, version = '4.22.0'): Rollout {
  const existing = rolloutOf(snapshot(changes), payload(version));
  if ('problems' in existing) throw new Error(existing.problems.join());
  return existing;
}

const kubelet = source('k', { apiVersion: 'machineconfiguration.openshift.io/v1', kind: 'KubeletConfig' });
const bundle = (data: Record<string, string>) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data });
const trusting = (name: string) => hosted({ additionalTrustBundle: { name } });
const TRUSTED = bundle({ 'ca-bundle.crt': 'A' });
const configured = (configuration: object) => hosted({ configuration });

describe('what machines are replaced for', () => {
  it('is hashed one after the other', () => {
    const { hash, hashWithoutVersion, raw } = rollout({
      hostedCluster: trusting('ca'),
      trustBundle: TRUSTED,
      configs: [kubelet],
    });
    expect(hash).toBe(hashText(`${raw}4.22.0pull-secretca{}`));
    expect(hashWithoutVersion).toBe(hashText(`${raw}pull-secretca`));
  });

  it.each<[string, Partial<Snapshot>, string, readonly boolean[]]>([
    ['a version', {}, '4.22.1', [true, false]],
    ['configuration', { configs: [kubelet] }, '4.22.0', [true, true]],
    ['a pull secret', { hostedCluster: hosted({ pullSecret: { name: 'other' } }) }, '4.22.0', [true, true]],
    ['a trust bundle', { hostedCluster: trusting('ca'), trustBundle: TRUSTED }, '4.22.0', [true, true]],
    [
      'the proxy of the cluster',
      { hostedCluster: configured({ proxy: { httpProxy: 'http://p' } }) },
      '4.22.0',
      [true, false],
    ],
    ['image settings of the cluster', { hostedCluster: configured({ image: { a: 1 } }) }, '4.22.0', [true, false]],
    ['another operating system', { nodePool: pool({ osImageStream: { name: 'rhel-10' } }) }, '4.22.0', [true, true]],
    ['the usual operating system', { nodePool: pool({ osImageStream: { name: 'rhel-9' } }) }, '4.22.0', [false, false]],
    ['how users log in', { hostedCluster: configured({ oauth: { a: 1 } }) }, '4.22.0', [false, false]],
    [
      'the TLS profile of an old release',
      { hostedCluster: configured({ apiServer: { tlsSecurityProfile: {} } }) },
      '4.22.0',
      [false, false],
    ],
  ])('%s', (_, changes, version, changed) => {
    const [before, after] = [rollout(), rollout(changes, version)];
    expect([before.hash !== after.hash, before.hashWithoutVersion !== after.hashWithoutVersion]).toEqual(changed);
  });

  it('a TLS profile, from 4.23 on', () => {
    const tls = configured({ apiServer: { tlsSecurityProfile: { type: 'Old' } } });
    for (const version of ['4.23.0', '5.0.0'])
      expect(rollout({ hostedCluster: tls }, version).hash).not.toBe(rollout({}, version).hash);
  });
});

it.each([
  [undefined, 'ConfigMap "ca", which the HostedCluster names as its trust bundle, does not exist'],
  [bundle({}), 'ConfigMap "ca", which the HostedCluster names as its trust bundle, has no key ca-bundle.crt'],
])('a trust bundle that is not there is a problem', (trustBundle, problem) => {
  expect(rolloutOf(snapshot({ hostedCluster: trusting('ca'), trustBundle }), payload('4.22.0'))).toEqual({
    problems: [problem],
  });
});
