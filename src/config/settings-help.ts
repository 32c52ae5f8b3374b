import { defaultConfigFile } from './given-settings.ts';
import type { Setting } from './setting.ts';
import { settingNames, settings } from './settings.ts';

/** One line for each flag of `ringfold start`. */
export function settingsHelp(): string {
  const lines = settingNames.map((name): [string, string] => {
    const setting: Setting = settings[name];
    const flag = setting.placeholder === undefined ? `--${name}` : `--${name} ${setting.placeholder}`;
    const isPlain = typeof setting.default === 'string' || typeof setting.default === 'number';
    return [flag, isPlain && setting.default !== '' ? `${setting.help} (${setting.default})` : setting.help];
  });
  lines.push(['--config FILE', `settings as JSON (./${defaultConfigFile} if it is there)`]);
  const width = Math.max(...lines.map(([flag]) => flag.length));
  return lines.map(([flag, help]) => `  ${flag.padEnd(width)}  ${help}`).join('\n');
}
