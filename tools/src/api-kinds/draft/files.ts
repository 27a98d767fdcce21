import { posix } from 'node:path';
import * as model from '@capstan/api/model';
import type { Schema } from '@capstan/api/model';

import { shapeKey } from '../shape-key.js';
import { print } from './code.js';
import type { PublishedCrd } from './crd-file.js';
import type { DraftedKind } from './emit-kind.js';
import { kindCode, versionTypeName } from './emit-kind.js';
import { SchemaWriter } from './emit-schema.js';
import { camel, kebab, pascal } from './names.js';
import type { Shape } from './shapes.js';
import { Shapes } from './shapes.js';
import type { DraftGroup } from './sources.js';

/** Shapes of Kubernetes itself, which the model defines. */
const wellKnown: ReadonlyMap<string, string> = new Map([
  [shapeKey(model.condition), 'condition'],
  [shapeKey(model.labelSelector), 'labelSelector'],
]);

/** The files of one group by their path in its folder. */
export function draftFiles(group: DraftGroup, kinds: readonly DraftedKind[]): Map<string, string> {
  const shapes = new Shapes(
    kinds.flatMap((each) => each.versions),
    group.names ?? {},
    [...reservedNames, ...kinds.flatMap(({ crd }) => typeNamesOf(crd))],
  ).named();
  const named = new Map(shapes.filter(({ key }) => !wellKnown.has(key)).map((shape) => [shape.key, shape]));
  const files = new Map<string, string>();
  const shared = [...named.values()].filter((each) => each.owner === undefined);
  if (shared.length > 0) files.set('tables/shared.ts', new FileWriter(group, named).shapes(shared));
  for (const kind of kinds) {
    const file = new FileWriter(group, named);
    const own = [...named.values()].filter((each) => each.owner === kind.crd.spec.names.kind);
    files.set(`tables/${kebab(kind.crd.spec.names.kind)}.ts`, file.kind(kind, own));
  }
  return files.set('index.ts', indexFile(group, kinds, [...named.values()]));
}

/** Names that a file of shapes uses for something else. */
const reservedNames = [
  ...Object.keys(model).map(pascal),
  'Infer',
  'KindOf',
  'ObjectMeta',
  'Schema',
  'Kind',
  'Meanings',
  // Words of the language.
  ...['class', 'default', 'delete', 'export', 'function', 'import', 'new', 'package', 'private', 'public'].map(pascal),
];

function typeNamesOf(crd: PublishedCrd): string[] {
  return crd.spec.versions.map((version) => versionTypeName(crd.spec.names.kind, version));
}

function notice(group: DraftGroup): string {
  return `// Drafted by tools/src/api-kinds/draft from ${group.module}; not edited by hand.\n`;
}

function relativeTo(folder: string, target: string): string {
  const path = posix.relative(folder, target);
  return path.startsWith('.') ? path : `./${path}`;
}

function importLine(names: Iterable<string>, from: string, keyword = 'import'): string {
  const sorted = [...names].toSorted();
  if (sorted.length === 0) return '';
  const flat = `${keyword} { ${sorted.join(', ')} } from '${from}';\n`;
  if (flat.length <= 121) return flat;
  return `${keyword} {\n${sorted.map((name) => `  ${name},\n`).join('')}} from '${from}';\n`;
}

class FileWriter {
  readonly #group: DraftGroup;
  readonly #shared = new Set<string>();
  readonly #writer: SchemaWriter;

  constructor(group: DraftGroup, named: ReadonlyMap<string, Shape>) {
    this.#group = group;
    this.#writer = new SchemaWriter((schema: Schema) => {
      if (schema.properties === undefined) return undefined;
      const key = shapeKey(schema);
      const known = wellKnown.get(key);
      if (known !== undefined) {
        this.#writer.used.add(known);
        return known;
      }
      const shape = named.get(key);
      if (shape === undefined) return undefined;
      const constant = camel(shape.typeName);
      if (shape.owner === undefined) this.#shared.add(constant);
      return constant;
    });
  }

  /** A file of shapes alone. */
  shapes(shapes: readonly Shape[]): string {
    const body = shapes.map((each) => this.#shape(each)).join('\n');
    this.#shared.clear();
    return this.#file(body, ['Infer', 'Schema'], ['named']);
  }

  /** The file of a kind: its own shapes, the kind, and the types of its versions. */
  kind(drafted: DraftedKind, own: readonly Shape[]): string {
    const { names, group, versions } = drafted.crd.spec;
    const constant = camel(names.kind);
    const shapes = own.map((each) => `${this.#shape(each)}\n`).join('');
    const code = `const ${constant} = ${print(kindCode(drafted, this.#group, this.#writer), 0, 20)}`;
    const types = versions.map(
      (version) => `
/** ${names.kind} in \`${group}/${version.name}\`. */
export type ${versionTypeName(names.kind, version)} = KindOf<typeof ${constant}, '${version.name}'>;
`,
    );
    const body = `${shapes}/** The kind ${names.kind}. */\nexport ${code};\n${types.join('')}`;
    const typeNames = own.length > 0 ? ['Infer', 'KindOf', 'Schema'] : ['KindOf'];
    return this.#file(body, typeNames, ['kind', ...(own.length > 0 ? ['named'] : [])], ['meanings']);
  }

  #shape({ schema, name, typeName }: Shape): string {
    const constant = camel(typeName);
    const within = typeName === name ? '' : ` in ${typeName.slice(name.length).toLowerCase()}`;
    const code = print(this.#writer.write(schema, true), 0, constant.length + 15);
    return `const ${constant}Shape = ${code};

/** A value of the shape ${name}${within}. */
export interface ${typeName} extends Infer<typeof ${constant}Shape> {}

/** The shape ${name}${within}. */
export const ${constant}: Schema<${typeName}> = named('${name}', ${constant}Shape);
`;
  }

  #file(
    body: string,
    types: readonly string[],
    functions: readonly string[],
    meanings: readonly string[] = [],
  ): string {
    const folder = posix.join(this.#group.folder, 'tables');
    const modelPath = relativeTo(folder, 'model/index.js');
    return [
      notice(this.#group),
      importLine(types, modelPath, 'import type'),
      importLine([...this.#writer.used, ...functions], modelPath),
      importLine(meanings, '../meanings.table.js'),
      importLine(this.#shared, './shared.js'),
      '\n',
      body,
    ].join('');
  }
}

function indexFile(group: DraftGroup, kinds: readonly DraftedKind[], shapes: readonly Shape[]): string {
  const names = kinds.map(({ crd }) => crd.spec.names.kind);
  const modelPath = relativeTo(group.folder, 'model/index.js');
  const imports = names.map((name) => `import { ${camel(name)} } from './tables/${kebab(name)}.js';\n`).toSorted();
  const exported = kinds.map(({ crd }) => {
    const { kind } = crd.spec.names;
    const own = shapes.filter((each) => each.owner === kind).map((each) => each.typeName);
    const types = [...crd.spec.versions.map((version) => versionTypeName(kind, version)), ...own];
    return importLine(types, `./tables/${kebab(kind)}.js`, 'export type');
  });
  const shared = shapes.filter((each) => each.owner === undefined).map((each) => each.typeName);
  const constants = names.map(camel);
  return `${notice(group)}import type { Kind } from '${modelPath}';
${imports.join('')}
/** Every kind of the group. */
export const kinds: readonly Kind[] = ${print({ items: constants }, 0, 40)};

${importLine(constants, '', 'export').replace(/ from '';/, ';')}${exported.toSorted().join('')}${importLine(shared, './tables/shared.js', 'export type')}`;
}
