/** Checks everything in a version of a CRD but its schema. */
import { RawValue, indexField, invalid, required, pushAll } from '@capstan/meta';
import type { FieldError } from '@capstan/meta';
import type { AdditionalPrinterColumn, DefinitionVersion } from './definition.js';

const COLUMN_TYPES = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS = ['byte', 'date', 'date-time', 'double', 'float', 'int32', 'int64', 'password'];
const MAX_DEPRECATION_WARNING = 256;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

function checkPath(path: string, field: string): FieldError[] {
  return path.startsWith('.') ? [] : [invalid(field, path, 'must be a simple json path starting with .')];
}

function checkColumn(column: AdditionalPrinterColumn, path: string): FieldError[] {
  const { name, type, format, jsonPath } = column;
  const errors: FieldError[] = [];
  const oneOf = (values: readonly string[]): string => `must be one of ${values.join(',')}`;
  if (!name) errors.push(required(`${path}.name`));
  if (!type) errors.push(required(`${path}.type`, oneOf(COLUMN_TYPES)));
  else if (!COLUMN_TYPES.includes(type)) errors.push(invalid(`${path}.type`, type, oneOf(COLUMN_TYPES)));
  if (format && !COLUMN_FORMATS.includes(format)) errors.push(invalid(`${path}.format`, format, oneOf(COLUMN_FORMATS)));
  if (!jsonPath) errors.push(required(`${path}.JSONPath`));
  else pushAll(errors, checkPath(jsonPath, `${path}.JSONPath`));
  return errors;
}

/** Reports what is wrong with printer columns; `path` is theirs. */
export function checkColumns(columns: readonly AdditionalPrinterColumn[] | undefined, path: string): FieldError[] {
  return (columns ?? []).flatMap((column, index) => checkColumn(column, indexField(path, index)));
}

function checkReplicasPath(value: string, field: string, root: string): FieldError[] {
  if (!value) return [required(field)];
  const errors = checkPath(value, field);
  if (errors.length > 0 || value.startsWith(`${root}.`)) return errors;
  return [invalid(field, value, `should be a json path under ${root}`)];
}

/** Reports what is wrong with the paths of the scale subresource; `path` is that of the subresources. */
export function checkSubresources({ subresources }: DefinitionVersion, path: string): FieldError[] {
  const scale = subresources?.scale;
  if (scale == null) return [];
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  const at = (field: string): string => `${path}.scale.${field}`;
  const errors = [
    ...checkReplicasPath(specReplicasPath, at('specReplicasPath'), '.spec'),
    ...checkReplicasPath(statusReplicasPath, at('statusReplicasPath'), '.status'),
  ];
  if (!labelSelectorPath) return errors;
  const selector = checkPath(labelSelectorPath, at('labelSelectorPath'));
  if (selector.length === 0 && !/^\.(?:spec|status)\./.test(labelSelectorPath)) {
    selector.push(
      invalid(at('labelSelectorPath'), labelSelectorPath, 'should be a json path under either .spec or .status'),
    );
  }
  return [...errors, ...selector];
}

function deprecationComplaints({ deprecated, deprecationWarning: warning }: DefinitionVersion): string[] {
  if (warning === undefined) return [];
  if (deprecated !== true) return ['can only be set for deprecated versions'];
  const complaints: string[] = [];
  if (Buffer.byteLength(warning) > MAX_DEPRECATION_WARNING)
    complaints.push(`must be <= ${MAX_DEPRECATION_WARNING} characters long`);
  if (warning === '') complaints.push('must not be an empty string');
  const found = UNPRINTABLE.exec(warning);
  if (found !== null) {
    const at = Buffer.byteLength(warning.slice(0, found.index));
    complaints.push(`must only contain printable UTF-8 characters; non-printable character found at index ${at}`);
  }
  return complaints;
}

/** Reports what is wrong with a deprecation; `path` is the version's. */
export function checkDeprecation(version: DefinitionVersion, path: string): FieldError[] {
  // Written as JSON, not as Go would quote it.
  const shown = new RawValue(JSON.stringify(version.deprecationWarning ?? ''));
  return deprecationComplaints(version).map((complaint) => invalid(`${path}.deprecationWarning`, shown, complaint));
}
