/** Mixes the rules into an ETag: when they change, what clients keep must be asked for again. */
export function mixEtag(etag: string, hash: string): string {
  return etag.endsWith('"') ? `${etag.slice(0, -1)}-${hash}"` : etag;
}

/** The tags of an If-None-Match as the server knows them; undefined when none of them was made under these rules. */
export function unmixEtags(header: string, hash: string): string | undefined {
  const ending = `-${hash}"`;
  const tags = header.split(',').map((tag) => tag.trim());
  const known = tags.flatMap((tag) =>
    tag === '*' ? [tag] : tag.endsWith(ending) ? [`${tag.slice(0, -ending.length)}"`] : [],
  );
  return known.length === 0 ? undefined : known.join(', ');
}

/** A URL that names a document by its hash: documents are kept for a year, so the rules are part of the name. */
export function mixHash(url: string, hash: string): string {
  return url.replace(/([?&]hash=[0-9A-Fa-f]+)(?=&|$)/, `$1-${hash}`);
}

/** The hash of such a URL as the server knows it. Under other rules it names no document, and the server redirects to the right one. */
export function unmixHash(value: string, hash: string): string {
  const ending = `-${hash}`;
  return value.endsWith(ending) ? value.slice(0, -ending.length) : value;
}
