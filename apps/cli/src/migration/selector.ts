import { parseLabelSelector } from '@capstan/meta';
import { UsageError } from '../errors.js';

/** The label selector of an option; what is none is the user's mistake. */
export function readSelector(text: string): ReturnType<typeof parseLabelSelector> {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw new UsageError(
      `--selector ${JSON.stringify(text)} is no label selector`,
      'write one such as tier=canary or tier in (canary,test)',
      { cause: error },
    );
  }
}
