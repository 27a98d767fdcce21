import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addClusterOptions, addNamespaceOption, addOutputOption, durationMs, wholeNumber } from './options.js';

describe('a duration', () => {
  it.each([
    ['0', 0],
    ['500ms', 500],
    ['75s', 75_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1_500],
  ])('%s is %i ms', (text, ms) => {
    expect(durationMs(text)).toBe(ms);
  });

  it.each(['', '5', 's', '-1s', '1s ', '1d', '1h30'])('%j is none', (text) => {
    expect(() => durationMs(text)).toThrow('It must be a duration such as 500ms, 75s or 1h30m.');
  });
});

describe('a whole number', () => {
  it.each(['', '-1', '1.5', '1e3', '0x10', '11', ' 1'])('from 0 to 10 is not %j', (text) => {
    expect(() => wholeNumber(0, 10)(text)).toThrow('It must be a whole number from 0 to 10.');
  });

  it('may be at either bound', () => {
    expect(['0', '10'].map(wholeNumber(0, 10))).toEqual([0, 10]);
  });
});

describe('the shared options', () => {
  it('are spelled as in kubectl', () => {
    const command = addOutputOption(addNamespaceOption(addClusterOptions(new Command())), [
      'json',
      'yaml',
      'name',
      'wide',
    ]);
    command.parse(['-n', 'a', '--kubeconfig', 'b', '--context', 'c', '-o', 'wide'], { from: 'user' });
    expect(command.opts()).toEqual({ namespace: 'a', kubeconfig: 'b', context: 'c', output: 'wide' });
  });
});
