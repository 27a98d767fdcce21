import { translate } from '@capstan/translate';
import type { Encodings, GroupMapping, Headers, Translator } from '@capstan/translate';

/**
 * A translator whose encodings other than JSON are loaded on first use: a sidecar that never meets them
 * need not hold their tables.
 */
export class LazyTranslator {
  readonly translator: Translator;
  readonly #mapping: GroupMapping;
  readonly #heldResponseBytes: number | undefined;
  #protobuf: NonNullable<Encodings['protobuf']> | undefined;
  #yaml: NonNullable<Encodings['yaml']> | undefined;

  constructor(mapping: GroupMapping, heldResponseBytes?: number) {
    this.#mapping = mapping;
    this.#heldResponseBytes = heldResponseBytes;
    this.translator = translate(mapping, {
      protobuf: (body) => loaded(this.#protobuf)(body),
      yaml: (shape) => loaded(this.#yaml)(shape),
    });
  }

  /** What must be waited for before a request with these headers is translated. */
  prepare({ accept, 'content-type': type }: Headers): Promise<void> | undefined {
    if (this.#protobuf !== undefined && this.#yaml !== undefined) return undefined;
    const text = `${String(accept)} ${String(type)}`;
    const needsProtobuf = this.#protobuf === undefined && text.includes('protobuf');
    const needsYaml = this.#yaml === undefined && text.includes('yaml');
    return needsProtobuf || needsYaml ? this.#load(needsProtobuf, needsYaml) : undefined;
  }

  async #load(needsProtobuf: boolean, needsYaml: boolean): Promise<void> {
    if (needsProtobuf) {
      const { protobufBodies } = await import('@capstan/translate/protobuf');
      this.#protobuf ??= protobufBodies(this.#mapping, this.#heldResponseBytes);
    }
    if (needsYaml) {
      const { yamlBodies } = await import('@capstan/translate/yaml');
      this.#yaml ??= yamlBodies(this.#mapping);
    }
  }
}

function loaded<T>(encoding: T | undefined): T {
  if (encoding === undefined) throw new TypeError('the encoding was not prepared');
  return encoding;
}

/**
 * An Accept header without protobuf where something else is accepted too. Protobuf begins with its length, so a list in it
 * would have to be held whole.
 */
export function withoutProtobuf(accept: string): string {
  const clauses = accept.split(',').map((clause) => clause.trim());
  const left = clauses.filter((clause) => !clause.includes('protobuf'));
  if (left.length === 0) return accept;
  return left.every((clause) => clause.startsWith('*/')) ? 'application/json' : left.join(',');
}
