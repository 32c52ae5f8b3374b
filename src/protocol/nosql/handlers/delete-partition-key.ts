import { RingfoldError } from '../../../errors/ringfold-error.ts';
import { deletePartition } from '../../../execution/nosql/items/delete-partition.ts';
import { partitionHeaders } from '../headers.ts';
import { targetOf } from '../item-request.ts';
import type { NosqlContext } from '../nosql-context.ts';
import type { NosqlHandler } from '../nosql-message.ts';
import { traitsOf } from '../request-options.ts';

/** POST of `operations/partitionkeydelete`: all items with one partition key, whole also where keys are hierarchical. */
export const deletePartitionKey: NosqlHandler<NosqlContext> = async (request, context) => {
  const { id } = request.path;
  if (id?.toLowerCase() !== 'partitionkeydelete')
    throw new RingfoldError('resource-not-found', { reason: `There is no operation '${id ?? ''}'.` });
  const { container, logicalPartition } = targetOf(request, context);
  const traits = traitsOf(request, 'delete-range');
  const { chargeRu, physicalPartition } = await deletePartition(
    context.parts,
    container,
    logicalPartition,
    traits,
  );
  const headers = partitionHeaders(context, container, physicalPartition);
  headers['x-ms-request-charge'] = String(chargeRu);
  return { status: 200, headers, body: undefined };
};
