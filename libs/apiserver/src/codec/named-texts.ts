import type { StructDef, TypeRef } from '@capstan/api/kubernetes';

/** The type of what is at a field path, `spec.items[0].labels[a.b/c]`; undefined where nothing is known of it. */
function typeAt(struct: StructDef, path: string): TypeRef | undefined {
  let type: TypeRef | undefined = { kind: 'struct', pointer: false, struct };
  for (const [, name, inside] of path.matchAll(/\.?([^.[\]]+)|\[([^\]]*)(?:\]|$)/g)) {
    if (type?.kind === 'struct') type = type.struct.field(name ?? '')?.type;
    else if (type?.kind === 'list') type = inside === undefined ? undefined : type.element;
    else if (type?.kind === 'map') type = type.value;
    else return undefined;
  }
  return type;
}

/** Whether a field holds a text of a type of its own, which Go prints otherwise than any other text. */
export function isNamedText(struct: StructDef, path: string): boolean {
  const type = typeAt(struct, path);
  return type?.kind === 'scalar' && type.scalar === 'string' && type.goName !== undefined;
}
