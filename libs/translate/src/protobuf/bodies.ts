import type { BodyRewriter } from '../body.js';
import { BODY_LIMIT } from '../body.js';
import type { GroupMapping } from '../groups/mapping.js';
import { JsonRewriter } from '../json/rewriter.js';
import type { EncodedBody, Writing } from '../requests/types.js';
import { isHidden } from '../requests/updates.js';
import { fieldsOf } from '../surfaces/fields.js';
import { swapMessage } from '../surfaces/messages.js';
import type { Direction } from './naming.js';
import { OpenApiProtobuf } from './open-api.js';
import { ProtobufBody, ProtobufWatch, RESPONSE_LIMIT_BYTES } from './streams.js';
import { hasUid, ProtobufTranslator } from './translator.js';

/** Rewriters of protobuf bodies, as a translator of requests takes them. */
export function protobufBodies(
  mapping: GroupMapping,
  responseLimitBytes = RESPONSE_LIMIT_BYTES,
): (body: EncodedBody) => BodyRewriter {
  const writers = writersOf(mapping);
  const responses = translatorOf(mapping, 'response');
  return ({ route: { path, isOpenApiV2 }, isWatch, direction, writing = 'change' }) => {
    if (isOpenApiV2 === true) return new OpenApiProtobuf(mapping, responseLimitBytes);
    const route = { group: path?.group ?? '', version: path?.version ?? '', resource: path?.resource ?? '' };
    if (direction === 'request') return new ProtobufBody(writers[writing], route, BODY_LIMIT);
    if (isWatch) return new ProtobufWatch(responses, route);
    return new ProtobufBody(responses, route, responseLimitBytes, { isOfServer: true });
  };
}

function translatorOf(mapping: GroupMapping, direction: Direction): ProtobufTranslator {
  const { anywhere } = fieldsOf(mapping);
  return new ProtobufTranslator({
    mapping,
    direction,
    message: (text) => swapMessage(mapping, text),
    json: (bytes) => {
      const rewriter = new JsonRewriter(anywhere);
      return Buffer.concat([...rewriter.push(bytes), ...rewriter.end()]);
    },
  });
}

/** Translators of requests by what they do. */
function writersOf(mapping: GroupMapping): Readonly<Record<Writing, Pick<ProtobufTranslator, 'body'>>> {
  const change = translatorOf(mapping, 'request');
  const create = translatorOf(mapping.refusing, 'request');
  const createOrChange: Pick<ProtobufTranslator, 'body'> = {
    body: (bytes, route) => {
      try {
        return create.body(bytes, route);
      } catch (error) {
        if (!isHidden(error) || !hasUid(bytes)) throw error;
        return change.body(bytes, route);
      }
    },
  };
  return { create, createOrChange, change };
}
