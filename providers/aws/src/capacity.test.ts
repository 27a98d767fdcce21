import { expect, it } from 'vitest';
import { capacityOf } from './capacity.js';

it.each([
  ['m5.large', { cpus: 2, memoryMiB: 8192 }],
  ['m6g.medium', { cpus: 1, memoryMiB: 4096 }],
  ['c7i.xlarge', { cpus: 4, memoryMiB: 8192 }],
  ['r6i.4xlarge', { cpus: 16, memoryMiB: 131_072 }],
  ['m5.metal', undefined],
  ['p4d.24xlarge', undefined],
  ['t3.large', undefined],
  ['large', undefined],
  ['', undefined],
])('A machine of type %s offers %j', (type, offered) => {
  expect(capacityOf(type)).toEqual(offered);
});
