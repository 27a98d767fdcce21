/** File paths that objects name. */
import { invalid } from '@capstan/meta';
import type { Errors } from '../shared/checks.js';
import { integer } from '../shared/json.js';

/** No `..` among the parts. */
export function checkNoBacksteps(out: Errors, field: string, path: string): void {
  if (path.split('/').includes('..')) out.push(invalid(field, path, "must not contain '..'"));
}

/** Relative and without `..`. */
export function checkDescendingPath(out: Errors, field: string, path: string): void {
  if (path.startsWith('/')) out.push(invalid(field, path, 'must be a relative path'));
  checkNoBacksteps(out, field, path);
}

/** As {@link checkDescendingPath}, and not looking like the volume's own bookkeeping. */
export function checkVolumeFilePath(out: Errors, field: string, path: string): void {
  checkDescendingPath(out, field, path);
  if (path.startsWith('..') && !path.startsWith('../')) out.push(invalid(field, path, "must not start with '..'"));
}

/** Unix permission bits; absent is fine. */
export function checkFileMode(out: Errors, field: string, value: unknown): void {
  const mode = integer(value);
  if (mode !== undefined && (mode < 0 || mode > 0o777)) {
    out.push(invalid(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive'));
  }
}
