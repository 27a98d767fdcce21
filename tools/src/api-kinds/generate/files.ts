import { basename } from 'node:path';

import type { ApiGroup } from '../groups.js';
import { apiGroups } from '../groups.js';
import { crdFiles } from './crd-yaml.js';
import { Page } from './page.js';

/** Folders that hold nothing but what is generated. */
export const generatedFolders = ['api/crds', 'docs/reference/api'] as const;

/** Every generated file by its path in the repository. */
export function generatedFiles(folders: readonly ApiGroup[] = apiGroups): Map<string, string> {
  const files = new Map<string, string>();
  for (const { folder, kinds } of folders) {
    for (const { path, text } of kinds.flatMap(crdFiles)) files.set(`api/crds/${path}`, text);
    for (const group of new Set(kinds.map((kind) => kind.group))) {
      // A group of many platforms has a page for each.
      const isSplit = folders.some((each) => each.folder !== folder && each.kinds.some((kind) => kind.group === group));
      const title = isSplit ? `${group}, ${basename(folder)}` : group;
      const page = new Page(
        title,
        kinds.filter((kind) => kind.group === group),
      );
      files.set(`docs/reference/api/${title.replace(', ', '-')}.md`, page.text());
    }
  }
  return files;
}
