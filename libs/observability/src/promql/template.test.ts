import { expect, it } from 'vitest';
import { renderTemplate } from './template.js';

it.each<[string, number, string]>([
  ['{{ $labels.pod }}/{{$labels.gone}}', 0, 'capi-0/'],
  ['{{ $value | humanizePercentage }}', 0.083_333, '8.333%'],
  ['{{ $value | humanizePercentage }}', 1, '100%'],
  ['{{ $value | humanizePercentage }}', 0.000_001_234_5, '0.0001234%'],
  ['{{ $value | humanizeDuration }}', 0.48, '480ms'],
  ['{{ $value | humanizeDuration }}', 0.000_012_3, '12.3us'],
  ['{{ $value | humanizeDuration }}', 1.5, '1.5s'],
  ['{{ $value | humanizeDuration }}', 61, '1m 1s'],
  ['{{ $value | humanizeDuration }}', 3661, '1h 1m 1s'],
  ['{{ $value | humanizeDuration }}', 90_061, '1d 1h 1m 1s'],
  ['{{ $value | humanizeDuration }}', 0, '0s'],
])('%s of %d is %s', (text, value, expected) => {
  expect(renderTemplate(text, { pod: 'capi-0' }, value)).toBe(expected);
});

it('refuses what it does not know', () => {
  expect(() => renderTemplate('{{ $value | humanize }}', {}, 1)).toThrow(
    '{{ $value | humanize }} cannot be filled in here',
  );
});
