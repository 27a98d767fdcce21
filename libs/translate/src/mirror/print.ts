import type { KubeObject } from '@capstan/meta';
import { stringifyJson } from '@capstan/meta';
import { stringify } from 'yaml';

/** Objects as documents of YAML: the same objects are the same bytes. */
export function printYaml(objects: readonly KubeObject[]): string {
  // 1.1: readers of Kubernetes take an unquoted `yes` for a boolean.
  const options = { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false } as const;
  return objects.map((object) => `---\n${stringify(object, options)}`).join('');
}

/** Objects as a List in JSON. */
export function printJson(objects: readonly KubeObject[]): string {
  const list = { apiVersion: 'v1', kind: 'List', items: objects };
  return `${stringifyJson(list)}\n`;
}
