import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { same } from '../engine/field-rules.js';
import type { MachinePlatform } from './platform.js';
import {
  StatusConverter,
  checkStatus,
  checkStatusToClusterApi,
  setStatusToClusterApi,
  setStatusToMachineApi,
} from './status.js';
import { boat, context, harbour } from './testing/harbour.js';

const now = '2026-01-02T03:04:05Z';
const platform: MachinePlatform = {
  ...harbour,
  status: {
    providerStatus: { kind: 'HarbourMachineProviderStatus', apiVersions: ['machine.openshift.io/v1beta1'], fields: [] },
    rules: [same('tide')],
  },
};
const converter = new StatusConverter(platform);
const machineWith = (status: JsonObject): JsonObject => ({ ...boat(), status });
const holds = (conditions: unknown): string[] =>
  (conditions as readonly JsonObject[]).filter(({ status }) => status === 'True').map(({ type }) => String(type));

describe('the status of a machine', () => {
  it.each<[string, readonly [provisioned: boolean, bootstrapped: boolean], string[]]>([
    ['Provisioning', [false, false], []],
    ['Provisioned', [true, false], ['InfrastructureReady']],
    ['Running', [true, true], ['Available', 'Ready', 'BootstrapConfigReady', 'InfrastructureReady', 'NodeReady']],
    ['Deleting', [true, true], ['BootstrapConfigReady', 'InfrastructureReady', 'Deleting']],
    ['Failed', [false, false], []],
  ])(
    'has the conditions of Cluster API for a machine that is %s',
    (phase, [infrastructureProvisioned, bootstrap], expected) => {
      const { errors, status } = converter.toClusterApi(machineWith({ phase, nodeRef: { name: 'n' } }), context, now);
      expect(errors).toEqual([]);
      expect(status.machine['phase']).toBe(phase);
      expect(status.machine['initialization']).toEqual({
        infrastructureProvisioned,
        bootstrapDataSecretCreated: bootstrap,
      });
      expect(holds(status.machine['conditions'])).toEqual(expected);
    },
  );

  it('has what both APIs have, there and back', () => {
    const status: JsonObject = {
      phase: 'Failed',
      nodeRef: { apiVersion: 'v1', kind: 'Node', name: 'n' },
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      lastUpdated: now,
      errorReason: 'CreateError',
      errorMessage: 'no berth',
      providerStatus: {
        apiVersion: 'machine.openshift.io/v1beta1',
        kind: 'HarbourMachineProviderStatus',
        tide: 'high',
      },
    };
    const there = converter.toClusterApi(machineWith(status), context, now).status;
    expect(there.infrastructure).toEqual({ tide: 'high', addresses: status['addresses'] });
    const back = converter.toMachineApi(
      { machine: { status: there.machine }, infrastructure: { status: there.infrastructure } },
      context,
      now,
    );
    const { conditions: _, ...converted } = back.status;
    expect({ ...back, status: converted }).toEqual({ errors: [], warnings: [], status });
  });

  it.each([
    ['Pending', undefined],
    ['Unknown', undefined],
    ['Deleted', 'Deleting'],
    ['Updating', 'Running'],
    ['Sailing', undefined],
  ])('%s of Cluster API is %s in Machine API', (phase, expected) => {
    const machine = { status: { phase } };
    expect(converter.toMachineApi({ machine, infrastructure: {} }, context, now).status['phase']).toBe(expected);
  });

  it('refuses an address of a type nobody knows', () => {
    const { errors } = converter.toClusterApi(
      machineWith({ addresses: [{ type: 'Radio', address: 'x' }] }),
      context,
      now,
    );
    expect(errors.map(({ message, path }) => `${path}: ${message}`)).toEqual([
      'status.addresses[0].type: must be one of Hostname, ExternalIP, InternalIP, ExternalDNS, InternalDNS',
    ]);
  });

  it.each<[string, JsonObject, JsonObject, string[]]>([
    [
      'an address that is empty',
      {
        addresses: [
          { type: 'Hostname', address: '' },
          { type: 'Hostname', address: 'a' },
        ],
      },
      { addresses: [{ type: 'Hostname', address: 'a' }] },
      ['status.addresses[0].address'],
    ],
    ['a phase nobody knows', { phase: 'Sailing' }, { phase: undefined }, ['status.phase']],
    [
      'nulls and empty texts',
      { phase: null, addresses: null, nodeRef: null, lastUpdated: null, errorMessage: '', errorReason: null },
      { phase: undefined, addresses: undefined, nodeRef: undefined, lastUpdated: undefined },
      [],
    ],
    [
      'a message that is too long',
      { errorMessage: 'x'.repeat(10_241) },
      { deprecated: { v1beta1: { failureMessage: 'x'.repeat(10_240) } } },
      ['status.errorMessage'],
    ],
  ])('leaves out what a server would refuse, with a warning: %s', (_, status, expected, paths) => {
    const made = converter.toClusterApi(machineWith(status), context, now);
    expect([made.errors, made.warnings.map(({ path }) => path)]).toEqual([[], paths]);
    expect({ ...made.status.machine }).toMatchObject(
      Object.fromEntries(Object.entries(expected).filter(([, value]) => value !== undefined)),
    );
    for (const [name, value] of Object.entries(expected))
      if (value === undefined) expect(made.status.machine).not.toHaveProperty(name);
  });

  it('of a machine without a status is empty', () => {
    const { status } = converter.toClusterApi(boat(), context, now);
    expect([status.machine['phase'], status.machine['initialization']]).toEqual([undefined, undefined]);
  });
});

describe('the status of a set', () => {
  const status = { replicas: 3, fullyLabeledReplicas: 3, readyReplicas: 2, availableReplicas: 1, labelSelector: 'a=b' };

  it('has its counts, there and back', () => {
    const there = setStatusToClusterApi({ spec: { replicas: 3 }, status }, undefined, now);
    expect(there).toMatchObject({ replicas: 3, readyReplicas: 2, availableReplicas: 1, selector: 'a=b' });
    expect(setStatusToMachineApi({ status: there })).toEqual(status);
  });

  it.each([
    [3, ['MachinesUpToDate']],
    [5, ['ScalingUp']],
    [1, ['ScalingDown']],
  ])('has the ScalingUp and ScalingDown conditions when %d are wanted', (replicas, expected) => {
    expect(holds(setStatusToClusterApi({ spec: { replicas }, status }, undefined, now)['conditions'])).toEqual(
      expected,
    );
  });
});

it.each<[JsonObject, JsonObject]>([
  [{ errorMessage: 'x'.repeat(10_241) }, { failureMessage: 'x'.repeat(10_240) }],
  [{ errorMessage: '', errorReason: '' }, {}],
  [{ errorMessage: null, errorReason: 7 }, {}],
])('The status of a set has no message that a server would refuse', (status, expected) => {
  const there = setStatusToClusterApi({ status: { ...status, labelSelector: 'a'.repeat(4097) } }, undefined, now);
  const { conditions: _, ...old } = (there['deprecated'] as { v1beta1: JsonObject }).v1beta1;
  expect(old).toEqual({ ...expected, fullyLabeledReplicas: 0, readyReplicas: 0, availableReplicas: 0 });
  expect(there).not.toHaveProperty('selector');
});

it('the counts of a health check are the same', () => {
  const counts = { expectedMachines: 3, currentHealthy: 2, remediationsAllowed: 1 };
  expect(checkStatus({ status: { ...counts, conditions: [] } }, now)).toEqual(counts);
});

it.each([
  ['True', {}, { reason: 'RemediationAllowed', message: '' }],
  [
    'False',
    { severity: 'Warning', reason: 'TooManyUnhealthy', message: 'why' },
    { reason: 'TooManyUnhealthy', message: 'why' },
  ],
])('the condition of a health check that is %s is one that Cluster API accepts', (status, text, expected) => {
  const condition = { type: 'RemediationAllowed', status, lastTransitionTime: now };
  const check = { status: { conditions: [{ ...condition, ...text }] } };
  expect(checkStatusToClusterApi(check, now)).toEqual({ conditions: [{ ...condition, ...expected }] });
});
