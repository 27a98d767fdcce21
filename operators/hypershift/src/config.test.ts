import type { HostedCluster } from '@capstan/api/hypershift';
import { isInScope } from '@capstan/hosting';
import { describe, expect, it } from 'vitest';
import { electionIn, settingsFrom } from './config.js';

describe('settings', () => {
  it.each<[Record<string, string>, object]>([
    [{}, { hostedClusters: 10, skewWidth: 1 }],
    [{ HOSTEDCLUSTERS_SCOPE_ANNOTATION: 'a' }, { hostedClusters: 10, skewWidth: 1 }],
    [{ ENABLE_HOSTEDCLUSTERS_ANNOTATION_SCOPING: 'true' }, { hostedClusters: 10, skewWidth: 1, scope: '' }],
    [
      { ENABLE_HOSTEDCLUSTERS_ANNOTATION_SCOPING: 'true', HOSTEDCLUSTERS_SCOPE_ANNOTATION: 'a' },
      { hostedClusters: 10, skewWidth: 1, scope: 'a' },
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

  it('leader election uses the Lease of HyperShift unless another is named', () => {
    const leaderElection = { namespace: 'n', name: 'operator-leader-election', identity: 'i' };
    const options = { leaderElection } as never;
    expect(electionIn(options, undefined)?.name).toBe('hypershift-operator-leader-elect');
    expect(electionIn(options, 'mine')?.name).toBe('operator-leader-election');
    expect(electionIn({} as never, undefined)).toBeUndefined();
  });

  it.each<[string | undefined, string | undefined, boolean]>([
    [undefined, undefined, true],
    ['a', undefined, true],
    [undefined, '', true],
    ['a', '', false],
    ['a', 'a', true],
    [undefined, 'a', false],
  ])('a cluster of scope %s for an operator of scope %s: %s', (own, scope, is) => {
    const annotations = own === undefined ? {} : { 'hypershift.openshift.io/scope': own };
    expect(isInScope({ metadata: { annotations } } as HostedCluster, scope)).toBe(is);
  });
});
