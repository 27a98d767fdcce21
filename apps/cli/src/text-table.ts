import { maxOf } from '@capstan/meta';

const GAP = '   ';

/** The width of each column: that of its widest cell. */
export function columnWidths(rows: readonly (readonly string[])[]): number[] {
  return (rows[0] ?? []).map((_, at) => maxOf(rows.map((row) => row[at]?.length ?? 0)));
}

/** One line of a table; the last cell is as wide as its text. */
export function tableLine(cells: readonly string[], widths: readonly number[]): string {
  return `${cells
    .map((cell, at) => (at === cells.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
    .join(GAP)
    .trimEnd()}\n`;
}

/** A whole table, its heading among the rows. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const widths = columnWidths(rows);
  return rows.map((row) => tableLine(row, widths)).join('');
}
