/** Runs one `capstan` command line and returns its exit code. */
export async function main(_argv: readonly string[]): Promise<number> {
  return 0;
}
