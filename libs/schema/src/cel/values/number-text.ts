/** Doubles as text in the ways `format` prints them. */

/** Exact decimal digits of a finite double, rounded half to even at the last place. */
function exactFixed(value: number, places: number): string {
  // toFixed is exact up to 100 places and below 1e21; above that a double is an integer anyway.
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}${places > 0 ? `.${'0'.repeat(places)}` : ''}`;
  const fixed = value.toFixed(Math.min(places, 100));
  return halfEven(value, places, fixed);
}

/** toFixed rounds exact halves up; Go rounds them to even. */
function halfEven(value: number, places: number, fixed: string): string {
  // A product can be rounded to a half that the double is not; its digits cannot.
  if (places >= 40 || !/5(?:0{40})$/.test(value.toFixed(places + 41))) return fixed;
  const scaled = Math.abs(value) * 10 ** places;
  const even = Math.floor(scaled) % 2 === 0 ? Math.floor(scaled) : Math.ceil(scaled);
  const text = (even / 10 ** places).toFixed(places);
  return value < 0 ? `-${text}` : text;
}

/** `1234.500000`. */
export function plainFixed(value: number, places: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return `${Object.is(value, -0) ? '-' : ''}${exactFixed(value, places)}`;
}

/** `1,234.500000`, with signs for what is not finite. */
export function groupedFixed(value: number, places: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '\u221e' : '-\u221e';
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(.*)$/.exec(exactFixed(value, places)) ?? [];
  return `${sign}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}${rest}`;
}

const superscripts = [
  '\u2070',
  '\u00b9',
  '\u00b2',
  '\u00b3',
  '\u2074',
  '\u2075',
  '\u2076',
  '\u2077',
  '\u2078',
  '\u2079',
];

/** `1.234568×10⁰⁶`: six decimals whatever was asked for, because the server takes the precision for a width. */
export function formatScientific(value: number, width: number): string {
  if (Number.isNaN(value)) return 'NaN'.padStart(width);
  if (!Number.isFinite(value)) return (value > 0 ? '\u221e' : '-\u221e').padStart(width);
  const [mantissa = '', power = '0'] = value.toExponential(6).split('e');
  const exponent = Number(power);
  const digits = [...String(Math.abs(exponent)).padStart(2, '0')].map((digit) => superscripts[Number(digit)]).join('');
  return `${mantissa}\u00d710${exponent < 0 ? '\u207b' : ''}${digits}`.padStart(width);
}
