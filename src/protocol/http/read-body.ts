import { RingfoldError } from '../../errors/ringfold-error.ts';
import type { HttpExchange } from './http-exchange.ts';

/** As much is read and thrown away of a body that is too large, so that its connection can carry the next request. */
const maxDiscardedBytes = 64 * 2 ** 20;
/** A part costs a hundred bytes beside its own and keeps all that it arrived with, and a client may send chunks of one byte. */
const maxLooseParts = 64;
const nothing = Buffer.alloc(0);

/** Bytes of bodies that are being read or answered, over all connections. Who comes when they are too many is told to come again. */
export class BodyMemory {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  take(bytes: number): boolean {
    this.#bytes += bytes;
    return this.#bytes <= this.#maxBytes;
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}

export interface ReadBody {
  readonly bytes: Buffer;
  /** To be called when the request is answered. */
  readonly release: () => void;
}

/**
 * Calls once, with the body or with why there is none. A body that is too large is read to its end first: clients write all of it
 * before they look at the answer. One that is larger by far is left unread, and its connection cannot carry another request.
 */
export function readBody(
  exchange: HttpExchange,
  { maxBytes, memory }: { readonly maxBytes: number; readonly memory: BodyMemory },
  done: (body: ReadBody | undefined, failure: unknown) => void,
): void {
  let parts: Buffer[] = [];
  let joinedParts = 0;
  let sizeBytes = 0;
  let heldBytes = 0;
  let refusal: Error | undefined;
  const release = (): void => {
    memory.release(heldBytes);
    heldBytes = 0;
  };
  const finish = (failure: unknown): void => {
    if (failure !== undefined) {
      release();
      done(undefined, failure);
      return;
    }
    const [first = nothing] = parts;
    done({ bytes: parts.length > 1 ? Buffer.concat(parts) : first, release }, undefined);
  };
  const refuse = (reason: Error): void => {
    refusal = reason;
    parts = [];
    release();
  };
  const take = (part: Buffer): void => {
    sizeBytes += part.length;
    if (refusal !== undefined) {
      if (sizeBytes <= maxDiscardedBytes) return;
      exchange.ignoreRest();
      finish(refusal);
      return;
    }
    heldBytes += part.length;
    parts.push(part);
    if (parts.length - joinedParts >= maxLooseParts) {
      parts.push(Buffer.concat(parts.splice(joinedParts)));
      joinedParts = parts.length;
    }
    const hasRoom = memory.take(part.length);
    if (sizeBytes > maxBytes) refuse(tooLarge());
    else if (!hasRoom) refuse(new RingfoldError('too-much-in-flight'));
  };
  const { bodyBytes } = exchange.request;
  if (bodyBytes !== 'chunked' && bodyBytes > maxDiscardedBytes) {
    done(undefined, tooLarge());
    return;
  }
  exchange.receive({ take, end: () => finish(refusal), fail: finish });
}

function tooLarge(): RingfoldError {
  return new RingfoldError('request-too-large', { reason: 'Request size is too large' });
}
