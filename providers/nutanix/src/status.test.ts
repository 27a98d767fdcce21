import { TwoWayMap } from '@capstan/convert';
import type { MachineContext } from '@capstan/convert/machine-api';
import { expect, it } from 'vitest';
import { conversion } from './conversion/index.js';
import { conversionExamples } from './testing/conversion-examples.js';

const map = new TwoWayMap<MachineContext>({ rules: conversion.status?.rules ?? [] });
const { context } = conversionExamples;
const lastTransitionTime = '2026-01-02T03:04:05Z';
const creation = (status: string, reason: string, message: string) => ({
  type: 'MachineCreation',
  status,
  reason,
  message,
  lastTransitionTime,
});

it('a VM that was made is ready', () => {
  const left = { vmUUID: 'u', conditions: [creation('True', 'MachineCreationSucceeded', 'made')] };
  expect(map.forward(left, context).value).toEqual({
    vmUUID: 'u',
    ready: true,
    conditions: ['Ready', 'VMProvisioned'].map((type) => ({ type, status: 'True', lastTransitionTime })),
  });
});

it('one that was not is not, and has the reason', () => {
  const left = { conditions: [creation('False', 'MachineCreationFailed', 'no image')] };
  expect(map.forward(left, context).value).toEqual({
    ready: false,
    conditions: ['Ready', 'VMProvisioned'].map((type) => ({
      type,
      status: 'Unknown',
      severity: 'Error',
      message: 'no image',
      lastTransitionTime,
    })),
  });
});

it('a machine that is ready was made, seen from Cluster API', () => {
  const right = {
    vmUUID: 'u',
    ready: true,
    failureDomain: 'fd-1',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }],
  };
  expect(map.backward(right, context)).toEqual({
    value: { vmUUID: 'u', conditions: [creation('True', 'MachineCreationSucceeded', '')] },
    errors: [],
    warnings: [],
  });
});

it('odd conditions are passed over', () => {
  expect(map.forward({ conditions: [null, 7] }, context).value).toEqual({ ready: false });
  expect(map.backward({ conditions: {} }, context).value).toEqual({});
});
