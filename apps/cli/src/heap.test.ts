import { expect, it } from 'vitest';
import { staySmall } from './heap.js';

it('keeps the heap of a process small, and leaves one alone that is not its own', () => {
  const flags: string[] = [];
  staySmall({ setV8Flag: (flag) => void flags.push(flag) });
  expect(flags).toEqual(['--optimize-for-size', '--semi-space-growth-factor=1']);
  expect(() => staySmall({})).not.toThrow();
});
