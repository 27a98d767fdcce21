import { deepFreeze } from '@capstan/meta';
import type { WatchEventType, WatchFrame } from '@capstan/meta';
import type { Stored } from '../store/index.js';
import type { Encoding } from './encoding.js';
import { encodeAs, valueAs, type ObjectForm } from './forms.js';

/** One event; its bytes are put together from the object's own. */
export class ObjectFrame implements WatchFrame {
  readonly type: WatchEventType;
  readonly #form: ObjectForm;
  readonly #stored: Stored;
  #object: unknown;
  #bytes: Uint8Array | undefined;

  constructor(type: WatchEventType, form: ObjectForm, stored: Stored) {
    this.type = type;
    this.#form = form;
    this.#stored = stored;
  }

  object(): unknown {
    // Every watcher asks, some more than once, and some forms are encoded again for each.
    this.#object ??= valueAs(this.#form, this.#stored);
    return this.#object;
  }

  bytes(): Uint8Array {
    this.#bytes ??= this.#form.encoding.frame(this.type, encodeAs(this.#form, this.#stored));
    return this.#bytes;
  }
}

/** An event whose object is a value that nothing else holds. */
export class ValueFrame implements WatchFrame {
  readonly type: WatchEventType;
  readonly #encoding: Encoding;
  readonly #value: unknown;
  #bytes: Uint8Array | undefined;

  constructor(type: WatchEventType, encoding: Encoding, value: unknown) {
    this.type = type;
    this.#encoding = encoding;
    this.#value = value;
  }

  object(): unknown {
    return deepFreeze(this.#value);
  }

  bytes(): Uint8Array {
    this.#bytes ??= this.#encoding.frame(this.type, this.#encoding.body(this.#value));
    return this.#bytes;
  }
}
