import { type ContainerUsage, describeUsage } from '../../../execution/describe-usage.ts';
import { type AdminContext, servedBy } from '../admin-context.ts';
import { type AdminRequest, type AdminResponse, ok } from '../admin-message.ts';

export async function usage(
  _request: AdminRequest,
  { throughput, tables }: AdminContext,
): Promise<AdminResponse> {
  const { containers, databases } = describeUsage(throughput);
  return ok({ containers: containers.map((container) => named(container, tables)), databases });
}

function named(
  { container, partitions, ...figures }: ContainerUsage,
  tables: AdminContext['tables'],
): object {
  const door = servedBy(tables, container);
  const nameOf = (logicalPartition: string) =>
    door?.nameOfPartition(container, logicalPartition) ?? logicalPartition;
  return {
    container,
    table: door?.nameOf(container),
    ...figures,
    partitions: partitions.map(({ hottest, hotKey, ...partition }) => ({
      ...partition,
      hottest: hottest.map((heat) => ({ ...heat, logicalPartition: nameOf(heat.logicalPartition) })),
      hotKey: hotKey === undefined ? undefined : nameOf(hotKey),
    })),
  };
}
