import type { OperatorMode } from '@capstan/hosting';
import { describe, expect, it } from 'vitest';
import { electionIn, settingsFrom } from './config.js';

const PROXY = { PROXY_IMAGE: 'proxy:1' };

describe('settings', () => {
  it.each<[Record<string, string>, object]>([
    [{}, { hostedClusters: 10, skewWidth: 1, mode: { kind: 'standard' } }],
    [{ HOSTEDCLUSTERS_SCOPE_ANNOTATION: 'a' }, { hostedClusters: 10, skewWidth: 1, mode: { kind: 'standard' } }],
    [
      { ENABLE_HOSTEDCLUSTERS_ANNOTATION_SCOPING: 'true' },
      { hostedClusters: 10, skewWidth: 1, mode: { kind: 'standard', scope: '' } },
    ],
    [
      { ENABLE_HOSTEDCLUSTERS_ANNOTATION_SCOPING: 'true', HOSTEDCLUSTERS_SCOPE_ANNOTATION: 'a' },
      { hostedClusters: 10, skewWidth: 1, mode: { kind: 'standard', scope: 'a' } },
    ],
  ])('of %j', (env, settings) => {
    expect(settingsFrom({ env, flags: {} })).toEqual(settings);
  });

  it('nodes may be as far behind as the flag allows', () => {
    expect(settingsFrom({ env: {}, flags: { 'node-pool-version-skew': 3 } }).skewWidth).toBe(3);
    expect(() => settingsFrom({ env: {}, flags: { 'node-pool-version-skew': -1 } })).toThrow(
      '--node-pool-version-skew must be a number of minor versions such as 1, not -1',
    );
  });

  it.each<[OperatorMode, string | undefined, string]>([
    [{ kind: 'standard' }, undefined, 'hypershift-operator-leader-elect'],
    [{ kind: 'legacy' }, undefined, 'hypershift-operator-leader-elect'],
    [{ kind: 'private' }, undefined, 'hypershift-private-operator-leader-elect'],
    [{ kind: 'shard', scope: 'a' }, undefined, 'hypershift-operator-leader-elect-a'],
    [{ kind: 'private' }, 'mine', 'operator-leader-election'],
  ])('leader election of %j, named %s, uses Lease %s', (mode, named, lease) => {
    const leaderElection = { namespace: 'n', name: 'operator-leader-election', identity: 'i' };
    expect(electionIn({ leaderElection } as never, { mode, named })?.name).toBe(lease);
    expect(electionIn({} as never, { mode, named })).toBeUndefined();
  });

  it.each<[object, Record<string, string>, object]>([
    [{ 'private-capi-types': true }, PROXY, { kind: 'private' }],
    [{ 'private-capi-types': true, 'direct-kubeconfig': 'f' }, PROXY, { kind: 'private' }],
    [{ legacy: true }, {}, { kind: 'legacy' }],
    [{ legacy: true }, scoped('legacy'), { kind: 'legacy' }],
    [{ scope: 'shard-1' }, {}, { kind: 'shard', scope: 'shard-1' }],
    [{}, scoped('legacy'), { kind: 'standard', scope: 'legacy' }],
    [{ legacy: false, 'private-capi-types': false }, {}, { kind: 'standard', scope: undefined }],
  ])('with %j and %j it runs as %j', (flags, env, mode) => {
    expect(settingsFrom({ env, flags }).mode).toEqual(mode);
  });

  it.each<[object, Record<string, string>, string]>([
    [{ legacy: true, 'private-capi-types': true }, {}, '--private-capi-types and --legacy exclude each other'],
    [{ legacy: true, scope: 'a' }, {}, '--legacy and --scope exclude each other'],
    [{ scope: 'legacy' }, {}, '--scope legacy is the operator on standard types: set --legacy'],
    [{ scope: 'Not one' }, {}, '--scope "Not one" must be lower case letters'],
    [{ scope: '' }, {}, '--scope "" must be lower case letters'],
    [{ 'direct-kubeconfig': 'f' }, {}, '--direct-kubeconfig is used with --private-capi-types only'],
    [{ legacy: true }, scoped('a'), '--legacy is for scope "legacy", but HOSTEDCLUSTERS_SCOPE_ANNOTATION is "a"'],
    [{ 'private-capi-types': true }, scoped('legacy'), '--private-capi-types is for scope "", but'],
    [{ 'private-capi-types': true }, {}, '--private-capi-types needs PROXY_IMAGE'],
    [{ 'private-capi-types': true }, { ...PROXY, PROXY_NATIVE: 'no' }, 'PROXY_NATIVE must be true or false, not "no"'],
    [{ scope: 'a' }, scoped('b'), '--scope is for scope "a", but'],
  ])('%j with %j is refused', (flags, env, message) => {
    expect(() => settingsFrom({ env, flags })).toThrow(message);
  });
});

it('the proxy is that of the environment', () => {
  const proxyIn = (env: Record<string, string>): unknown =>
    settingsFrom({ env, flags: { 'private-capi-types': true } }).proxy;
  expect(proxyIn(PROXY)).toEqual({ image: 'proxy:1', native: true });
  expect(proxyIn({ ...PROXY, PROXY_NATIVE: 'false' })).toEqual({ image: 'proxy:1', native: false });
  expect(settingsFrom({ env: PROXY, flags: {} }).proxy).toBeUndefined();
});

function scoped(scope: string): Record<string, string> {
  return { ENABLE_HOSTEDCLUSTERS_ANNOTATION_SCOPING: 'true', HOSTEDCLUSTERS_SCOPE_ANNOTATION: scope };
}
