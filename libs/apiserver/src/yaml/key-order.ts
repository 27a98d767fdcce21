const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;

/** The order in which the real server writes keys: digits are numbers, and what is no letter comes before what is one. */
export function compareNaturally(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  const at = a.findIndex((char, index) => char !== b[index]);
  const [left, right] = [a[at], b[at]];
  if (left === undefined || right === undefined) return a.length - b.length;
  const [isLetter, isOtherLetter] = [LETTER.test(left), LETTER.test(right)];
  if (isLetter && isOtherLetter) return codeOf(left) - codeOf(right);
  if (isLetter || isOtherLetter) return isOtherLetter ? -1 : 1;
  return compareNumbers(a, b, at) || codeOf(left) - codeOf(right);
}

/** Compares the digits from a place on, where one of them differs, or something else does. */
function compareNumbers(a: readonly string[], b: readonly string[], at: number): number {
  // Behind a number that has begun, zeros count.
  const hasBegun = (a[at] === '0' || b[at] === '0') && hasNumberBefore(a, at);
  const [leftDigits, rightDigits] = [digitsFrom(a, at), digitsFrom(b, at)];
  const difference = numberOf(leftDigits, hasBegun) - numberOf(rightDigits, hasBegun);
  if (difference !== 0n) return difference < 0n ? -1 : 1;
  return leftDigits.length - rightDigits.length;
}

function codeOf(char: string): number {
  return char.codePointAt(0) ?? 0;
}

function hasNumberBefore(chars: readonly string[], at: number): boolean {
  for (let index = at - 1; index >= 0 && DIGIT.test(chars[index] ?? ''); index -= 1)
    if (chars[index] !== '0') return true;
  return false;
}

function digitsFrom(chars: readonly string[], at: number): readonly string[] {
  let end = at;
  while (end < chars.length && DIGIT.test(chars[end] ?? '')) end += 1;
  return chars.slice(at, end);
}

/** As 64 bits hold it: longer ones start at zero again. */
function numberOf(digits: readonly string[], hasBegun: boolean): bigint {
  const zero = codeOf('0');
  return digits.reduce((sum, digit) => BigInt.asIntN(64, sum * 10n + BigInt(codeOf(digit) - zero)), hasBegun ? 1n : 0n);
}
