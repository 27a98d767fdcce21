/** Sets of what a condition may come to: true, false, an error. */
export const TRUE = 1;
export const FALSE = 2;
export const ERROR = 4;
export const EITHER = TRUE | FALSE;
export const ANYTHING = TRUE | FALSE | ERROR;

/** A condition of two, where each outcome of the one meets each of the other. */
export function combine(a: number, b: number, absorbing: number, neutral: number): number {
  let outcomes = 0;
  for (const x of [TRUE, FALSE, ERROR]) {
    for (const y of [TRUE, FALSE, ERROR]) {
      if ((a & x) === 0 || (b & y) === 0) continue;
      outcomes |= x === absorbing || y === absorbing ? absorbing : x === ERROR || y === ERROR ? ERROR : neutral;
    }
  }
  return outcomes;
}

/** What its negation may come to. */
export function negated(outcomes: number): number {
  return (outcomes & ERROR) | ((outcomes & TRUE) === 0 ? 0 : FALSE) | ((outcomes & FALSE) === 0 ? 0 : TRUE);
}
