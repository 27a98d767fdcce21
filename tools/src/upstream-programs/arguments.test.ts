import { describe, expect, it } from 'vitest';

import { USAGE, UsageError, parseCommand } from './arguments.js';
import { versionMatches } from '../real-kube/versions.js';

describe('parseCommand', () => {
  it('builds every pinned version by default', () => {
    expect(parseCommand(['build'])).toEqual({ kind: 'build', versions: ['v1.36.3', 'v1.30.14'] });
    expect(parseCommand(['build', '--version', 'all'])).toEqual(parseCommand(['build']));
    expect(parseCommand(['build', '--version=1.30'])).toEqual({ kind: 'build', versions: ['v1.30.14'] });
    expect(parseCommand(['build', '--version', 'v1.36.3'])).toEqual({ kind: 'build', versions: ['v1.36.3'] });
  });

  it('runs the newest version by default', () => {
    expect(parseCommand(['run'])).toEqual({ kind: 'run' });
    expect(parseCommand(['run', '--version', '1.30'])).toEqual({ kind: 'run', version: '1.30' });
  });

  it('gives help for either spelling, whatever else is there', () => {
    expect(parseCommand(['-h'])).toEqual({ kind: 'help' });
    expect(parseCommand(['build', '--help'])).toEqual({ kind: 'help' });
    expect(USAGE).toContain('1.36, 1.30 or all');
  });

  it.each([
    [[], 'a command is missing'],
    [['fly'], 'no such command: fly'],
    [['build', '1.30'], 'too many arguments: 1.30'],
    [['build', '--version', '1.12'], 'cannot build 1.12'],
    [['build', '--fast'], '--fast'],
    [['status', '--version', '1.30'], 'status takes no --version'],
    [['run', '--version', 'newest'], 'not a version: newest'],
  ])('refuses %j', (argv, message) => {
    expect(() => parseCommand(argv)).toThrow(UsageError);
    expect(() => parseCommand(argv)).toThrow(message);
  });
});

describe('versionMatches', () => {
  it('compares whole numbers, not text', () => {
    expect(versionMatches('1.3', 'v1.30.14')).toBe(false);
    expect(versionMatches('v1.30', 'v1.30.14')).toBe(true);
    expect(versionMatches('1.30.1', 'v1.30.14')).toBe(false);
  });
});
