import type { Kind, Meanings } from './kind.js';
import type { Schema } from './schema.js';
import { wellKnownMeanings } from './well-known.js';

/** A shape that a place lies in, and the way from that shape to the place. */
interface Enclosing {
  readonly name: string;
  readonly path: string;
}

/**
 * A place in a definition, seen from everything that has a name around it. The outermost name wins, because it says
 * most about the place: `MachineSet.spec.template` before `MachineTemplate`.
 */
export class Place {
  readonly #meanings: Meanings;
  readonly #enclosing: readonly Enclosing[];
  /** How many of them say nothing of this place, but of the list or map it is an element of. */
  readonly #silent: number;

  private constructor(meanings: Meanings, enclosing: readonly Enclosing[], silent = 0) {
    this.#meanings = meanings;
    this.#enclosing = enclosing;
    this.#silent = silent;
  }

  /** The root of a kind in one version. */
  static root(of: Kind, version: string): Place {
    const names = [`${of.kind}@${version}`, of.kind];
    return new Place(
      of.meanings ?? {},
      names.map((name) => ({ name, path: '' })),
    );
  }

  /** The place of a property. */
  property(key: string): Place {
    return new Place(
      this.#meanings,
      this.#enclosing.map(({ name, path }) => ({ name, path: path === '' ? key : `${path}.${key}` })),
    );
  }

  /** The place of what a list or a map holds. */
  element(): Place {
    return new Place(this.#meanings, this.#enclosing, this.#enclosing.length);
  }

  /** The same place, once it is known which shape it has. */
  within(schema: Schema): Place {
    const { name } = schema;
    if (name === undefined) return this;
    return new Place(this.#meanings, [...this.#enclosing, { name, path: '' }], this.#silent);
  }

  /** The same shape, seen from itself alone: for what holds wherever the shape is used. */
  alone(): Place {
    return new Place(this.#meanings, this.#enclosing.slice(-1));
  }

  /** Under which keys the meaning of the place is looked for, in that order. */
  keys(): string[] {
    return this.#enclosing.slice(this.#silent).map(({ name, path }) => (path === '' ? name : `${name}.${path}`));
  }

  /** What is said of the place. */
  meaning(): string | undefined {
    for (const key of this.keys()) {
      const said = this.#meanings[key] ?? wellKnownMeanings[key];
      if (said !== undefined) return said;
    }
    return undefined;
  }
}
