import type { RowResult, Spread } from './model.js';

const headings = ['row', 'ours', 'reference', 'ratio', 'stored', 'target', ''] as const;

/** The results as a table for people. */
export function formatTable(results: readonly RowResult[]): string {
  const rows = [headings, ...results.map(cells)];
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => pad(cell, widths[at] ?? 0, at))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 || column === headings.length - 1 ? cell.padEnd(width) : cell.padStart(width);
}

function cells(result: RowResult): string[] {
  const { missing = '-', reference, ratio, storedRatio, target } = result;
  return [
    `${result.suite}/${result.name}`,
    `${formatNumber(result.ours)} ${result.unit}${formatSpread(result.spread)}`,
    reference === undefined
      ? missing
      : `${formatNumber(reference.value)}${formatSpread(reference.spread)} (${reference.name})`,
    ratio === undefined ? '-' : `${ratio.toFixed(2)}x`,
    storedRatio === undefined ? '-' : `${storedRatio.toFixed(2)}x`,
    target === undefined ? '-' : formatNumber(target),
    verdict(result),
  ];
}

/** Of several rounds, the least and the most; nothing of one alone. */
function formatSpread(spread: Spread | undefined): string {
  if (spread === undefined || spread[0] === spread[1]) return '';
  return ` [${formatNumber(spread[0])}–${formatNumber(spread[1])}]`;
}

function verdict(result: RowResult): string {
  if (result.regressed) return `REGRESSED in ${result.tries} tries`;
  if (result.target === undefined) return '';
  const reached = result.better === 'higher' ? result.ours >= result.target : result.ours <= result.target;
  return reached ? 'target reached' : 'short of target';
}

/** Three digits that mean something, with thousands set apart. */
export function formatNumber(value: number): string {
  if (value < 1_000) return String(Number(value.toPrecision(3)));
  return String(Math.round(value)).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
