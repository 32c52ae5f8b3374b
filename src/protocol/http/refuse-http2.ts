// HTTP/2 is not spoken here. Whoever begins with it, as Rust's SDK does, is told in its own frames (RFC 9113) to come back with HTTP/1.1,
// and not before a request of theirs has come: clients whose connection ends before their first request is on it take the server for one
// that is down, and do not try HTTP/1.1.

import type { Socket } from 'node:net';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
const frameHeadBytes = 9;
/** What a peer may send whose frames nobody has allowed to be longer. */
const maxFrameBytes = 16 * 1024;
const typeOfHeaders = 1;
/** Of length 0. */
const settings = Buffer.of(0, 0, 0, 4, 0, 0, 0, 0, 0);
/** No stream was looked at; HTTP_1_1_REQUIRED. */
const goAway = Buffer.of(0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0d);

export function beginsHttp2(first: Buffer): boolean {
  return first.subarray(0, preface.length).equals(preface);
}

/** The socket stays its owner's, who bounds the time that the client has. */
export function refuseHttp2(socket: Socket): void {
  let unread: Buffer = Buffer.alloc(0);
  let hasBegun = false;
  socket.write(settings);
  socket.on('data', (bytes: Buffer) => {
    if (socket.writableEnded) return;
    unread = Buffer.concat([unread, bytes]);
    if (!hasBegun) {
      if (unread.length < preface.length) return;
      hasBegun = true;
      unread = unread.subarray(preface.length);
    }
    while (unread.length >= frameHeadBytes) {
      const frameBytes = frameHeadBytes + unread.readUIntBE(0, 3);
      if (unread[3] === typeOfHeaders || frameBytes > maxFrameBytes) {
        socket.end(goAway);
        return;
      }
      if (unread.length < frameBytes) return;
      unread = unread.subarray(frameBytes);
    }
  });
}
