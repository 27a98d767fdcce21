import { TwoWayMap } from '@capstan/convert';
import type { MachineContext } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { conversion } from './conversion/index.js';
import { conversionExamples } from './testing/conversion-examples.js';

const map = new TwoWayMap<MachineContext>({ rules: conversion.status?.rules ?? [] });
const { context } = conversionExamples;
const lastTransitionTime = '2026-01-02T03:04:05Z';
const made = {
  type: 'MachineCreation',
  status: 'True',
  reason: 'MachineCreationSucceeded',
  message: 'made',
  lastTransitionTime,
};

it.each<[string, JsonObject, JsonObject]>([
  [
    'a VM that runs is ready',
    { instanceId: 'u', instanceState: 'poweredOn', taskRef: 'task-1', conditions: [made] },
    {
      ready: true,
      conditions: [
        { type: 'Ready', status: 'True', lastTransitionTime },
        { type: 'VMProvisioned', status: 'True', lastTransitionTime },
      ],
    },
  ],
  [
    'a VM that is off is not',
    { instanceState: 'poweredOff', conditions: [made] },
    {
      ready: false,
      conditions: [
        { type: 'Ready', status: 'Unknown', severity: 'Error', message: 'made', lastTransitionTime },
        { type: 'VMProvisioned', status: 'Unknown', severity: 'Error', message: 'made', lastTransitionTime },
      ],
    },
  ],
  ['an empty status stays empty', {}, { ready: false }],
  ['odd conditions are passed over', { conditions: 'odd', instanceState: 7 }, { ready: false }],
])('%s', (_name, left, right) => {
  expect(map.forward(left, context)).toEqual({ value: right, errors: [], warnings: [] });
});

it.each<[string, JsonObject, JsonObject]>([
  [
    'a machine that is ready runs',
    { ready: true, conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] },
    {
      instanceState: 'poweredOn',
      conditions: [
        {
          type: 'MachineCreation',
          status: 'True',
          reason: 'MachineCreationSucceeded',
          message: '',
          lastTransitionTime,
        },
      ],
    },
  ],
  [
    'one that is not has the reason',
    {
      ready: false,
      network: [{ connected: true }],
      conditions: [{ type: 'Ready', status: 'False', message: 'no datastore', lastTransitionTime }],
    },
    {
      conditions: [
        {
          type: 'MachineCreation',
          status: 'False',
          reason: 'MachineCreationFailed',
          message: 'no datastore',
          lastTransitionTime,
        },
      ],
    },
  ],
  ['odd conditions are passed over', { conditions: [7], ready: 'odd' }, {}],
])('%s, seen from Cluster API', (_name, right, left) => {
  expect(map.backward(right, context)).toEqual({ value: left, errors: [], warnings: [] });
});

it('the VM is the one that the provider ID names', () => {
  const root: JsonObject = { machine: { spec: { providerID: 'vsphere://u-1' } }, status: { ready: true } };
  const whole = new TwoWayMap<MachineContext>({
    rules: (conversion.status?.rules ?? []).map((rule) => ({
      claims: rule.claims,
      convert: (scope) => rule.convert({ ...scope, source: root['status'] as JsonObject }),
    })),
    unknown: 'warning',
  });
  expect(whole.backward(root, context).value).toEqual({ instanceId: 'u-1', instanceState: 'poweredOn' });
});
