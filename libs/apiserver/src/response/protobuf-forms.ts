import { BrokenInvariant } from '../errors.js';
import { structByName } from '@capstan/api/kubernetes';
import type { JsonObject } from '@capstan/meta';
import { encodeMessage, encodeProtobuf, listEnvelopeParts, partSize, writeEnvelope } from '../protobuf/index.js';
import type { Stored } from '../store/index.js';
import type { ObjectForm } from './forms.js';
import type { ListMeta } from './list-body.js';
import { NO_BYTES } from './pieces.js';

/** So many messages are weighed before others may come in between. */
const WEIGHED_AT_ONCE = 64;

/** The message of one stored object, without its envelope: kept with the object, for bodies, lists and events alike. */
function messageOf(form: ObjectForm, stored: Stored): Uint8Array {
  const encode = (): Uint8Array =>
    encodeMessage(form.show(form.object(stored), true) as { apiVersion: string; kind: string });
  return form.key === undefined ? encode() : stored.memo(`message:${form.key}`, encode);
}

/** The body of one stored object. */
export function encodeProtobufAs(form: ObjectForm, stored: Stored): Uint8Array {
  return writeEnvelope(form.shownAs.apiVersion, form.shownAs.kind, messageOf(form, stored));
}

/** How long a message is, which is small enough to be remembered where the message is not. */
function messageSize(form: ObjectForm, stored: Stored): number {
  const weigh = (): number => messageOf(form, stored).length;
  return form.key === undefined ? weigh() : stored.fact(`size:${form.key}`, weigh);
}

/**
 * The body of a list. Its length stands before it, so that all messages are weighed first; those that are not at hand any
 * more when their turn comes are made once more, which costs less than to keep them all.
 */
export function* protobufListParts(
  form: ObjectForm,
  items: readonly Stored[],
  metadata: ListMeta,
): Iterable<Uint8Array> {
  const struct = structByName('meta/v1.ListMeta');
  if (struct === undefined) throw new BrokenInvariant('the type tables have no ListMeta');
  let size = 0;
  for (const [at, stored] of items.entries()) {
    size += partSize(messageSize(form, stored));
    if (at % WEIGHED_AT_ONCE === WEIGHED_AT_ONCE - 1) yield NO_BYTES;
  }
  const { apiVersion, listKind: kind } = form.shownAs;
  const head = encodeProtobuf(struct, metadata as unknown as JsonObject);
  yield* listEnvelopeParts({ apiVersion, kind, metadata: head, itemsSize: size }, messagesOf(form, items));
}

function* messagesOf(form: ObjectForm, items: readonly Stored[]): Iterable<Uint8Array> {
  for (const stored of items) yield messageOf(form, stored);
}
