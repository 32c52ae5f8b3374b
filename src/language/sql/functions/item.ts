import { type SqlFunctions, strict } from '../sql-function.ts';
import { memberOf } from '../sql-value.ts';

export const itemFunctions: SqlFunctions = {
  // The number of the item in its container, out of its `_rid`: eight bytes, the lowest first, after those of the container.
  DOCUMENTID: strict(1, 1, ([item]) => {
    const rid = memberOf(item, '_rid');
    if (typeof rid !== 'string') return undefined;
    const bytes = Buffer.from(rid.replaceAll('-', '/'), 'base64');
    return bytes.length === 16 ? Number(bytes.readBigUInt64LE(8)) : undefined;
  }),
};
