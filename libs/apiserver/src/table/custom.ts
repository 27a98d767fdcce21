import { canonicalJson, type KubeObject } from '@capstan/meta';
import type { AdditionalPrinterColumn } from '@capstan/schema';
import { columns, type ColumnDefinition } from './columns.js';
import { since } from './format.js';
import { compileJsonPath, type JsonPath } from './json-path.js';
import type { Cell, TablePrinter } from './printer.js';

const [nameColumn] = columns('Name');
const ageOnly: readonly AdditionalPrinterColumn[] = [
  {
    name: 'Age',
    type: 'date',
    jsonPath: '.metadata.creationTimestamp',
    description: 'How long ago the object was created.',
  },
];

/** Very small and very large numbers turn to exponents where Go does, and Go's exponents have two digits at least. */
function numberText(value: number): string {
  const magnitude = Math.abs(value);
  const text = magnitude !== 0 && magnitude < 1e-4 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Sorted keys, and the characters that HTML minds escaped: how Go writes JSON. */
function goJson(value: unknown): string {
  return canonicalJson(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function textCell(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  if (value === null || value === undefined) return '<no value>';
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return goJson(value);
}

function dateCell(value: string, now: number): string {
  if (value === '' || value === 'null') return '<unknown>';
  const wellFormed = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(value);
  return wellFormed && !Number.isNaN(Date.parse(value)) ? since(value, now) : '<invalid>';
}

function typedCell(type: string, value: unknown, now: number): Cell {
  switch (type) {
    case 'string':
      return textCell(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : typeof value === 'bigint' ? value : null;
    case 'number':
      return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'date':
      return typeof value === 'string' ? dateCell(value, now) : null;
    default:
      return null;
  }
}

/** A column whose path cannot be parsed ends the table, as it does on the real server. */
function readable(stated: readonly AdditionalPrinterColumn[]): [AdditionalPrinterColumn, JsonPath][] {
  const result: [AdditionalPrinterColumn, JsonPath][] = [];
  for (const column of stated) {
    try {
      result.push([column, compileJsonPath(column.jsonPath)]);
    } catch (error) {
      if (error instanceof SyntaxError) break;
      throw error;
    }
  }
  return result;
}

function definition({
  name,
  type,
  format,
  description,
  priority,
  jsonPath,
}: AdditionalPrinterColumn): ColumnDefinition {
  return {
    name,
    type,
    format: format ?? '',
    description: description || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
    priority: priority ?? 0,
  };
}

/** The printer of a custom resource: its name and the columns its CRD states, or its age where it states none. */
export function customPrinter(stated: readonly AdditionalPrinterColumn[] | undefined): TablePrinter {
  const compiled = readable(stated === undefined || stated.length === 0 ? ageOnly : stated);
  return {
    columns: [...(nameColumn === undefined ? [] : [nameColumn]), ...compiled.map(([column]) => definition(column))],
    cells(object: KubeObject, now: number): Cell[] {
      const cells: Cell[] = [object.metadata.name ?? ''];
      for (const [column, path] of compiled) {
        const found = path(object);
        cells.push(found.length === 0 ? null : typedCell(column.type, found[0], now));
      }
      return cells;
    },
    emptyRows: [],
    alwaysHeaders: false,
  };
}
