import { SidecarError } from './errors.js';
import type { Container } from './pod.js';

/** Arguments with a flag set, and what they were where it was set already. */
export interface FlagChange {
  readonly args: readonly string[];
  readonly earlier: readonly (readonly string[])[];
}

const SHELL = /(?:^|\/)(?:ba|da|k|z)?sh$/;

/** Sets a flag wherever it is set, or at the end; the container must be one whose arguments are flags of its program. */
export function setFlag(args: readonly string[], flag: string, value: string): FlagChange {
  const set = `${flag}=${value}`;
  const earlier: (readonly string[])[] = [];
  const changed: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const words = wordsAt(args, at, flag);
    if (words.length > 0) earlier.push(words);
    changed.push(words.length > 0 ? set : (args[at] ?? ''));
    at += Math.max(0, words.length - 1);
  }
  return { args: earlier.length > 0 ? changed : [...changed, set], earlier };
}

/** Gives back what a flag was, wherever it still is as {@link setFlag} has set it. */
export function unsetFlag(
  args: readonly string[],
  { earlier, flag, value }: { readonly flag: string; readonly value: string; readonly earlier: FlagChange['earlier'] },
): readonly string[] {
  const set = `${flag}=${value}`;
  let seen = 0;
  return args.flatMap((arg) => (arg === set ? (earlier[seen++] ?? []) : [arg]));
}

/** The arguments that set a flag here: `--flag=value`, or `--flag value`, with one dash or two. */
function wordsAt(args: readonly string[], at: number, flag: string): readonly string[] {
  const [arg = '', next] = args.slice(at, at + 2);
  const named = arg.replace(/^--?/, '--');
  if (named.startsWith(`${flag}=`)) return [arg];
  if (named !== flag) return [];
  return next === undefined ? [arg] : [arg, next];
}

/** Refuses containers whose flags are out of reach: in a script, or in the image. */
export function refuseUnreachableFlags({ args, command, name }: Container, flag: string): void {
  const [program = ''] = command ?? [];
  if (SHELL.test(program))
    throw new SidecarError('bad-options', `container ${name} runs a script: set ${flag} in it yourself`);
  const inCommand = (command ?? []).some((arg) => wordsAt([arg], 0, flag).length > 0);
  if (inCommand) throw new SidecarError('bad-options', `container ${name} has ${flag} in its command: move it to args`);
  if (args === undefined || args === null) {
    if (command === undefined || command === null || command.length === 0)
      throw new SidecarError(
        'bad-options',
        `container ${name} has the arguments of its image: name them, to add ${flag}`,
      );
  }
}
