import { describe, expect, it } from 'vitest';
import { readStep, stepText } from './progress.js';

describe('a step in the message of the condition', () => {
  it.each([
    { at: 4, of: 13, title: 'scale down', detail: 'waiting for pods to terminate: Deployment a: b' },
    { at: 13, of: 13, title: 'commit', detail: '' },
    { at: 4, of: 13, title: 'scale down', since: '2026-01-01T00:00:10Z', detail: 'waiting for: Pod a (since b)' },
  ])('is read as it was written: %j', (step) => {
    expect(readStep(stepText(step))).toEqual(step);
  });

  it('is not found in other messages', () => {
    expect(readStep('Cluster API objects are in the private groups')).toBeUndefined();
  });
});
