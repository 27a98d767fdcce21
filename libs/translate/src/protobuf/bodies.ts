import type { BodyRewriter } from '../body.js';
import { BODY_LIMIT } from '../body.js';
import type { GroupMapping } from '../groups/mapping.js';
import { JsonRewriter } from '../json/rewriter.js';
import type { EncodedBody } from '../requests/types.js';
import { fieldsOf } from '../surfaces/fields.js';
import { swapMessage } from '../surfaces/messages.js';
import type { Direction } from './naming.js';
import { OpenApiProtobuf } from './open-api.js';
import { ProtobufBody, ProtobufWatch, RESPONSE_LIMIT_BYTES } from './streams.js';
import { ProtobufTranslator } from './translator.js';

/** Rewriters of protobuf bodies, as a translator of requests takes them. */
export function protobufBodies(mapping: GroupMapping): (body: EncodedBody) => BodyRewriter {
  const { anywhere } = fieldsOf(mapping);
  const made = (direction: Direction): ProtobufTranslator =>
    new ProtobufTranslator({
      mapping,
      direction,
      message: (text) => swapMessage(mapping, text),
      json: (bytes) => {
        const rewriter = new JsonRewriter(anywhere);
        return Buffer.concat([...rewriter.push(bytes), ...rewriter.end()]);
      },
    });
  const requests = made('request');
  const responses = made('response');
  return ({ route: { path, isOpenApiV2 }, isWatch, direction }) => {
    if (isOpenApiV2 === true) return new OpenApiProtobuf(mapping);
    const route = { group: path?.group ?? '', version: path?.version ?? '', resource: path?.resource ?? '' };
    if (direction === 'request') return new ProtobufBody(requests, route, BODY_LIMIT);
    if (isWatch) return new ProtobufWatch(responses, route);
    return new ProtobufBody(responses, route, RESPONSE_LIMIT_BYTES, { isOfServer: true });
  };
}
