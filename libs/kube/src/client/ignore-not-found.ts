import { isNotFound } from '@capstan/meta';

/** For `catch`: an object that is not there is undefined, every other error is thrown on. */
export function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
