/** Provider IDs: `aws:///us-east-1a/i-0123456789abcdef0`. */

/** The instance of a provider ID: its last part. */
export function instanceIdOf(id: string): { readonly value: string } | { readonly message: string } {
  const value = id.slice(id.lastIndexOf('/') + 1);
  if (value.startsWith('i-')) return { value };
  return { message: 'must end in the id of an instance: aws:///<zone>/i-<id>' };
}
