import type { Socket } from 'node:net';

/**
 * The body of a request that also asks for another protocol. Node reads no further than the head of such a request, but
 * clients add the wish to ordinary requests too (Java's asks for HTTP/2 that way). Undefined when the client left.
 */
export function readUpgradeBody(socket: Socket, length: number): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const done = (body: Buffer | undefined): void => {
      socket.removeListener('data', onData);
      socket.removeListener('close', onClose);
      socket.pause();
      resolve(body);
    };
    const onData = (piece: Buffer): void => {
      pieces.push(piece);
      size += piece.length;
      // What follows the body belongs to nobody: the connection ends with the answer.
      if (size >= length) done(Buffer.concat(pieces).subarray(0, length));
    };
    const onClose = (): void => done(undefined);
    socket.on('data', onData);
    socket.on('close', onClose);
  });
}
