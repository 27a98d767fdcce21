/** Every change of the acceptance table, for tests that ask servers. No program needs it. */
import { definitionRows } from './acceptance-definition.table.js';
import { resourceRows } from './acceptance-resources.table.js';
import { type Row, schemaRows } from './acceptance.table.js';

export type { Row } from './acceptance.table.js';

/** All rows. */
export const acceptanceRows: readonly Row[] = [...schemaRows, ...resourceRows, ...definitionRows];

export { invalidRows } from './invalid-definitions.table.js';
export type { InvalidRow } from './invalid-definitions.table.js';
