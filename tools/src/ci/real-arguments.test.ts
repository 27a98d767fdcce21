import { describe, expect, it } from 'vitest';

import { readArguments } from './real-arguments.js';

describe('The command line of a run on real servers', () => {
  it.each<[string, string[], string[], boolean]>([
    ['with --brief is brief, and vitest is not given that option', ['--brief'], [], true],
    [
      'keeps files and options of vitest in their order',
      ['-t', 'x', '--brief', 'test/up'],
      ['-t', 'x', 'test/up'],
      true,
    ],
    ['without --brief is a full run', ['test/up'], ['test/up'], false],
  ])('%s', (_title, given, args, isBrief) => {
    expect(readArguments(given)).toEqual({ args, isBrief });
  });
});
