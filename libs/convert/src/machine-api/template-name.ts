/** Names of templates: the same content has the same name, another content another one. */
import type { JsonSchema } from '@capstan/api/model';
import { structuralSchema } from '@capstan/api/model';
import { canonicalJson, hashText } from '@capstan/meta';
import { withoutAbsent } from '../engine/laws.js';
import type { PlatformKind } from './platform.js';
import { withDefaults } from './schema-defaults.js';

const MAX_NAME = 253;
const HASH_AND_DASH = 9;

/** Names templates of one kind. */
export class TemplateNames {
  readonly #schema: JsonSchema | undefined;

  constructor({ kind, version }: PlatformKind) {
    this.#schema = structuralSchema(kind, version).properties?.['spec'];
  }

  /**
   * `<set>-<hash>`: of the spec whatever the order of its keys, with defaults filled in, and nulls and empty lists left
   * out. An empty record counts: `spotMarketOptions: {}` asks for spot instances.
   */
  nameOf(set: string, spec: unknown): string {
    const hash = hashText(canonicalJson(withoutAbsent(withDefaults(spec, this.#schema)) ?? null));
    return `${set.slice(0, MAX_NAME - HASH_AND_DASH)}-${hash}`;
  }
}
