import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { podLimitFaults, sixDecimals } from './limit-ranger.js';

const range = (...limits: readonly object[]): KubeObject =>
  ({ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits } }) as KubeObject;

const pod = (spec: object): KubeObject =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec }) as KubeObject;

describe('limit ranges', () => {
  it.each([
    [1.0078125, '1.007812'],
    [1.0234375, '1.023438'],
    [3579139413.3333335, '3579139413.333333'],
    [9223372036854775000, '9223372036854774784.000000'],
    [1.9999999, '2.000000'],
    [2, '2.000000'],
  ])('the ratio %d is shown as %s', (ratio, text) => {
    expect(sixDecimals(ratio)).toBe(text);
  });

  it('what does not fit into 64 bits as thousandths is compared in units', () => {
    const limits = range({ type: 'Container', max: { 'example.com/x': '9Pi' } });
    const asking = (amount: string): KubeObject =>
      pod({ containers: [{ name: 'c', resources: { limits: { 'example.com/x': amount } } }] });
    expect(podLimitFaults(limits, asking('10133099161583616'))).toEqual([]);
    expect(podLimitFaults(limits, asking('10133099161583617'))).toEqual([
      'maximum example.com/x usage per Container is 9Pi, but limit is 10133099161583617',
    ]);
  });

  it('what a pod asks for itself goes before the sum of its containers', () => {
    const limits = range({ type: 'Pod', max: { cpu: '1', 'hugepages-2Mi': '2Mi' } });
    const own = { limits: { cpu: '500m', 'hugepages-2Mi': '2Mi' } };
    const many = { limits: { cpu: '2', 'hugepages-2Mi': '4Mi' } };
    expect(podLimitFaults(limits, pod({ resources: own, containers: [{ name: 'c', resources: many }] }))).toEqual([
      'maximum hugepages-2Mi usage per Pod is 2Mi, but limit is 4Mi',
    ]);
  });
});
