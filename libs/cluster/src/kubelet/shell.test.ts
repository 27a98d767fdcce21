import { settled } from '@capstan/kube/testing';
import { describe, expect, it } from 'vitest';
import { collectedCall, loneContainer } from '../testing/container-context.js';
import { shellExec, sleeper } from './shell.js';

const env = { HOSTNAME: 'web-0', GREETING: 'hello' };

describe('the shell of a container without one', () => {
  it.each<[string[], number, string, string]>([
    [['echo', 'a', 'b'], 0, 'a b\n', ''],
    [['echo', '-n', 'a'], 0, 'a', ''],
    [['hostname'], 0, 'web-0\n', ''],
    [['date'], 0, 'Thu, 01 Jan 2026 00:00:00 UTC\n', ''],
    [['env'], 0, 'HOSTNAME=web-0\nGREETING=hello\n', ''],
    [['printenv', 'MISSING'], 1, '', ''],
    [['cat', '/etc/a'], 0, 'content', ''],
    [['cat', '/etc/b'], 1, '', "cat: can't open '/etc/b': No such file or directory\n"],
    [['ls', '-l', '/etc'], 0, 'a\n', ''],
    [['ls', '/none'], 1, '', 'ls: /none: No such file or directory\n'],
    [['sh', '-c', 'echo "$GREETING ${HOSTNAME}" \'$GREETING\''], 0, 'hello web-0 $GREETING\n', ''],
    [['/bin/sh', '-c', 'false && echo no; echo yes'], 0, 'yes\n', ''],
    [['sh', '-c', 'exit 4; echo no'], 4, '', ''],
    [['sh', '-c', 'echo "a; b && c"'], 0, 'a; b && c\n', ''],
    [['sh', '-c', 'sleep 5 &'], 127, '', 'sh: sleep 5 &: not found\n'],
    [['sh', '-c', 'echo a | wc'], 127, '', 'sh: echo a | wc: not found\n'],
    [['curl', 'x'], 127, '', 'sh: curl: not found\n'],
    [['kill', '7'], 1, '', "kill: can't kill pid 7: No such process\n"],
    [['kill', '-HUP', '1'], 1, '', "kill: bad signal name 'HUP'\n"],
  ])('answers %j with %i', async (command, code, out, err) => {
    const { context } = loneContainer({ env });
    context.mounts.write('/etc/a', 'content');
    const { call, output } = collectedCall(command);
    expect(await shellExec(context, call)).toBe(code);
    await settled();
    expect(output()).toEqual({ out, err });
  });
});

describe('the program of a container', () => {
  it.each([
    [['kill', '1'], 0],
    [['kill', '-TERM', '1'], 0],
    [['kill', '-9', '1'], 137],
    [['sh', '-c', 'kill -SIGKILL 1'], 137],
  ])('is ended by %j with %i', async (command, code) => {
    const program = sleeper(loneContainer().context);
    const { call } = collectedCall(command);
    expect(await program.exec?.(call)).toBe(0);
    expect(await program.exited).toBe(code);
  });
});

describe('an image nobody registered', () => {
  it('sleeps until it is stopped', async () => {
    const { context, clock } = loneContainer();
    const program = sleeper(context);
    let code: unknown;
    void program.exited.then((exit) => (code = exit));
    await clock.advance(1e9);
    expect(code).toBeUndefined();
    program.stop();
    expect(await program.exited).toBe(0);
  });

  it.each<[string, string[], string[], number | undefined]>([
    ['any', ['sh', '-c', 'exit 3'], [], 3],
    ['busybox:1', [], ['false'], 1],
    // An entry point nobody knows is not given commands.
    ['any', [], ['false'], undefined],
    ['any', ['sh', '-c', 'while true; do sleep 1; done'], [], undefined],
    ['any', ['/manager'], ['--v=2'], undefined],
  ])('of %s with command %j and args %j ends with %s', async (image, command, args, expected) => {
    const { context, clock } = loneContainer({ image, command, args });
    let code: unknown;
    void sleeper(context).exited.then((exit) => (code = exit));
    await clock.advance(1e9);
    expect(code).toBe(expected);
  });

  it('with a sleep command ends when that is over', async () => {
    const { context, clock } = loneContainer({ command: ['sleep'], args: ['2m'] });
    let code: unknown;
    void sleeper(context).exited.then((exit) => (code = exit));
    await clock.advance(119_999);
    expect(code).toBeUndefined();
    await clock.advance(1);
    expect(code).toBe(0);
  });

  it('ends with 143 when it is stopped in a command', async () => {
    const { context } = loneContainer({ command: ['sleep', '1h'] });
    const program = sleeper(context);
    program.stop();
    expect(await program.exited).toBe(143);
  });
});
