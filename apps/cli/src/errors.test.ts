import { describe, expect, it } from 'vitest';
import { CliError, explain, UsageError } from './errors.js';
import type { Explanation } from './errors.js';

function system(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}

describe('an error is explained', () => {
  const unknown = 'set CAPSTAN_DEBUG=1 to see where this comes from';
  const inUse = 'listen EADDRINUSE: address already in use 127.0.0.1:80';

  it.each<[string, unknown, Explanation]>([
    ['of ours by itself', new CliError('no', 'do this'), { message: 'no', hint: 'do this', exitCode: 1 }],
    ['of usage with exit code 2', new UsageError('no', 'do this'), { message: 'no', hint: 'do this', exitCode: 2 }],
    [
      'of the system by its code',
      system('EADDRINUSE', inUse),
      { message: inUse, hint: 'choose another port with --port, or --port 0 for any free one', exitCode: 1 },
    ],
    ['unknown to us by its first line', new TypeError('one\ntwo'), { message: 'one', hint: unknown, exitCode: 1 }],
    ['without a message by its name', new RangeError(''), { message: 'RangeError', hint: unknown, exitCode: 1 }],
    ['that is none as text', 'plain', { message: 'plain', hint: unknown, exitCode: 1 }],
  ])('%s', (_name, error, explanation) => {
    expect(explain(error)).toEqual(explanation);
  });
});
