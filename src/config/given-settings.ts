// What was given for settings on the command line, in the environment and in the file.

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { RingfoldError } from '../errors/ringfold-error.ts';
import { nearestName } from './nearest-name.ts';
import { badSetting, parseSetting } from './setting.ts';
import { isSettingName, type SettingName, settingNames, settings } from './settings.ts';

const variablePrefix = 'RINGFOLD_';
export const defaultConfigFile = 'ringfold.json';

/** Checked, each by itself. */
type Values = Map<SettingName, unknown>;

export function readFlags(flags: readonly string[]): { values: Values; file: string | undefined } {
  const options = Object.fromEntries([
    ...settingNames.map((name) => [
      name,
      { type: settings[name].kind === 'switch' ? 'boolean' : 'string' } as const,
    ]),
    ['config', { type: 'string' } as const],
  ]);
  // Not strict, because parseArgs would name neither the nearest flag nor what a value was meant for.
  const { tokens } = parseArgs({ args: [...flags], options, strict: false, tokens: true });
  const values: Values = new Map();
  let file: string | undefined;
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      throw badSetting(
        token.value,
        'the command line',
        'it is not a flag, and the command takes none besides flags',
      );
    }
    const source = 'the command line';
    const isSetting = isSettingName(token.name) && token.rawName.startsWith('--');
    if (!isSetting && token.rawName !== '--config') {
      throw unknownName(
        token.rawName,
        source,
        [...settingNames, 'config'].map((name) => `--${name}`),
      );
    }
    const isSwitch = isSetting && settings[token.name as SettingName].kind === 'switch';
    if (isSwitch && token.value !== undefined) throw badSetting(token.rawName, source, 'it takes no value');
    if (!isSwitch && (token.value === undefined || token.value === '')) {
      throw badSetting(token.rawName, source, 'it needs a value');
    }
    if (!isSetting) {
      file = token.value;
      continue;
    }
    const name = token.name as SettingName;
    const { kind } = settings[name];
    if (kind === 'texts' || kind === 'numbers') {
      const before = (values.get(name) ?? []) as unknown[];
      values.set(name, [
        ...before,
        ...(parseSetting(settings[name], [token.value], token.rawName, source) as unknown[]),
      ]);
    } else {
      values.set(name, parseSetting(settings[name], isSwitch ? true : token.value, token.rawName, source));
    }
  }
  return { values, file };
}

export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): Values {
  const values: Values = new Map();
  const variables = new Map(settingNames.map((name) => [variableOf(name), name]));
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(variablePrefix) || text === undefined) continue;
    const source = 'the environment';
    const name = variables.get(variable);
    if (name === undefined) throw unknownName(variable, source, [...variables.keys()]);
    const { kind } = settings[name];
    if (kind === 'texts' || kind === 'numbers') {
      values.set(name, parseSetting(settings[name], text === '' ? [] : text.split(','), variable, source));
    } else if (kind === 'switch') {
      if (!['true', 'false', '1', '0'].includes(text))
        throw badSetting(variable, source, 'it is true or false');
      values.set(name, text === 'true' || text === '1');
    } else {
      values.set(name, parseSetting(settings[name], text, variable, source));
    }
  }
  return values;
}

export function readConfigFile(workingDirectory: string, named: string | undefined): Values {
  const path = resolve(workingDirectory, named ?? defaultConfigFile);
  if (named === undefined && !existsSync(path)) return new Map();
  const content = readJson(path, '--config');
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw badSetting('--config', path, 'the file is not a JSON object');
  }
  const values: Values = new Map();
  for (const [name, value] of Object.entries(content)) {
    if (!isSettingName(name)) throw unknownName(name, path, settingNames);
    values.set(name, parseSetting(settings[name], value, name, path));
  }
  return values;
}

export function readJson(path: string, setting: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw badSetting(setting, path, 'the file cannot be read', error);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw badSetting(setting, path, 'the file is not JSON', error);
  }
}

function variableOf(name: SettingName): string {
  return variablePrefix + name.replaceAll('-', '_').toUpperCase();
}

function unknownName(spelled: string, source: string, known: readonly string[]): RingfoldError {
  return badSetting(
    spelled,
    source,
    `there is no such setting; did you mean ${nearestName(spelled, known)}?`,
  );
}
