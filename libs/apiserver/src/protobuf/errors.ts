/** Bytes that are not the message they should be; the message is the one Go gives. */
export class ProtobufError extends Error {
  override readonly name = 'ProtobufError';
}

/** The bytes end inside something. */
export function unexpectedEnd(): ProtobufError {
  return new ProtobufError('unexpected EOF');
}

/** A number of more than 64 bits. */
export function integerOverflow(): ProtobufError {
  return new ProtobufError('proto: integer overflow');
}

/** A length with the sign bit set, or one that leads beyond all memory. */
export function negativeLength(): ProtobufError {
  return new ProtobufError('proto: negative length found during unmarshaling');
}

/** The field is encoded in another way than its type is. */
export function wrongWireType(wire: number, field: string): ProtobufError {
  return new ProtobufError(`proto: wrong wireType = ${wire} for field ${field}`);
}

/** More nests in each other than can be handled. */
export function tooDeep(): ProtobufError {
  return new ProtobufError('exceeded max depth');
}
