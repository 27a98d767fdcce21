/** The capstan command. */
export { main } from './main.js';
export { processIo } from './io.js';
export type { Io } from './io.js';
