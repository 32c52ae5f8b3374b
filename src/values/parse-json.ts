import { isUtf8 } from 'node:buffer';

/** What bytes that should be JSON say. Bytes that are no text are refused: they would be read as other bytes than are stored. */
export function parseJson(bytes: Buffer, refusal: (cause?: unknown) => Error): unknown {
  if (!isUtf8(bytes)) throw refusal();
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw refusal(error);
  }
}

/** The text of bytes that are known to be JSON from then on. */
export function jsonTextOf(bytes: Buffer, refusal: (cause?: unknown) => Error): string {
  parseJson(bytes, refusal);
  return bytes.toString('utf8');
}
