import type { Shape } from '../json/shape.js';

/** One kind of object as it is translated. */
export interface Surface {
  /** An object of the kind, whether written or read. */
  readonly object: Shape;
  /** The shape for one given document, where members that come later decide. Default: `object`. */
  readonly forDocument?: ((document: unknown) => Shape) | undefined;
  /** The verdict on an object by its name: those of the hidden groups are left out of lists and watches. */
  readonly decideByName?: ((name: string) => 'keep' | 'drop') | undefined;
  /** The other name of an object whose name carries a group. */
  readonly swapName?: ((name: string) => string) | undefined;
}
