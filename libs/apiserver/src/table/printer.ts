import type { KubeObject, ObjectMeta } from '@capstan/meta';
import { columns, type ColumnDefinition } from './columns.js';

/** What a cell may hold. */
export type Cell = string | number | bigint | boolean | null;

/** A remark on a row, such as that its pod has run to its end. */
export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** How the objects of one kind become rows. */
export interface TablePrinter {
  readonly columns: readonly ColumnDefinition[];
  /** The cells in the order of the columns; `now` in milliseconds since the epoch. */
  cells(object: KubeObject, now: number): Cell[];
  readonly conditions?: (object: KubeObject) => readonly RowCondition[] | undefined;
  /** The rows of an empty list: a few kinds say `null`, as their server-side convertor never makes the list. */
  readonly emptyRows: readonly [] | null;
  /** The columns are sent even where the caller wants none (one convertor of the real server does not look). */
  readonly alwaysHeaders: boolean;
}

/** The least that every printable view has. */
export interface View {
  readonly metadata: ObjectMeta;
}

/** Makes a printer of a function over the typed view of an object, which decoding has already made sure of. */
export function printer<T extends View>(
  table: string,
  cells: (object: T, now: number) => Cell[],
  conditions?: (object: T) => readonly RowCondition[] | undefined,
): TablePrinter {
  const typed = (object: KubeObject): T => object as unknown as T;
  return {
    columns: columns(table),
    cells: (object, now) => cells(typed(object), now),
    ...(conditions === undefined ? {} : { conditions: (object: KubeObject) => conditions(typed(object)) }),
    emptyRows: [],
    alwaysHeaders: false,
  };
}
