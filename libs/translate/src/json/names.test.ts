import { expect, it } from 'vitest';
import { changedText, quoted, remember } from './names.js';
import { compile } from './shape.js';

const place = compile({ text: (text) => `${text}s` });

it('remembers texts and what they became in memory of their own', () => {
  const changed = changedText(place, 'apple', (text) => `${text}s`);
  remember(place, '"apple"'.length, 'apple', changed);
  const known = place.last?.['"apple"'.length];
  expect(
    [changed, known?.changed, known?.name].map((bytes) => [
      Buffer.from(bytes ?? []).toString(),
      bytes?.buffer.byteLength,
    ]),
  ).toEqual([
    ['"apples"', 8],
    ['"apples"', 8],
    ['apple', 5],
  ]);
  expect(quoted('é').buffer.byteLength).toBe(4);
});

it('knows no text again by its bytes that was written in another way', () => {
  remember(place, String.raw`"\u0061"`.length, 'a', undefined);
  expect(place.last?.[String.raw`"\u0061"`.length]).toBeUndefined();
});
