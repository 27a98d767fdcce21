import type { Instruction } from './opcodes.table.js';
import { OPCODES, TYPES } from './opcodes.table.js';
import { AssemblyError } from './errors.js';
import type { Node } from './parse.js';
import { parse } from './parse.js';

/** The magic number and the version. */
const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];

interface Func {
  readonly name: string;
  readonly params: readonly number[];
  readonly results: readonly number[];
  readonly locals: readonly number[];
  readonly code: readonly number[];
}

/** Assembles the part of the WebAssembly text format that we write: one memory, exported functions, flat instructions. */
export function assemble(text: string): Uint8Array {
  const [module, ...fields] = parse(text);
  if (module !== 'module') throw new AssemblyError('a text begins with (module');
  const funcs: Func[] = [];
  let memory: readonly Node[] = [];
  for (const field of fields) {
    if (typeof field === 'string') throw new AssemblyError(`${field} is no field of a module`);
    if (field[0] === 'memory') memory = field;
    else if (field[0] === 'func') funcs.push(assembleFunc(field.slice(1)));
    else throw new AssemblyError(`${String(field[0])} is no field we know`);
  }
  const types = funcs.map(({ params, results }) => [0x60, ...vector(params.map(byte)), ...vector(results.map(byte))]);
  const exported = funcs.map(({ name }, index) => [...string(name), 0, ...unsigned(index)]);
  const bodies = funcs.map(({ locals, code }) => {
    const body = [...vector(locals.map((type) => [1, type])), ...code, 0x0b];
    return [...unsigned(body.length), ...body];
  });
  return Uint8Array.from([
    ...HEADER,
    ...section(1, vector(types)),
    ...section(3, vector(funcs.map((_, index) => unsigned(index)))),
    ...section(5, vector([[0, ...unsigned(Number(memory[2]))]])),
    ...section(7, vector([[...string(exportName(memory[1])), 2, 0], ...exported])),
    ...section(10, vector(bodies)),
  ]);
}

function assembleFunc(nodes: readonly Node[]): Func {
  const names = new Map<string, number>();
  const params: number[] = [];
  const results: number[] = [];
  const locals: number[] = [];
  let at = 1;
  for (; Array.isArray(nodes[at]); at += 1) {
    const [what, first, second] = nodes[at] as readonly string[];
    if (what === 'result') results.push(typeOf(first));
    else {
      names.set(first ?? '', names.size);
      (what === 'param' ? params : locals).push(typeOf(second));
    }
  }
  return { name: exportName(nodes[0]), params, results, locals, code: assembleBody(nodes.slice(at), names) };
}

/** The words of a body, one instruction after another, with the labels that are open. */
function assembleBody(nodes: readonly Node[], names: ReadonlyMap<string, number>): number[] {
  const code: number[] = [];
  const labels: (string | undefined)[] = [];
  for (let at = 0; at < nodes.length;) {
    const word = String(nodes[at]);
    const instruction = OPCODES.get(word);
    if (instruction === undefined) throw new AssemblyError(`${word} is no instruction we know`);
    if (word === 'end') labels.pop();
    const { bytes, words } = immediate(instruction, nodes[at + 1], names, labels);
    code.push(...instruction.code, ...bytes);
    at += 1 + words;
  }
  return code;
}

/** What follows the code of an instruction, and how many words say it. */
function immediate(
  { takes, align }: Instruction,
  next: Node | undefined,
  names: ReadonlyMap<string, number>,
  labels: (string | undefined)[],
): { bytes: number[]; words: number } {
  if (takes === undefined) return { bytes: [], words: 0 };
  const word = typeof next === 'string' ? next : '';
  if (takes === 'block') {
    const isTyped = Array.isArray(next);
    labels.push(word.startsWith('$') ? word : undefined);
    return {
      bytes: [isTyped ? typeOf((next as readonly string[])[1]) : 0x40],
      words: isTyped || word.startsWith('$') ? 1 : 0,
    };
  }
  if (takes === 'memory') {
    const isOffset = word.startsWith('offset=');
    return {
      bytes: [align, ...unsigned(isOffset ? Number(word.slice('offset='.length)) : 0)],
      words: isOffset ? 1 : 0,
    };
  }
  return { bytes: operand(takes, word, names, labels), words: 1 };
}

function operand(
  takes: 'local' | 'label' | 'number',
  word: string,
  names: ReadonlyMap<string, number>,
  labels: readonly (string | undefined)[],
): number[] {
  if (takes === 'number') return signed(BigInt(word));
  const index = takes === 'local' ? (names.get(word) ?? -1) : labels.length - 1 - labels.lastIndexOf(word);
  if (index < 0 || index > names.size + labels.length) throw new AssemblyError(`${word} is not declared`);
  return unsigned(index);
}

function exportName(node: Node | undefined): string {
  const [what, name] = (node ?? []) as readonly string[];
  if (what !== 'export' || name === undefined) throw new AssemblyError('memory and functions must be exported');
  return name.slice(1, -1);
}

function typeOf(name: string | undefined): number {
  const type = TYPES.get(name ?? '');
  if (type === undefined) throw new AssemblyError(`${name} is no type`);
  return type;
}

const byte = (value: number): number[] => [value];

const section = (id: number, content: readonly number[]): number[] => [id, ...unsigned(content.length), ...content];

const vector = (items: readonly (readonly number[])[]): number[] => [...unsigned(items.length), ...items.flat()];

const string = (text: string): number[] => vector([...Buffer.from(text)].map(byte));

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

function signed(value: bigint): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7n) {
    const low = Number(rest & 0x7fn);
    const isLast = (rest >> 7n === 0n && (low & 0x40) === 0) || (rest >> 7n === -1n && (low & 0x40) !== 0);
    if (isLast) return [...bytes, low];
    bytes.push(low | 0x80);
  }
}
