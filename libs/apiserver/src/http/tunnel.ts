import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * Joins a client's connection to the far end, bytes both ways at the pace of the slower. Each direction ends by itself;
 * when either end is gone, so is the other.
 */
export function joinTunnel(client: Socket, far: Duplex): void {
  client.on('error', () => far.destroy());
  far.on('error', () => client.destroy());
  client.on('close', () => far.destroy());
  // The last bytes are still on their way to the client.
  far.on('close', () => client.destroySoon());
  client.setNoDelay(true);
  // A tunnel may be silent for as long as it likes.
  client.setTimeout(0);
  client.pipe(far);
  far.pipe(client);
}
