/** How much of the real suites is told: everything, or what is enough of it for the newest server or for an older one. */
export type SuiteScope = 'full' | 'brief' | 'smoke';

/** Where a suite finds out how much to tell. */
export const SUITE_SCOPE_VARIABLE = 'CAPSTAN_SUITE_SCOPE';

/** What a line begins with that says how many tests a suite leaves to the whole run, and which. */
const LEFT = 'left to the full run: ';

/** How much the suite that asks is to tell. */
export function suiteScope(env: Readonly<Record<string, string | undefined>> = process.env): SuiteScope {
  const given = env[SUITE_SCOPE_VARIABLE];
  return given === 'brief' || given === 'smoke' ? given : 'full';
}

/** Says that a suite leaves tests to the whole run, so that those who count know of them. */
export function leaveToFullRun(count: number, what: string): void {
  if (count > 0) console.log(`${LEFT}${count} ${what}`);
}

/** Tests that a brief run does not tell. */
export interface LeftTests {
  readonly count: number;
  readonly what: string;
}

/** What a line says of tests that are left to the full run, if it does. */
export function readLeft(line: string): LeftTests | undefined {
  const [, count, what] = line.startsWith(LEFT) ? (/^(\d+) (.+)$/.exec(line.slice(LEFT.length)) ?? []) : [];
  return count === undefined || what === undefined ? undefined : { count: Number(count), what };
}
