/** Sizes of data from the bounds its declared types carry, and of literals. */
import type { CelNode } from '../syntax/ast.js';
import { fixed } from './ranges.js';
import type { SizeEstimator, SizeRange } from './ranges.js';
import { sizeOf } from '../library/standard.js';
import { dynType } from '../types/types.js';
import type { CelType } from '../types/types.js';
import { CelBoxed, CelBytes } from '../values/values.js';

const scalars = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function below(type: CelType, step: string): CelType | undefined {
  if (step === '@items' || step === '@values') {
    return type.kind === 'list' ? type.params[0] : type.kind === 'map' ? type.params[1] : undefined;
  }
  if (step === '@keys') return type.kind === 'map' ? type.params[0] : undefined;
  return type.kind === 'object' ? type.fields.get(step)?.type : undefined;
}

/** Worst-case sizes below a root; what the path starts from does not matter, for all variables share the type. */
export function declaredSizes(root: CelType): SizeEstimator {
  return (path) => {
    let type: CelType | undefined = root;
    for (const step of path.slice(1)) type = type && below(type, step);
    return type && { min: 0, max: type.hints.maxElements ?? 0 };
  };
}

/** Whether values of the type all have one size. */
export function isScalar(type: CelType): boolean {
  if (type.kind === 'opaque' && type.name === 'optional_type') return isScalar(type.params[0] ?? dynType);
  return scalars.has(type.kind);
}

/** The size a node shows by itself. */
export function literalSize(node: CelNode): SizeRange | undefined {
  if (node.kind === 'list') return fixed(node.elements.length);
  if (node.kind === 'map') return fixed(node.entries.length);
  if (node.kind !== 'literal') return undefined;
  const boxed = node.value instanceof CelBoxed && !(node.value instanceof CelBytes);
  return fixed(boxed ? 1 : (sizeOf(node.value) ?? 1));
}
