import type { MachinePlatform } from '@capstan/convert/machine-api';
import { describe, expect, it } from 'vitest';
import { healthCheckDescriptor } from './descriptors/machine-health-check.js';
import { machineDescriptor } from './descriptors/machine.js';
import { changeOf } from './mode.js';
import type { Mode } from './mode.js';

const idle = (reason: string): Mode => ({ is: 'idle', reason });
const active = (type: string, descriptors = [machineDescriptor]): Mode => ({
  is: 'active',
  platform: { type } as MachinePlatform,
  descriptors,
});

describe('A running operator', () => {
  it.each<[string, Mode, Mode, string | undefined]>([
    ['goes on while it has nothing to do', idle('a'), idle('b'), undefined],
    ['goes on while nothing changes', active('AWS'), active('AWS'), undefined],
    ['starts again when there is something to do', idle('a'), active('AWS'), 'the cluster can be synchronized now'],
    [
      'starts again when the feature gate is turned off',
      active('AWS'),
      idle('feature gate X is off'),
      'nothing can be synchronized any more: feature gate X is off',
    ],
    [
      'starts again when another kind can be synchronized',
      active('AWS'),
      active('AWS', [machineDescriptor, healthCheckDescriptor]),
      'the kinds that can be synchronized are Machine, MachineHealthCheck now',
    ],
    ['starts again on another platform', active('AWS'), active('GCP'), 'the platform is GCP now'],
  ])('%s', (_, before, now, expected) => {
    expect(changeOf(before, now)).toBe(expected);
  });
});
