/** Something that has bytes to write. */
export interface Outgoing {
  /** Writes them, where that has not been done. */
  goOut(): void;
}

let waiting: Outgoing[] = [];
/** The list of the turn before, empty. */
let spare: Outgoing[] = [];

/**
 * Lets something write once all that has come in this turn has been read. A write wakes whoever waits at the other end of
 * the connection: writes that follow each other at once find it awake already, where each of those that are made between
 * one piece of work and the next wakes it again, and puts us off the processor.
 */
export function writeAfterReads(one: Outgoing): void {
  if (waiting.length === 0) setImmediate(writeAll);
  waiting.push(one);
}

function writeAll(): void {
  const list = waiting;
  waiting = spare;
  for (const one of list) one.goOut();
  list.length = 0;
  spare = list;
}
