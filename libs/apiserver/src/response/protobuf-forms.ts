import { BrokenInvariant } from '../errors.js';
import { structByName } from '@capstan/api/kubernetes';
import type { JsonObject } from '@capstan/meta';
import { encodeMessage, encodeProtobuf, writeEnvelope, writeListEnvelope } from '../protobuf/index.js';
import type { Stored } from '../store/index.js';
import type { ListMeta, ObjectForm } from './forms.js';

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

/** The body of a list. */
export function encodeProtobufList(form: ObjectForm, items: readonly Stored[], metadata: ListMeta): Uint8Array {
  const struct = structByName('meta/v1.ListMeta');
  if (struct === undefined) throw new BrokenInvariant('the type tables have no ListMeta');
  const { apiVersion, listKind } = form.shownAs;
  const head = encodeProtobuf(struct, metadata as unknown as JsonObject);
  return writeListEnvelope(
    apiVersion,
    listKind,
    head,
    items.map((stored) => messageOf(form, stored)),
  );
}
