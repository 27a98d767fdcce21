import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assemble } from './assemble.js';
import { scannerModule } from './scanner-module.js';

const folder = join(import.meta.dirname, '../../../libs/translate/src/json');
writeFileSync(
  join(folder, 'scanner-code.ts'),
  scannerModule(assemble(readFileSync(join(folder, 'scanner.wat'), 'utf8'))),
);
