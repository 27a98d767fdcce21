export type { ColumnDefinition } from './columns.js';
export { customPrinter } from './custom.js';
export { compileJsonPath, type JsonPath } from './json-path.js';
export type { Cell, RowCondition, TablePrinter } from './printer.js';
export { parseIncludeObject, transformMismatch } from './transform.js';
export { defaultPrinter, printerFor, tableColumns } from './registry.js';
export {
  objectToTable,
  tableRow,
  toPartialMetadata,
  toPartialMetadataList,
  toTable,
  type IncludeObject,
  type ListValue,
  type MetaVersion,
  type PartialObjectMetadata,
  type Table,
  type TableOptions,
  type TableRow,
} from './to-table.js';
