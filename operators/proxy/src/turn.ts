/** Something that has bytes to write. */
export interface Outgoing {
  /** Writes them, where that has not been done. */
  goOut(): void;
}

/** Those that wait for the end of a turn. */
class Line {
  #waiting: Outgoing[] = [];
  /** The list of the turn before, empty. */
  #spare: Outgoing[] = [];

  push(one: Outgoing): void {
    this.#waiting.push(one);
  }

  goOut(): void {
    const list = this.#waiting;
    this.#waiting = this.#spare;
    for (const one of list) one.goOut();
    list.length = 0;
    this.#spare = list;
  }
}

const answers = new Line();
const requests = new Line();
let isDue = false;

/**
 * Lets something write once all that has come in this turn has been read. A write wakes the reader at the other end of
 * the connection: writes that follow each other at once find it awake already, where each of those that are made between
 * one piece of work and the next wakes it again, and puts us off the processor. Answers go before requests: a server that
 * was given something to do is likely to take the processor from us, and nobody should wait for that whose answer is here.
 */
export function writeAfterReads(one: Outgoing, kind: 'answer' | 'request'): void {
  if (!isDue) {
    isDue = true;
    setImmediate(writeAll);
  }
  (kind === 'answer' ? answers : requests).push(one);
}

function writeAll(): void {
  isDue = false;
  answers.goOut();
  requests.goOut();
}
