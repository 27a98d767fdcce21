/** Reads YAML; loaded with the first request that has a YAML body. */
export type YamlReader = (bytes: Uint8Array) => ReadYaml;

/** A YAML text as it was read. */
export interface ReadYaml {
  /** It as JSON, as the real server writes it before it reads it. */
  readonly json: Uint8Array;
  /** `line 4: key "a" already set in map`. */
  readonly duplicates: readonly string[];
}
