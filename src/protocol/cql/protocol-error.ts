/** A message that breaks the protocol: ERROR 0x000A, and in most cases the connection lives on. The text is Cassandra's. */
export class ProtocolError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ProtocolError';
  }
}
