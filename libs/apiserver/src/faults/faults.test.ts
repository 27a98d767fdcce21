import { describe, expect, it } from 'vitest';
import { parseTarget } from '../request/request-info.js';
import { FaultInjector } from './faults.js';

const listPods = parseTarget('GET', '/api/v1/namespaces/n/pods');
const createPod = parseTarget('POST', '/api/v1/namespaces/n/pods');

describe('a fault', () => {
  it('strikes as often as configured and then no more', () => {
    const faults = new FaultInjector();
    faults.add({ match: { resource: 'pods' }, action: { type: 'status', code: 429, retryAfterSeconds: 1 }, times: 2 });
    expect([1, 2, 3].map(() => faults.strike(listPods)?.type)).toEqual(['status', 'status', undefined]);
    expect(faults.list()).toEqual([]);
  });

  it('leaves requests alone that it does not match', () => {
    const faults = new FaultInjector();
    faults.add({ match: { verb: 'create', namespace: 'n' }, action: { type: 'drop-after' } });
    expect(faults.strike(listPods)).toBeUndefined();
    expect(faults.strike(createPod)).toEqual({ type: 'drop-after' });
  });

  it('can be taken back', () => {
    const faults = new FaultInjector();
    const disarm = faults.add({ match: {}, action: { type: 'drop-before' } });
    disarm();
    expect(faults.strike(listPods)).toBeUndefined();
  });
});
