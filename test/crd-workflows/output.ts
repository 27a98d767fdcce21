import type { Io } from '@capstan/cli';

/** What a command prints, and what it ends with. */
export async function outputOf(
  run: (argv: readonly string[], io: Io) => Promise<number>,
  argv: readonly string[],
): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  let [out, err] = ['', ''];
  const io: Io = {
    out: (text) => void (out += text),
    err: (text) => void (err += text),
    input: () => Promise.resolve(''),
    env: {},
    isTty: false,
    columns: 120,
    onStop: () => () => {},
    onExit: () => () => {},
    exit: () => {},
  };
  const code = await run(argv, io);
  return { code, out, err };
}
