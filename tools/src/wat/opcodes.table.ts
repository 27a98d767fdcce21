/** An instruction: its bytes, and what follows them. */
export interface Instruction {
  readonly code: readonly number[];
  readonly takes: 'block' | 'local' | 'label' | 'number' | 'memory' | undefined;
  /** Power of two by which an address is aligned. */
  readonly align: number;
}

type Row = readonly [name: string, code: readonly number[], takes?: Instruction['takes'], align?: number];

const SIMD = 0xfd;

const ROWS: readonly Row[] = [
  ['block', [0x02], 'block'],
  ['loop', [0x03], 'block'],
  ['if', [0x04], 'block'],
  ['else', [0x05]],
  ['end', [0x0b]],
  ['br', [0x0c], 'label'],
  ['br_if', [0x0d], 'label'],
  ['return', [0x0f]],
  ['local.get', [0x20], 'local'],
  ['local.set', [0x21], 'local'],
  ['local.tee', [0x22], 'local'],
  ['i64.load', [0x29], 'memory', 3],
  ['i64.store', [0x37], 'memory', 3],
  ['i32.const', [0x41], 'number'],
  ['i64.const', [0x42], 'number'],
  ['i32.eqz', [0x45]],
  ['i32.lt_s', [0x48]],
  ['i32.ge_u', [0x4f]],
  ['i64.eqz', [0x50]],
  ['i64.eq', [0x51]],
  ['i32.add', [0x6a]],
  ['i32.sub', [0x6b]],
  ['i32.mul', [0x6c]],
  ['i32.and', [0x71]],
  ['i32.or', [0x72]],
  ['i32.shl', [0x74]],
  ['i32.shr_u', [0x76]],
  ['i64.ctz', [0x7a]],
  ['i64.popcnt', [0x7b]],
  ['i64.sub', [0x7d]],
  ['i64.and', [0x83]],
  ['i64.or', [0x84]],
  ['i64.xor', [0x85]],
  ['i64.shl', [0x86]],
  ['i64.shr_s', [0x87]],
  ['i64.shr_u', [0x88]],
  ['i32.wrap_i64', [0xa7]],
  ['i64.extend_i32_u', [0xad]],
  ['v128.load', [SIMD, 0x00], 'memory', 4],
  ['i8x16.splat', [SIMD, 0x0f]],
  ['i8x16.eq', [SIMD, 0x23]],
  ['v128.or', [SIMD, 0x50]],
  ['i8x16.bitmask', [SIMD, 0x64]],
];

/** The instructions that we use. */
export const OPCODES: ReadonlyMap<string, Instruction> = new Map(
  ROWS.map(([name, code, takes, align = 0]) => [name, { code, takes, align }]),
);

/** The types of values. */
export const TYPES: ReadonlyMap<string, number> = new Map([
  ['i32', 0x7f],
  ['i64', 0x7e],
  ['v128', 0x7b],
]);
