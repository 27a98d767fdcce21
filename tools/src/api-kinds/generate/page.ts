import { Place } from '@capstan/api/model';
import type { Kind, KindVersion, Schema } from '@capstan/api/model';

import { shapeKey } from '../shape-key.js';
import { crdFiles } from './crd-yaml.js';
import { boundsText, cell, typeText } from './field-text.js';

/** A shape that has a section of its own on the page. */
interface Section {
  readonly title: string;
  readonly schema: Schema;
  readonly place: Place;
}

interface Row {
  readonly path: string;
  readonly schema: Schema;
  readonly place: Place;
}

const HEAD = '| field | type | required | default | bounds | meaning |\n|---|---|---|---|---|---|\n';

/** Writes the reference page of one group. */
export class Page {
  readonly #kinds: readonly Kind[];
  readonly #sections = new Map<string, Section>();
  readonly #heading: string;

  constructor(heading: string, kinds: readonly Kind[]) {
    this.#heading = heading;
    this.#kinds = kinds;
    for (const kind of kinds) {
      for (const version of storedFirst(kind)) this.#collectRoot(kind, version);
    }
  }

  /** The whole page. */
  text(): string {
    const list = this.#kinds.map((kind) => `[${kind.kind}](#${kind.kind.toLowerCase()})`).join(', ');
    const sections = [...this.#sections.values()].toSorted((a, b) => (a.title < b.title ? -1 : 1));
    const shapes =
      sections.length === 0 ? '' : `\n## Shared shapes\n${sections.map((each) => this.#section(each)).join('')}`;
    return `# ${this.#heading}

${list}.

Written by \`npm run api:generate\`; [how to define a kind](../../guide/api-kinds.md).
${this.#kinds.map((kind) => this.#kind(kind)).join('')}${shapes}`;
  }

  #collectRoot(kind: Kind, version: KindVersion): void {
    for (const schema of Object.values(version.schema.properties ?? {})) {
      for (const property of Object.values(schema.properties ?? {})) this.#collect(property, kind, version);
    }
  }

  #collect(schema: Schema, kind: Kind, version: KindVersion): void {
    if (schema.name !== undefined) {
      const key = shapeKey(schema);
      if (this.#sections.has(key)) return;
      const place = Place.shape(kind, schema.name);
      this.#sections.set(key, { title: this.#title(schema.name, kind, version), schema, place });
    }
    for (const property of Object.values(schema.properties ?? {})) this.#collect(property, kind, version);
    const inner = schema.items ?? schema.values;
    if (inner !== undefined) this.#collect(inner, kind, version);
  }

  /** Two versions, and two kinds, may have different shapes by one name. */
  #title(name: string, { kind }: Kind, version: KindVersion): string {
    const taken = new Set([...this.#sections.values()].map((each) => each.title));
    const titles = [name, `${name} of ${version.name}`, `${name} of ${kind} ${version.name}`];
    return titles.slice(version.storage === true ? 0 : 1).find((title) => !taken.has(title)) ?? name;
  }

  #kind(kind: Kind): string {
    const meaning = Place.root(kind, '').meaning() ?? '';
    const facts = [
      kind.scope === 'Namespaced' ? 'Namespaced' : 'Cluster-wide',
      `\`${kind.plural}\``,
      ...(kind.shortNames === undefined ? [] : [`short ${kind.shortNames.map((name) => `\`${name}\``).join(', ')}`]),
      ...(kind.categories === undefined ? [] : [`category ${kind.categories.map((name) => `\`${name}\``).join(', ')}`]),
    ];
    const files = crdFiles(kind).map(({ path, gates }) => {
      const variant = gates.length === 0 ? '' : ` with ${gates.join(', ')}`;
      return `[CRD${variant}](../../../api/crds/${path})`;
    });
    const versions = storedFirst(kind).map((version) => this.#version(kind, version));
    return `\n## ${kind.kind}\n\n${meaning}\n\n${facts.join(', ')}. ${files.join(', ')}.\n${versions.join('')}`;
  }

  #version(kind: Kind, version: KindVersion): string {
    const state = [
      ...(version.storage === true ? ['stored'] : []),
      version.served === false ? 'not served' : 'served',
      ...(version.deprecated === true ? ['deprecated'] : []),
      ...(version.subresources?.status === true ? ['status subresource'] : []),
      ...(version.subresources?.scale === undefined ? [] : ['scale subresource']),
    ];
    const columns = (version.columns ?? []).map(({ name, jsonPath }) => `${name} (\`${jsonPath}\`)`);
    const shown = columns.length === 0 ? '' : `\n\nColumns: ${columns.join(', ')}.`;
    const rules = boundsText(version.schema);
    const held = rules === '' ? '' : `\n\nOf the whole object: ${rules}.`;
    const root = Place.root(kind, version.name).within(version.schema);
    const rows = Object.entries(version.schema.properties ?? {}).flatMap(([key, schema]) => {
      const place = root.property(key).within(schema);
      return [{ path: key, schema, place }, ...this.#below(schema, key, place)];
    });
    return `\n### ${kind.kind} ${version.name}\n\n${capital(state.join(', '))}.${shown}${held}\n\n${this.#table(rows)}`;
  }

  #section({ title, schema, place }: Section): string {
    const meaning = place.meaning();
    const rules = boundsText({ ...schema, facts: { ...schema.facts, nullable: undefined } });
    const sentences = [...(meaning === undefined ? [] : [meaning]), ...(rules === '' ? [] : [`Bounds: ${rules}.`])];
    const text = sentences.length === 0 ? '' : `${sentences.join(' ')}\n\n`;
    return `\n### ${title}\n\n${text}${this.#table(this.#below(schema, '', place))}`;
  }

  /** The fields below a node, up to shapes with a section of their own. */
  #below(schema: Schema, path: string, place: Place): Row[] {
    const inner = schema.items ?? schema.values;
    if (inner !== undefined) {
      if (this.#sectionOf(inner) !== undefined) return [];
      return this.#below(inner, `${path}${schema.items === undefined ? '{}' : '[]'}`, place.element().within(inner));
    }
    return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
      const below = path === '' ? key : `${path}.${key}`;
      const at = place.property(key).within(property);
      const row = { path: below, schema: property, place: at };
      return this.#sectionOf(property) === undefined ? [row, ...this.#below(property, below, at)] : [row];
    });
  }

  #sectionOf(schema: Schema): string | undefined {
    return schema.name === undefined ? undefined : this.#sections.get(shapeKey(schema))?.title;
  }

  #table(rows: readonly Row[]): string {
    const lines = rows.map(({ path, schema, place }) => {
      const given = schema.facts['default'];
      const cells = [
        `\`${path}\``,
        typeText(schema, (each) => this.#sectionOf(each)),
        schema.optional === true ? '' : 'yes',
        given === undefined ? '' : `\`${cell(JSON.stringify(given))}\``,
        boundsText(schema),
        cell(place.meaning() ?? schema.doc ?? ''),
      ];
      return `| ${cells.join(' | ')} |`.replaceAll(/ {2,}/g, ' ');
    });
    return `${HEAD}${lines.join('\n')}\n`;
  }
}

function storedFirst(kind: Kind): KindVersion[] {
  return kind.versions.toSorted((a, b) => Number(b.storage === true) - Number(a.storage === true));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
