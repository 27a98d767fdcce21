import { expect, it } from 'vitest';
import { createProgram } from './program.js';
import { commandReference } from './reference.js';
import { TestIo } from './testing-io.js';

it('The reference page says what --help says (vitest -u writes it anew)', async () => {
  const program = createProgram({ io: new TestIo(), exitCode: 0 });
  await expect(commandReference(program)).toMatchFileSnapshot('../../../docs/reference/cli.md');
});
