import type { LeafTexts } from './leaf-texts.js';

/** Quantities the tests use; everything else is refused. */
const QUANTITIES: Readonly<Record<string, string>> = {
  '1': '1',
  '1000m': '1',
  '0.5': '500m',
  '500m': '500m',
  '1024Ki': '1Mi',
  '1Mi': '1Mi',
  '10Gi': '10Gi',
};

const QUANTITY_ERROR = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

function instant(text: string, layout: string): Date {
  const date = new Date(text);
  if (Number.isNaN(date.getTime()))
    throw new Error(`parsing time "${text}" as "${layout}": cannot parse "${text}" as "2006"`);
  return date;
}

/** Just enough of the leaf texts for the tests of the codec. */
export const fixtureTexts: LeafTexts = {
  quantity: (text) => {
    const canonical = QUANTITIES[text];
    if (canonical === undefined) throw new Error(QUANTITY_ERROR);
    return canonical;
  },
  time: (text) => {
    const whole = instant(text, '2006-01-02T15:04:05Z07:00').toISOString().slice(0, 19);
    return whole === '0001-01-01T00:00:00' ? null : `${whole}Z`;
  },
  microTime: (text) => {
    const whole = instant(text, '2006-01-02T15:04:05.000000Z07:00').toISOString().slice(0, 19);
    return `${whole}.${/\.(\d{6})/.exec(text)?.[1] ?? '000000'}Z`;
  },
  duration: (text) => {
    if (text !== '90s') throw new Error(`time: invalid duration "${text}"`);
    return '1m30s';
  },
};
