// A logical partition has a largest size: here 1 MB, so that it is reached.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorResponse } from '@azure/cosmos';
import { failure } from './support/failure.ts';
import { nosqlServer } from './support/nosql-server.ts';

const server = nosqlServer({ throughput: { maxLogicalPartitionBytes: 2 ** 20 } });

test('a full logical partition takes no more items, 403 with 1014; others do, and what deletes is always taken', async () => {
  const container = await server.container();
  const body = (id: number, pk = 'p') => ({ id: `i${id}`, pk, text: 'x'.repeat(50_000) });
  const refused = async (): Promise<ErrorResponse | undefined> => {
    // What was written last may not be counted yet, so it goes on for a while.
    for (let n = 0; n < 400; n++) {
      const error = await container.items.create(body(n)).then(
        () => undefined,
        (reason: ErrorResponse) => reason,
      );
      if (error !== undefined) return error;
      if (n > 20) await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return undefined;
  };
  const error = await refused();
  assert.deepEqual([error?.code, error?.substatus], [403, 1014]);
  assert.match(error?.message ?? '', /Partition key reached maximum size/);
  assert.equal((await failure(container.items.upsert(body(0)))).code, 403);
  assert.equal((await container.items.create(body(0, 'q'))).statusCode, 201);
  assert.equal((await container.item('i0', 'p').delete()).statusCode, 204);
});
