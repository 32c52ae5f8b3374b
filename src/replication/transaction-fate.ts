import { RingfoldError } from '../errors/ringfold-error.ts';
import { type EpochStretch, epochAt, partitionNumber } from '../storage/log/log-state.ts';
import type { Settlement, TransactionId } from '../storage/partition-store.ts';
import { parseTransactionId } from './commit-outcome.ts';
import type { PartitionDirectory } from './partition-directory.ts';
import { systemContainer } from './partition-maps.ts';

/** A transaction was kept if the history of its partition has its epoch at its LSN. */
export function fateOf(transactionId: TransactionId, directory: PartitionDirectory): Settlement {
  const id = parseTransactionId(transactionId);
  if (id === undefined) throw new RingfoldError('bad-request', { what: 'transaction id', transactionId });
  const { maps } = directory;
  if (id.container !== systemContainer && maps.get(id.container) === undefined) return 'dropped';
  const number = partitionNumber(id.container, id.physicalPartition);
  const ended = maps.historyOf(number);
  if (ended !== undefined) {
    const isCertain =
      !maps.isAhead(id.container) || directory.heirsOf(number).every((heir) => !heir.isUnsettled);
    return isCertain ? fateIn(id, ended.endLsn, ended.epochs) : 'undecided';
  }
  const partition = directory.at(id);
  // With two nodes, what neither of them has may be in the log of a third, and what one has may yet be void.
  if (partition === undefined || partition.isUnsettled) return 'undecided';
  if (partition.commitLsn < id.lsn && partition.epoch === id.epoch) return 'undecided';
  const state = partition.levelReplicas[0]?.node.handles.log.state.get(id);
  return state === undefined ? 'undecided' : fateIn(id, state.lastLsn, state.epochs);
}

function fateIn(
  id: { readonly epoch: number; readonly lsn: number },
  lastLsn: number,
  epochs: readonly EpochStretch[],
): Settlement {
  return id.lsn <= lastLsn && epochAt(epochs, id.lsn) === id.epoch ? 'kept' : 'dropped';
}
