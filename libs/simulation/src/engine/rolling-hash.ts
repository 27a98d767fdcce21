const PRIME = 0x01000193;

/** A running digest of everything that happened, in order. Two runs with the same digest are the same run. */
export class RollingHash {
  #low = 0x811c9dc5;
  #high = 0x9e3779b9;

  text(value: string): void {
    let low = this.#low;
    let high = this.#high;
    for (let index = 0; index < value.length; index += 1) {
      const unit = value.charCodeAt(index);
      low = Math.imul(low ^ unit, PRIME);
      high = Math.imul(high ^ unit ^ (low >>> 15), 0x85ebca6b);
    }
    this.#low = Math.imul(low ^ value.length, PRIME);
    this.#high = high;
  }

  /** A JSON value, its keys in the order they have. */
  value(value: unknown): void {
    if (typeof value === 'string') this.text(value);
    else if (Array.isArray(value)) {
      this.text(`[${value.length}`);
      for (const item of value) this.value(item);
    } else if (typeof value === 'object' && value !== null) {
      this.text('{');
      for (const [key, item] of Object.entries(value)) {
        this.text(key);
        this.value(item);
      }
    } else this.text(String(value));
  }

  /** Sixteen hexadecimal digits. */
  get digest(): string {
    const part = (word: number): string => (word >>> 0).toString(16).padStart(8, '0');
    return `${part(this.#high)}${part(this.#low)}`;
  }
}
