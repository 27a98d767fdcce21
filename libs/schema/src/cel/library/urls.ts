/** URLs. */
import { CelMap } from '../values/collections.js';
import { global, method } from './declarations.js';
import type { FunctionDeclaration } from './declarations.js';
import { checkRequestUri, escapedPath, hostname, parseUrl, port, queryOf, UrlError } from '../values/go-url.js';
import type { GoUrl } from '../values/go-url.js';
import { noOverload } from '../values/order.js';
import { boolType, listType, mapType, stringType } from '../types/types.js';
import type { CelType } from '../types/types.js';
import { CelError, CelOpaque } from '../values/values.js';
import type { CelValue } from '../values/values.js';
import { urlType } from './kinds.js';

class CelUrl extends CelOpaque {
  readonly typeName = 'kubernetes.URL';
  readonly url: GoUrl;
  constructor(url: GoUrl) {
    super();
    this.url = url;
  }
  get text(): string {
    const { scheme, opaque, userinfo, host, rawQuery, fragment } = this.url;
    return JSON.stringify([scheme, opaque, userinfo, host, escapedPath(this.url), rawQuery, fragment]);
  }
  equals(other: CelOpaque): boolean {
    return other instanceof CelUrl && other.text === this.text;
  }
}

function toUrl(value: CelValue): CelValue {
  if (typeof value !== 'string') return noOverload;
  try {
    return new CelUrl(parseUrl(value));
  } catch (error) {
    if (!(error instanceof UrlError)) throw error;
    return new CelError(`URL parse error during conversion from string: ${error.message}`);
  }
}

/** Why a text is no request URI, or undefined. */
export function urlComplaint(text: string): string | undefined {
  try {
    checkRequestUri(text);
    return undefined;
  } catch (error) {
    if (error instanceof UrlError) return error.message;
    throw error;
  }
}

function part(
  name: string,
  id: string,
  get: (url: GoUrl) => CelValue,
  type: CelType = stringType,
): FunctionDeclaration {
  return {
    name,
    overloads: [method(id, [urlType], type, (url) => (url instanceof CelUrl ? get(url.url) : noOverload))],
  };
}

function query(url: GoUrl): CelValue {
  const map = new CelMap();
  for (const [key, values] of queryOf(url)) map.set(key, values);
  return map;
}

/** Functions on URLs. */
export const urlFunctions: readonly FunctionDeclaration[] = [
  { name: 'url', overloads: [global('string_to_url', [stringType], urlType, toUrl)] },
  part('getScheme', 'url_get_scheme', (url) => url.scheme),
  part('getHost', 'url_get_host', (url) => url.host),
  part('getHostname', 'url_get_hostname', hostname),
  part('getPort', 'url_get_port', port),
  part('getEscapedPath', 'url_get_escaped_path', escapedPath),
  part('getQuery', 'url_get_query', query, mapType(stringType, listType(stringType))),
  {
    name: 'isURL',
    overloads: [
      global('is_url_string', [stringType], boolType, (text) =>
        typeof text === 'string' ? urlComplaint(text) === undefined : noOverload,
      ),
    ],
  },
];
