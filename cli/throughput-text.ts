import type { PendingView, ThroughputView } from '../src/execution/describe-throughput.ts';
import type { ThroughputSetting } from '../src/throughput/throughput-setting.ts';
import { textTable } from './text-table.ts';

/** One line for each container and database. */
export function throughputTable(views: readonly ThroughputView[]): string {
  return textTable(
    views.map((view) => ({
      container: view.container === undefined ? `database ${view.database}` : String(view.container),
      throughput: settingText(view.setting, view.database),
      enforced: view.isEnforced ? 'yes' : 'no',
      partitions: view.partitionCount,
      'used %': Math.round(view.normalizedPercent),
      'hour peak': view.autoscale === undefined ? '' : ruText(view.autoscale.hourPeakRu),
      'a month on Azure': usdText(view.monthUsd.totalUsd),
      change: view.pending === undefined ? '' : pendingText(view.pending),
    })),
  );
}

/** All about one. */
export function describeThroughputView(view: ThroughputView): string {
  const { provisioned, autoscale, pending, controlBuckets, monthUsd } = view;
  const lines = [
    `${ownerText(view)}: ${settingText(view.setting, view.database)}${view.isEnforced ? '' : ' (metered, not enforced)'}`,
    ...(pending === undefined ? [] : [`  change      ${pendingText(pending)}`]),
    ...(provisioned === undefined
      ? []
      : [
          `  possible    ${ruText(provisioned.minimum.ruPerSecond)} at least (${minimumReasons[provisioned.minimum.because]}); up to ${ruText(provisioned.instantMaximumRu)} at once`,
          `  shares      ${provisioned.policy}${provisioned.usableRu < ruOf(provisioned.shown) - 1 ? `; ${ruText(provisioned.usableRu)} can be used` : ''}`,
        ]),
    ...(autoscale === undefined
      ? []
      : [
          `  autoscale   scaled to ${ruText(autoscale.levelRu)}; this hour's peak ${ruText(autoscale.hourPeakRu)}`,
        ]),
    ...(controlBuckets.length === 0
      ? []
      : [
          `  buckets     ${controlBuckets.map(({ id, maxThroughputPercentage }) => `${id}: ${maxThroughputPercentage} %`).join(', ')}`,
        ]),
    `  on Azure    ${usdText(monthUsd.totalUsd)} a month at list prices (throughput ${usdText(monthUsd.throughputUsd)}, storage ${usdText(monthUsd.storageUsd)})`,
  ];
  const partitions = view.partitions.map((partition) => ({
    partition: partition.id,
    'share %': Math.round(partition.fraction * 10_000) / 100,
    'RU/s': Math.round(partition.ruPerSecond),
    'used %': Math.round(partition.normalizedPercent),
    ...(partition.balanceRu === undefined
      ? {}
      : { 'RU left': Math.round(partition.balanceRu), banked: Math.round(partition.bankRu ?? 0) }),
  }));
  return `${lines.join('\n')}\n\n${textTable(partitions)}`;
}

function ownerText({ container, database }: ThroughputView): string {
  return container === undefined ? `Database ${database}` : `Container ${container}`;
}

const minimumReasons: Readonly<
  Record<NonNullable<ThroughputView['provisioned']>['minimum']['because'], string>
> = {
  least: 'the least there is',
  storage: 'because of what is stored',
  'highest-ever': 'because of what it once was',
  containers: 'because of how many containers share it',
};

function settingText(setting: ThroughputSetting, database: string | undefined): string {
  switch (setting.kind) {
    case 'manual':
      return ruText(setting.ruPerSecond);
    case 'autoscale':
      return `autoscale to ${ruText(setting.maxRuPerSecond)}`;
    case 'default':
      return '400 RU/s by default';
    case 'shared':
      return `shares that of database ${database}`;
    case 'serverless':
      return 'serverless';
  }
}

function pendingText(pending: PendingView): string {
  const { setting, partitionCount, partitionTarget, splitting, failures, lastFailure } = pending;
  const progress = `${partitionCount} of ${partitionTarget} physical partitions`;
  const now = splitting === undefined ? '' : `, splitting ${splitting.physicalPartition}`;
  const trouble = failures === 0 ? '' : `; failed ${failures} times (${lastFailure}), trying again`;
  return `to ${settingText(setting, undefined)}: ${progress}${now}${trouble}`;
}

function ruOf(shown: NonNullable<ThroughputView['provisioned']>['shown']): number {
  return shown.kind === 'manual' ? shown.ruPerSecond : shown.maxRuPerSecond;
}

function ruText(ru: number): string {
  return `${Math.round(ru).toLocaleString('en-US')} RU/s`;
}

function usdText(usd: number): string {
  return `$${usd.toFixed(2)}`;
}
