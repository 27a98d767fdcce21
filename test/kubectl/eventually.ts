const PATIENCE_MS = 20_000;
const PAUSE_MS = 20;

/**
 * Looks until what is seen will do, and gives it. Scenarios run side by side, where `expect.poll` cannot tell whose it is.
 */
export async function eventually<T>(look: () => Promise<T>, willDo: (seen: T) => boolean): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (willDo(seen)) return seen;
    if (Date.now() > deadline) throw new Error(`never came true; last seen: ${JSON.stringify(seen)}`);
    await new Promise<void>((resolve) => {
      setTimeout(resolve, PAUSE_MS);
    });
  }
}
