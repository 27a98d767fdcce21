import { noVerdict } from '../errors.js';
import type { Context } from '../context.js';

/** 0 is yes and 1 is no: an error that prevents either exits with 2. */
export async function verdict(context: Context, ask: () => Promise<boolean>): Promise<void> {
  try {
    if (!(await ask())) context.exitCode = 1;
  } catch (error) {
    throw noVerdict(error);
  }
}
