/** Sizes of data from the bounds its declared types carry. */
import type { SizeEstimator } from './cost-ranges.js';
import type { CelType } from './types.js';

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
