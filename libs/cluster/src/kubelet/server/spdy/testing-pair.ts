import { Duplex } from 'node:stream';

/** One end of a connection within the process; what is written waits until the other end reads. */
class PairedDuplex extends Duplex {
  other: PairedDuplex | undefined;
  #written: (() => void) | undefined;

  override _read(): void {
    const written = this.#written;
    this.#written = undefined;
    written?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const { other } = this;
    if (other === undefined || other.destroyed) return done();
    if (other.push(Buffer.from(chunk))) done();
    else other.#written = done;
  }

  override _final(done: () => void): void {
    this.other?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this._read();
    if (this.other?.destroyed === false) this.other.push(null);
    done(error);
  }
}

/** Two ends of one connection. */
export function duplexPair(): [Duplex, Duplex] {
  const [left, right] = [new PairedDuplex(), new PairedDuplex()];
  left.other = right;
  right.other = left;
  return [left, right];
}
