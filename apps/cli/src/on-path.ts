import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Whether a command can be typed where the search path is this. */
export function isOnPath(command: string, path: string | undefined): boolean {
  return (path ?? '').split(delimiter).some((folder) => {
    if (folder === '') return false;
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
