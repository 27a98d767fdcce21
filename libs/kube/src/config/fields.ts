/** Reading untyped documents so that every complaint names the file and the field. */

/** A kubeconfig, token file or credential plugin that cannot be used. */
export class ConfigError extends Error {
  /** The file at fault, when a file is. */
  readonly file: string | undefined;
  /** The field at fault, e.g. `users[admin].user.exec.apiVersion`. */
  readonly field: string | undefined;

  constructor(problem: string, at: { file?: string | undefined; field?: string | undefined } = {}, cause?: unknown) {
    const place = [at.file, at.field].filter((part) => part !== undefined && part !== '').join(': ');
    super(place === '' ? problem : `${place}: ${problem}`, cause === undefined ? undefined : { cause });
    this.name = 'ConfigError';
    this.file = at.file;
    this.field = at.field;
  }
}

/** A kubeconfig that a cluster holds and that cannot be used: unlike the user's own, another file is no way out. */
export class UntrustedConfigError extends ConfigError {
  constructor(message: string, cause: ConfigError) {
    super(message, {}, cause);
    this.name = 'UntrustedConfigError';
  }
}

/** A mapping of a document, with its place. */
export class Fields {
  readonly file: string;
  readonly path: string;
  readonly #value: ReadonlyMap<string, unknown>;

  constructor(value: unknown, file: string, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new ConfigError(`expected a mapping, found ${describe(value)}`, { file, field: path });
    }
    this.#value = new Map(Object.entries(value));
    this.file = file;
    this.path = path;
  }

  /** A complaint about one field of this mapping. */
  problem(name: string, text: string, cause?: unknown): ConfigError {
    return new ConfigError(text, { file: this.file, field: this.#at(name) }, cause);
  }

  /** Absent, null and the empty string are one, as they are to kubectl. */
  string(name: string): string | undefined {
    const value = this.#value.get(name);
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string') throw this.problem(name, `expected a string, found ${describe(value)}`);
    return value;
  }

  /** Whether the field is set, to whatever type; `false` equals an absent field. */
  isSet(name: string): boolean {
    const value = this.#value.get(name);
    return value !== undefined && value !== null && value !== '' && value !== false;
  }

  required(name: string): string {
    const value = this.string(name);
    if (value === undefined) throw this.problem(name, 'must be set');
    return value;
  }

  boolean(name: string): boolean {
    const value = this.#value.get(name);
    if (value === undefined || value === null) return false;
    if (typeof value !== 'boolean') throw this.problem(name, `expected true or false, found ${describe(value)}`);
    return value;
  }

  strings(name: string): string[] {
    return this.#list(name).map((value, index) => {
      if (typeof value === 'string') return value;
      throw this.problem(`${name}[${index}]`, `expected a string, found ${describe(value)}`);
    });
  }

  mapping(name: string): Fields | undefined {
    const value = this.#value.get(name);
    return value === undefined || value === null ? undefined : new Fields(value, this.file, this.#at(name));
  }

  mappings(name: string): Fields[] {
    return this.#list(name).map((value, index) => new Fields(value, this.file, this.#at(`${name}[${index}]`)));
  }

  /** Base64 of a PEM document or anything else. */
  base64(name: string): Buffer | undefined {
    const text = this.string(name);
    if (text === undefined) return undefined;
    if (!/^[A-Za-z0-9+/\s]*={0,2}$/.test(text.trimEnd())) throw this.problem(name, 'is not base64');
    return Buffer.from(text, 'base64');
  }

  entries(): Iterable<[string, unknown]> {
    return this.#value.entries();
  }

  #list(name: string): readonly unknown[] {
    const value = this.#value.get(name);
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw this.problem(name, `expected a list, found ${describe(value)}`);
    return value;
  }

  #at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  return `the ${typeof value} ${JSON.stringify(value)}`;
}
