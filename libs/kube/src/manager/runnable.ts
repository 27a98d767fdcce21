/** When something starts: each group is ready before the next begins, and they stop the other way round. */
export type RunnableGroup = 'http' | 'webhook' | 'cache' | 'other' | 'leader';

/** Something that runs for as long as the program. */
export interface Runnable {
  readonly name: string;
  /** Runs until the signal aborts and all is put away. A rejection stops the program. */
  run(signal: AbortSignal): Promise<void>;
  /** Resolves when others may rely on it. Default: at once. */
  ready?(): Promise<unknown>;
}
