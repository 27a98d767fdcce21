import type { BodyRewriter } from '../body.js';
import { WholeBody } from '../body.js';
import { TranslationError } from '../errors.js';
import type { RefusingMapping } from '../groups/mapping.js';
import { JsonRewriter } from '../json/rewriter.js';
import type { RewriterObserver, Shape } from '../json/shape.js';
import { members } from '../json/shape.js';
import { withMembers } from '../surfaces/fields.js';
import type { Surface } from '../surfaces/surface.js';

/*
 * PUT and server-side apply create what is not there. With `metadata.uid` they do not: a server then refuses unless it
 * has that very object. So a body with one writes back what was read, and may have the private names that reading showed.
 */

/** Whether an error is about a name that is hidden. */
export const isHidden = (error: unknown): boolean => error instanceof TranslationError && error.code === 'HIDDEN';

const noting = new WeakMap<Shape, Shape>();

/** The same shape, with the UID noted. */
function notingUid(object: Shape): Shape {
  let shape = noting.get(object);
  if (shape === undefined) {
    const metadata = withMembers(object.members?.get('metadata') ?? {}, { uid: { isNoted: true } });
    noting.set(object, (shape = withMembers(object, { metadata })));
  }
  return shape;
}

/** Rewrites an object as it passes; its end is refused if it has private names and no UID. Servers act at the end alone. */
export class UpdateRewriter implements BodyRewriter, RewriterObserver {
  readonly #mapping: RefusingMapping;
  readonly #json: JsonRewriter;
  #error: unknown;
  #uid = '';

  constructor(mapping: RefusingMapping, object: Shape) {
    this.#mapping = mapping;
    this.#json = new JsonRewriter(notingUid(object), this);
  }

  get peak(): number {
    return this.#json.peak;
  }

  push(chunk: Uint8Array): Uint8Array[] {
    return this.#json.push(chunk);
  }

  end(): Uint8Array[] {
    if (this.#error !== undefined && this.#uid === '') throw this.#error;
    return this.#json.end();
  }

  noted(uid: string): void {
    this.#uid = uid;
  }

  refused(error: unknown, again: () => string): string {
    if (!isHidden(error)) throw error;
    this.#error ??= error;
    return this.#mapping.leniently(again);
  }
}

/** A body that is held whole: refused if it has private names and no UID. */
export function whenNamed(
  make: (surface: Surface) => BodyRewriter,
  { refusing, surface }: { readonly refusing: Surface; readonly surface: Surface },
): BodyRewriter {
  return new WholeBody((body) => {
    try {
      return through(make(refusing), body);
    } catch (error) {
      if (!isHidden(error) || !namesOneObject(make, body)) throw error;
      return through(make(surface), body);
    }
  });
}

function through(rewriter: BodyRewriter, body: Uint8Array): Uint8Array {
  return Buffer.concat([...rewriter.push(body), ...rewriter.end()]);
}

/** Whether a body has one UID, where no two readers find two. */
function namesOneObject(make: (surface: Surface) => BodyRewriter, body: Uint8Array): boolean {
  const found: string[] = [];
  const uid: Shape = {
    text: (text) => {
      found.push(text);
      return text;
    },
  };
  let count = 0;
  const keys = (key: string): string => {
    if (key === 'metadata') count += 1;
    return key;
  };
  const object: Shape = { keys, members: members({ metadata: { members: members({ uid }) } }) };
  through(make({ object }), body);
  return count === 1 && found.length === 1 && found[0] !== '';
}
