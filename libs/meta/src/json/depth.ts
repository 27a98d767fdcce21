/** How deep a text may nest that is read by the real server's decoder, and by ours, which needs no stack for it. */
export const maxTextDepth = 10_000;

/**
 * How deep JSON may nest to be used. Values are copied, compared, merged and written by recursion, so what a stranger sends
 * is refused before it is deeper than the stack reaches.
 */
export const maxJsonDepth = 1_000;

/** How deep an object may nest with its managed fields: lists, reviews and patches put a few levels around it. */
export const maxObjectDepth = 500;

/** How deep it may nest without them: they repeat its own levels a few levels below, and what was read can be sent back. */
export const maxContentDepth = maxObjectDepth - 16;

/** Whether a value nests deeper than so many levels. Goes no deeper itself. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (let k = 0; k < value.length; k++) if (isDeeperThan(value[k], levels - 1)) return true;
    return false;
  }
  for (const key in value) if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

/** Whether an object, or a patch that has its form, is too deep to be stored. */
export function isTooDeep(value: unknown): boolean {
  if (!isDeeperThan(value, maxContentDepth)) return false;
  if (Array.isArray(value) || isDeeperThan(value, maxObjectDepth)) return true;
  const { metadata, ...rest } = value as Record<string, unknown>;
  const content = typeof metadata === 'object' ? { ...metadata, managedFields: undefined } : metadata;
  return isDeeperThan({ ...rest, metadata: content }, maxContentDepth);
}
