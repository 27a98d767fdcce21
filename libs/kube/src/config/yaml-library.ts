let library: typeof import('yaml') | undefined;

/**
 * What reads YAML, loaded when it is first needed: most programs that import this package read none, or are configured in
 * other ways. Once it is there nobody waits for it any more, which in virtual time would be for ever.
 */
export async function loadYaml(): Promise<typeof import('yaml')> {
  library ??= await import('yaml');
  return library;
}
