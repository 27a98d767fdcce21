import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { assemble } from './assemble.js';
import { scannerModule } from './scanner-module.js';

const folder = join(import.meta.dirname, '../../../libs/translate/src/json');

const twice =
  '(module (memory (export "memory") 1) (func (export "twice") (param $x i32) (result i32) local.get $x local.get $x i32.add))';

describe('assembling', () => {
  it('is what the committed code of the scanner was made by', () => {
    const text = readFileSync(join(folder, 'scanner.wat'), 'utf8');
    expect(scannerModule(assemble(text))).toBe(readFileSync(join(folder, 'scanner-code.ts'), 'utf8'));
  });

  it('writes the bytes that the format asks for', () => {
    expect(Buffer.from(assemble(twice)).toString('hex')).toBe(
      '0061736d0100000001060160017f017f03020100050301000107120206' +
        '6d656d6f727902000574776963650000' +
        '0a0901070020002000' +
        '6a0b',
    );
  });

  it.each([
    ['(module (memory (export "memory") 1) (func (export "f") nonsense))', 'nonsense is no instruction we know'],
    ['(module (table 1))', 'table is no field we know'],
    ['(module (func (export "f") local.get $x))', '$x is not declared'],
    ['(module', 'a text is one list in parentheses'],
    ['module)', 'a parenthesis closes that was not opened'],
  ])('refuses %s', (text, message) => {
    expect(() => assemble(text)).toThrow(message);
  });
});
