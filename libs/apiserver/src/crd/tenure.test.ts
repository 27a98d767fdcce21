import { expect, it } from 'vitest';
import { Tenure } from './tenure.js';

it('calls everybody who listens once, also when one of them leaves meanwhile', () => {
  const tenure = new Tenure();
  const calls: string[] = [];
  tenure.onEnd(() => calls.push('a'));
  const leave = tenure.onEnd(() => calls.push('b'));
  tenure.onEnd(() => {
    calls.push('c');
    leave();
  });
  tenure.onEnd(() => calls.push('gone'))();
  tenure.end();
  tenure.end();
  expect(calls).toEqual(['a', 'b', 'c']);
});

it('calls a late listener at once', () => {
  const tenure = new Tenure();
  tenure.end();
  let calls = 0;
  tenure.onEnd(() => calls++);
  expect(calls).toBe(1);
});
