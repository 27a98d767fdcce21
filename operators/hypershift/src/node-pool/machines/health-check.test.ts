import type { MachineHealthCheck } from '@capstan/api/cluster-api';
import { HARBOUR_MACHINE_TEMPLATES, testPlatform } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { snapshot, HOME, hosted, KEY, owned, pool } from '../testing/snapshots.js';
import { healthChecks, healthRules } from './health-check.js';

const PREFIX = 'hypershift.openshift.io/machine-health-check';
const patient = testPlatform({ nodePools: { ...testPlatform().nodePools, unhealthyTimeoutSeconds: 960 } });

describe('when machines are replaced', () => {
  const of = (annotations: Record<string, string>) => ({
    nodePool: pool({}, annotations),
    hostedCluster: hosted(),
    platform: testPlatform(),
  });
  it.each([
    ['by default', of({}), [2, 480, 1200]],
    ['by the platform', { ...of({}), platform: patient }, [2, 960, 1200]],
    [
      'by annotations',
      of({
        [`${PREFIX}-max-unhealthy`]: '3',
        [`${PREFIX}-timeout`]: '1m30s',
        [`${PREFIX}-node-startup-timeout`]: '1h',
      }),
      [3, 90, 3600],
    ],
    ['by a share', of({ [`${PREFIX}-max-unhealthy`]: '40%' }), ['40%', 480, 1200]],
    [
      'by default where annotations make no sense',
      of({ [`${PREFIX}-max-unhealthy`]: 'few', [`${PREFIX}-timeout`]: 'soon' }),
      [2, 480, 1200],
    ],
    [
      'by annotations of the cluster',
      { ...of({}), hostedCluster: { ...hosted(), metadata: { annotations: { [`${PREFIX}-timeout`]: '5m' } } } },
      [2, 300, 1200],
    ],
  ])('%s', (_, given, expected) => {
    const { maxUnhealthy, startupSeconds, timeoutSeconds } = healthRules(given);
    expect([maxUnhealthy, timeoutSeconds, startupSeconds]).toEqual(expected);
  });
});

describe('health checks', () => {
  const plan = {
    pool: pool(),
    key: KEY,
    namespace: HOME,
    infraID: 'infra',
    label: 'l',
    version: '4.22.0',
    hash: 'h',
    userData: 'u',
    template: { kind: HARBOUR_MACHINE_TEMPLATES, name: 't' },
    isInterruptible: false,
    scalesFromZero: true,
  };
  const written = (
    autoRepair: boolean,
    isInterruptible: boolean,
    isReached: boolean,
    names: readonly string[] = [],
  ) => {
    const nodePool = pool({ management: { upgradeType: 'Replace', autoRepair } });
    const existing = { healthChecks: names.map((name) => owned<MachineHealthCheck>('MachineHealthCheck', name)) };
    return healthChecks(snapshot({ nodePool, existing }), { ...plan, isInterruptible }, isReached).map((change) =>
      change.verb === 'create' || change.verb === 'delete'
        ? `${change.verb} ${change.object.metadata.name}`
        : change.verb,
    );
  };
  it.each<[string, Parameters<typeof written>, readonly string[]]>([
    ['none unless wanted', [false, false, true], []],
    ['none before the first machine has its configuration', [true, false, false], []],
    ['one', [true, false, true], ['create workers']],
    ['one that stays', [true, false, false, ['workers']], ['patch']],
    ['none any more', [false, false, true, ['workers']], ['delete workers']],
    ['one for machines that may be taken back', [false, true, false], ['create workers-spot']],
    ['none for them any more', [false, false, false, ['workers-spot']], ['delete workers-spot']],
  ])('%s', (_, given, expected) => {
    expect(written(...given)).toEqual(expected);
  });

  it('of machines that may be taken back are of this pool alone, and know no most', () => {
    const [change] = healthChecks(snapshot(), { ...plan, isInterruptible: true }, false);
    const check = change?.verb === 'create' ? (change.object as MachineHealthCheck) : undefined;
    expect(check?.spec.selector).toEqual({
      matchLabels: { l: 'l', 'hypershift.openshift.io/interruptible-instance': '' },
    });
    expect(check?.spec.remediation).toEqual({ triggerIf: { unhealthyLessThanOrEqualTo: '100%' } });
  });
});
