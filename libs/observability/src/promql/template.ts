import type { LabelSet } from './series.js';

/** Go's `%.4g`: four digits that count, without zeros at the end. */
function fourDigits(value: number): string {
  const text = value.toPrecision(4);
  if (text.includes('e')) return text.replace(/\.?0+e/, 'e').replace(/e([+-])(\d)$/, 'e$10$2');
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

const BELOW_A_SECOND = ['', 'm', 'u', 'n'];

function humanizeDuration(seconds: number): string {
  if (Number.isNaN(seconds) || !Number.isFinite(seconds)) return fourDigits(seconds);
  if (seconds === 0) return '0s';
  if (Math.abs(seconds) >= 1) return longDuration(seconds);
  let [value, at] = [seconds, 0];
  while (Math.abs(value) < 1 && at < BELOW_A_SECOND.length - 1) {
    value *= 1000;
    at += 1;
  }
  return `${fourDigits(value)}${BELOW_A_SECOND[at] ?? ''}s`;
}

function longDuration(value: number): string {
  const sign = value < 0 ? '-' : '';
  const whole = Math.trunc(Math.abs(value));
  const [days, hours, minutes] = [
    Math.trunc(whole / 86_400),
    Math.trunc(whole / 3600) % 24,
    Math.trunc(whole / 60) % 60,
  ];
  if (days !== 0) return `${sign}${days}d ${hours}h ${minutes}m ${whole % 60}s`;
  if (hours !== 0) return `${sign}${hours}h ${minutes}m ${whole % 60}s`;
  if (minutes !== 0) return `${sign}${minutes}m ${whole % 60}s`;
  return `${sign}${fourDigits(Math.abs(value))}s`;
}

const FILTERS: Readonly<Record<string, (value: number) => string>> = {
  humanizeDuration,
  humanizePercentage: (value) => `${fourDigits(value * 100)}%`,
};

/** Fills in an annotation: `{{ $labels.x }}`, and `{{ $value | filter }}` with one of the filters above. */
export function renderTemplate(text: string, labels: LabelSet, value: number): string {
  return text.replaceAll(/\{\{(.*?)\}\}/g, (whole, inner: string) => {
    const label = /^\s*\$labels\.([A-Za-z_]\w*)\s*$/.exec(inner)?.[1];
    if (label !== undefined) return labels[label] ?? '';
    const filter = FILTERS[/^\s*\$value\s*\|\s*(\w+)\s*$/.exec(inner)?.[1] ?? ''];
    if (filter === undefined) throw new TypeError(`${whole} cannot be filled in here`);
    return filter(value);
  });
}
