import { expect, it } from 'vitest';
import { Tenure } from './tenure.js';

it('calls everybody who listens once, also when one of them leaves meanwhile', () => {
  const tenure = new Tenure();
  const heard: string[] = [];
  tenure.onEnd(() => heard.push('a'));
  const leave = tenure.onEnd(() => heard.push('b'));
  tenure.onEnd(() => {
    heard.push('c');
    leave();
  });
  tenure.onEnd(() => heard.push('gone'))();
  tenure.end();
  tenure.end();
  expect(heard).toEqual(['a', 'b', 'c']);
});

it('calls at once whoever comes too late', () => {
  const tenure = new Tenure();
  tenure.end();
  let heard = 0;
  tenure.onEnd(() => heard++);
  expect(heard).toBe(1);
});
