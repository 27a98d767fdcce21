let reader: typeof import('@capstan/meta/yaml') | undefined;

/**
 * What reads YAML, loaded when it is first needed: most programs that import this package read none, or are configured in
 * other ways. Once it is there nobody waits for it any more, which in virtual time would be for ever.
 */
export async function loadYaml(): Promise<typeof import('@capstan/meta/yaml')> {
  reader ??= await import('@capstan/meta/yaml');
  return reader;
}
