export { OPENAPI_V2_PROTOBUF, minimalOpenApiV2 } from './minimal-v2.js';
export { buildDocument, type DocumentInput } from './document.js';
export { OpenApiIndex, type OpenApiOptions, type OpenApiResponse } from './openapi-index.js';
export { SchemaCollector, type Schema } from './schemas.js';
