// Every setting. Its name is its flag; RINGFOLD_ and capitals make the variable; the configuration file uses the name as it is.

import { type CqlSetting, cqlSettings } from './cql-settings.ts';
import { type ListenerSetting, listenerSettings } from './listener-settings.ts';
import { type NosqlSetting, nosqlSettings } from './nosql-settings.ts';
import type { Setting } from './setting.ts';
import { type StorageSetting, storageSettings } from './storage-settings.ts';
import { type ThroughputSetting, throughputSettings } from './throughput-settings.ts';

export type SettingName = StorageSetting | ListenerSetting | CqlSetting | NosqlSetting | ThroughputSetting;

export const settings: Readonly<Record<SettingName, Setting>> = {
  ...storageSettings,
  ...listenerSettings,
  ...cqlSettings,
  ...nosqlSettings,
  ...throughputSettings,
};

export const settingNames: readonly SettingName[] = Object.keys(settings) as SettingName[];

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settings, name);
}
