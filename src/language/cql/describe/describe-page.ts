import type { CqlSchema } from '../../../catalog/cql/cql-schema.ts';
import { invalidRequest } from '../../../errors/invalid-request.ts';
import { printUuid, uuidBytes } from '../../../values/cql-codec.ts';

// Where a page of DESCRIBE ended: a number, and the version of the schema that it counts in.

const FORM = 1;
const LENGTH = 2 + 16 + 4;

export function describePagingState(schema: CqlSchema, offset: number): Buffer {
  const state = Buffer.alloc(LENGTH);
  state.writeUInt16BE(FORM, 0);
  uuidBytes(schema.version).copy(state, 2);
  state.writeUInt32BE(offset, 18);
  return state;
}

/** Throws `bad-request` for the state of another schema, whose rows are others. */
export function describeOffset(schema: CqlSchema, state: Buffer | null): number {
  if (state === null) return 0;
  if (state.length !== LENGTH || state.readUInt16BE(0) !== FORM)
    throw invalidRequest('Incompatible paging state');
  if (printUuid(state.subarray(2, 18)) !== schema.version) {
    throw invalidRequest(
      'The schema has changed since the previous page of the DESCRIBE statement result. ' +
        'Please retry the DESCRIBE statement.',
    );
  }
  return state.readUInt32BE(18);
}
