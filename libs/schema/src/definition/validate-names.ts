import { checkDns1035Label, indexField, invalid, required } from '@capstan/meta';
import type { FieldError } from '@capstan/meta';
import type { DefinitionNames } from './definition.js';

function checkLabel(name: string | undefined, field: string): FieldError[] {
  const complaints = name ? checkDns1035Label(name) : [];
  return complaints.length === 0 ? [] : [invalid(field, name, complaints.join(','))];
}

function checkKind(kind: string | undefined, field: string): FieldError[] {
  const complaints = kind ? checkDns1035Label(kind.toLowerCase()) : [];
  return complaints.length === 0
    ? []
    : [invalid(field, kind, `may have mixed case, but should otherwise match: ${complaints.join(',')}`)];
}

function checkEach(names: readonly string[] | undefined, path: string): FieldError[] {
  return (names ?? []).flatMap((name, index) => {
    const complaints = checkDns1035Label(name);
    return complaints.length === 0 ? [] : [invalid(indexField(path, index), name, complaints.join(','))];
  });
}

/** Reports names of a bad form. */
export function checkNames(names: DefinitionNames, path: string): FieldError[] {
  const { plural, singular, kind, listKind, shortNames, categories } = names;
  return [
    ...checkLabel(plural, `${path}.plural`),
    ...checkLabel(singular, `${path}.singular`),
    ...checkKind(kind, `${path}.kind`),
    ...checkKind(listKind, `${path}.listKind`),
    ...checkEach(shortNames, `${path}.shortNames`),
    ...(kind && kind === listKind
      ? [invalid(`${path}.listKind`, listKind, 'kind and listKind may not be the same')]
      : []),
    ...checkEach(categories, `${path}.categories`),
  ];
}

/** Reports names a CRD cannot do without. */
export function checkRequiredNames(names: DefinitionNames, path: string): FieldError[] {
  const fields = ['plural', 'singular', 'kind', 'listKind'] as const;
  return fields.filter((field) => !names[field]).map((field) => required(`${path}.${field}`));
}
