/**
 * `/openapi/v2` in the one form kubectl asks it for: protobuf. Old clients read from it whether the server checks fields,
 * newer ones when a kind is not in v3; both look for one PATCH with `fieldValidation`, so that is what there is.
 */

/** The media type of the protobuf form. */
export const OPENAPI_V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';

const encoder = new TextEncoder();

/** A length-delimited protobuf field: text or a message. */
function field(number: number, ...parts: readonly (string | Uint8Array)[]): Uint8Array {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part)));
  return Buffer.concat([varint((number << 3) | 2), varint(body.length), body]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

let document: Uint8Array | undefined;

/** The document: swagger, info and one path. The numbers are those of the gnostic OpenAPI v2 messages. */
export function minimalOpenApiV2(version: string): Uint8Array {
  if (document !== undefined) return document;
  const parameter = field(3, field(2, 'query'), field(4, 'fieldValidation'), field(6, 'string'));
  const kind = field(
    13,
    field(1, 'x-kubernetes-group-version-kind'),
    field(2, field(2, 'group: ""\nkind: Namespace\nversion: v1\n')),
  );
  const patch = field(8, field(8, field(1, field(2, parameter))), field(9), kind);
  const path = field(2, field(1, '/api/v1/namespaces/{name}'), field(2, patch));
  document = Buffer.concat([field(1, '2.0'), field(2, field(1, 'Kubernetes'), field(2, version)), field(8, path)]);
  return document;
}
