import type { Random } from '@capstan/meta';
import { chance, pick } from '../spoil.js';
import { GRAMMAR } from './grammar.table.js';

/** A variable that an expression is inside of. */
interface Variable {
  readonly name: string;
  readonly type: string;
}

/** Types a whole expression may have: what is asked most is drawn most. */
const TYPES = 'bool bool int string li ls opt double dur ts mi obj lo'.split(' ');
/** How often another type stands where one is asked, of a hundred times. */
const MISTYPED = 3;
const MAX_DEPTH = 4;

/** What a template is made of: an expression, a new variable, one that is there, or the object. */
const PART = /<([a-z|]+)>|\$([a-z]+)|#(\d)|\bS\b/g;

class Writer {
  readonly #random: Random;
  readonly #root: string;
  #named = 0;

  constructor(random: Random, root: string) {
    this.#random = random;
    this.#root = root;
  }

  write(asked: string, depth: number, scope: readonly Variable[]): string {
    const random = this.#random;
    const type = chance(random, MISTYPED) ? pick(random, Object.keys(GRAMMAR)) : asked;
    const known = scope.filter((variable) => variable.type === type);
    if (known.length > 0 && chance(random, 30)) return pick(random, known).name;
    const production = GRAMMAR[type];
    if (production === undefined) throw new Error(`nothing is of type ${type}`);
    return this.#fill(pick(random, depth <= 0 ? production.leaves : production.forms), depth, scope);
  }

  #fill(template: string, depth: number, scope: readonly Variable[]): string {
    const own: Variable[] = [];
    return template.replaceAll(PART, (_part, types?: string, variable?: string, place?: string) => {
      if (types !== undefined) return this.write(pick(this.#random, types.split('|')), depth - 1, [...scope, ...own]);
      if (place !== undefined) return own[Number(place) - 1]?.name ?? 'none';
      if (variable === undefined) return this.#root;
      this.#named += 1;
      own.push({ name: `v${this.#named}`, type: variable });
      return `v${this.#named}`;
    });
  }
}

/** A random expression about the object of that name; most are well typed. */
export function randomExpression(random: Random, root: string): string {
  return new Writer(random, root).write(pick(random, TYPES), 1 + random.below(MAX_DEPTH), []);
}
