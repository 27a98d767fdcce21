import { expect, it } from 'vitest';
import { capacityOf } from './capacity.js';

it.each([
  ['Standard_D4s_v5', { cpus: 4, memoryMiB: 16_384 }],
  ['Standard_D2ps_v5', { cpus: 2, memoryMiB: 8192 }],
  ['Standard_E8-2s_v5', { cpus: 2, memoryMiB: 65_536 }],
  ['Standard_F16s_v2', { cpus: 16, memoryMiB: 32_768 }],
  ['Standard_D2_v2', undefined],
  ['Standard_NC6', undefined],
  ['Standard_B2ms', undefined],
  ['', undefined],
])('A machine of size %s offers %j', (size, offered) => {
  expect(capacityOf(size)).toEqual(offered);
});
