/** Data directories: what is loaded only where something is to be kept. */
export { openData } from './open.js';
export type { OpenData } from './open.js';
export { logReport } from './report.js';
export type { DataJournal } from './data-journal.js';
