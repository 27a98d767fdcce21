const HOST = /^(\[[0-9a-f:.]+\]|[^:/@[\]]+)(?::[0-9]{1,5})?$/;

/** The name in a Host header, without port; undefined when it cannot be read. */
export function hostName(header: string): string | undefined {
  return HOST.exec(header.toLowerCase())?.[1];
}
