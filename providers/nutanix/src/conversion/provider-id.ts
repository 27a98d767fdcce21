const PREFIX = 'nutanix://';

/** The UUID that a provider ID names: that of the VM. */
export function uuidOf(id: string): string | undefined {
  const uuid = id.startsWith(PREFIX) ? id.slice(PREFIX.length) : '';
  return uuid === '' ? undefined : uuid;
}
