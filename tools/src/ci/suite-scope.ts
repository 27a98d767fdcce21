/** How much of the real suites runs: everything, enough for the newest server, or a smoke subset for an older one. */
export type SuiteScope = 'full' | 'brief' | 'smoke';

/** Environment variable with the scope of a suite. */
export const SUITE_SCOPE_VARIABLE = 'CAPSTAN_SUITE_SCOPE';

/** Prefix of a line with the number of tests that a suite leaves to the full run, and which. */
const LEFT = 'left to the full run: ';

/** The scope of the calling suite. */
export function suiteScope(env: Readonly<Record<string, string | undefined>> = process.env): SuiteScope {
  const given = env[SUITE_SCOPE_VARIABLE];
  return given === 'brief' || given === 'smoke' ? given : 'full';
}

/** Reports that a suite leaves tests to the full run, so that they are counted. */
export function leaveToFullRun(count: number, what: string): void {
  if (count > 0) console.log(`${LEFT}${count} ${what}`);
}

/** Tests that a brief run leaves out. */
export interface LeftTests {
  readonly count: number;
  readonly what: string;
}

/** The tests that a line of output leaves to the full run, if it is such a line. */
export function readLeft(line: string): LeftTests | undefined {
  const [, count, what] = line.startsWith(LEFT) ? (/^(\d+) (.+)$/.exec(line.slice(LEFT.length)) ?? []) : [];
  return count === undefined || what === undefined ? undefined : { count: Number(count), what };
}
