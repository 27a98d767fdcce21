import type { Kind } from '@capstan/api/model';

import { apiGroups } from '../groups.js';
import { crdFiles } from './crd-yaml.js';
import { Page } from './page.js';

/** Folders that hold nothing but what is generated. */
export const generatedFolders = ['api/crds', 'docs/reference/api'] as const;

/** Every generated file by its path in the repository. */
export function generatedFiles(): Map<string, string> {
  const files = new Map<string, string>();
  const groups = new Map<string, Kind[]>();
  for (const kind of apiGroups.flatMap((each) => each.kinds)) {
    for (const { path, text } of crdFiles(kind)) files.set(`api/crds/${path}`, text);
    groups.set(kind.group, [...(groups.get(kind.group) ?? []), kind]);
  }
  for (const [group, kinds] of groups) files.set(`docs/reference/api/${group}.md`, new Page(group, kinds).text());
  return files;
}
