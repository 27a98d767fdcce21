/** How the fields of a type merge, for strategic merge patches; type tables implement it. */
export interface PatchSchema {
  /** Name of the Go type, printed in messages. */
  readonly name?: string;
  /** Go kind when the type has no fields of its own, such as `map`; absent means a struct. */
  readonly kind?: string;
  field(name: string): PatchField | undefined;
}

/** What a strategic merge patch needs to know of a field. */
export interface PatchField {
  /** The type of a value; for a list, of its elements. */
  readonly schema?: PatchSchema;
  readonly strategy?: 'merge' | 'replace';
  readonly retainKeys?: boolean;
  readonly mergeKey?: string;
}
