import { selectAccepted, type Conversion, type MediaType } from './accept.js';

/** The bodies an object endpoint can give instead of the object itself. */
export type TransformKind = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

/** How a client wants the answer of an object endpoint. */
export interface Negotiated {
  readonly mediaType: MediaType;
  readonly pretty: boolean;
  readonly as?: TransformKind;
  /** `meta.k8s.io` when `as` is given, else empty. */
  readonly group: string;
  /** `v1` or `v1beta1` when `as` is given, else empty. */
  readonly version: string;
}

/** What a 406 answer lists for finite bodies, even where protobuf is none of them. */
export const supportedMediaTypes: readonly string[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
];
/** What a 406 answer lists for watches. */
export const supportedStreamMediaTypes: readonly string[] = [
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
];

function isTransform(kind: string): kind is TransformKind {
  return kind === 'Table' || kind === 'PartialObjectMetadata' || kind === 'PartialObjectMetadataList';
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** Tables have no protobuf form; custom objects neither, but their metadata has. */
function allowsObject(conversion: Conversion | undefined, mediaType: MediaType, isCustom: boolean): boolean {
  if (conversion === undefined) return mediaType !== PROTOBUF || !isCustom;
  const { group, version, kind } = conversion;
  if (kind === 'Table' && mediaType === PROTOBUF) return false;
  return group === 'meta.k8s.io' && (version === 'v1' || version === 'v1beta1') && isTransform(kind);
}

/** Whether a Status goes out as protobuf: it is never converted to anything. */
export function wantsProtobufStatus(accept: string | undefined): boolean {
  if (accept === undefined || !accept.includes(PROTOBUF)) return false;
  return selectAccepted(accept, (conversion) => conversion === undefined)?.mediaType === PROTOBUF;
}

function negotiateUncached(accept: string | undefined, isCustom: boolean): Negotiated | 'not-acceptable' {
  const accepted = selectAccepted(accept, (conversion, mediaType) => allowsObject(conversion, mediaType, isCustom));
  if (accepted === undefined) return 'not-acceptable';
  const { mediaType, pretty, conversion } = accepted;
  if (conversion === undefined || !isTransform(conversion.kind)) return { mediaType, pretty, group: '', version: '' };
  return { mediaType, pretty, as: conversion.kind, group: conversion.group, version: conversion.version };
}

// Clients send a handful of distinct headers; the bound keeps a hostile one from growing the memory.
type Remembered = Map<string, Negotiated | 'not-acceptable'>;
const rememberedBuiltin: Remembered = new Map();
const rememberedCustom: Remembered = new Map();
const rememberedMax = 256;

/** Reads an Accept header for an object endpoint. With `stream` (watch) YAML is refused: it has no stream form. */
export function negotiate(
  accept: string | undefined,
  options: { readonly stream?: boolean; readonly isCustom?: boolean } = {},
): Negotiated | 'not-acceptable' {
  const header = accept ?? '';
  const isCustom = options.isCustom === true;
  const remembered = isCustom ? rememberedCustom : rememberedBuiltin;
  let result = remembered.get(header);
  if (result === undefined) {
    result = negotiateUncached(accept, isCustom);
    if (remembered.size >= rememberedMax) remembered.clear();
    if (header.length <= 1024) remembered.set(header, result);
  }
  // The real server settles on a type first and only then finds that it cannot be streamed: no second choice is tried.
  if (options.stream === true && result !== 'not-acceptable' && result.mediaType === 'application/yaml')
    return 'not-acceptable';
  return result;
}
