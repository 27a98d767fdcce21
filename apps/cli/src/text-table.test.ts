import { expect, it } from 'vitest';
import { columnWidths, tableLine, tableText } from './text-table.js';

it('aligns every column with its widest cell, and pads no line at its end', () => {
  expect(
    tableText([
      ['NAME', 'STATE', 'NOTE'],
      ['a', 'Completed', ''],
      ['longer', 'Partial', 'a note'],
    ]),
  ).toBe('NAME     STATE       NOTE\na        Completed\nlonger   Partial     a note\n');
});

it('adds a line to a table that was printed before, however wide its cells are', () => {
  const widths = columnWidths([['NAME', 'STATE']]);
  expect(tableLine(['longer', 'Partial'], widths)).toBe('longer   Partial\n');
});

it('prints nothing for no rows', () => {
  expect(tableText([])).toBe('');
});
