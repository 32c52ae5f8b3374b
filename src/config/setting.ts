// One setting: what it may be, and how a value that was given for it is read.

import { RingfoldError } from '../errors/ringfold-error.ts';

type Kind = 'text' | 'texts' | 'number' | 'numbers' | 'switch';

export interface Setting {
  readonly kind: Kind;
  readonly default: string | number | boolean | readonly string[] | readonly number[];
  readonly low?: number;
  readonly high?: number;
  /** What stands for the value in the help; absent for a switch. */
  readonly placeholder?: string;
  /** All there are to choose from; absent where any text will do. */
  readonly choices?: readonly string[];
  readonly help: string;
}

/** Takes text from flags and variables, and JSON values from the file. */
export function parseSetting(setting: Setting, value: unknown, spelled: string, source: string): unknown {
  switch (setting.kind) {
    case 'text':
      if (typeof value !== 'string' || value === '') throw badSetting(spelled, source, 'it is a text');
      if (setting.choices?.includes(value) === false) {
        const given = JSON.stringify(value);
        throw badSetting(spelled, source, `it is one of ${setting.choices.join(', ')}, not ${given}`);
      }
      return value;
    case 'number':
      return parseNumber(setting, value, spelled, source);
    case 'switch':
      if (typeof value !== 'boolean') throw badSetting(spelled, source, 'it is true or false');
      return value;
    case 'texts':
      if (!Array.isArray(value) || !value.every((one) => typeof one === 'string' && one !== '')) {
        throw badSetting(spelled, source, 'it is a list of texts');
      }
      return value;
    case 'numbers':
      if (!Array.isArray(value)) throw badSetting(spelled, source, 'it is a list of numbers');
      return value.map((one) => parseNumber(setting, one, spelled, source));
  }
}

function parseNumber(setting: Setting, value: unknown, spelled: string, source: string): number {
  const { low = 0, high = Number.MAX_SAFE_INTEGER } = setting;
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < low || number > high) {
    throw badSetting(
      spelled,
      source,
      `it is a whole number from ${low} to ${high}, not ${JSON.stringify(value)}`,
    );
  }
  return number;
}

export function badSetting(setting: string, source: string, reason: string, cause?: unknown): RingfoldError {
  return new RingfoldError('bad-setting', { setting, source, reason }, cause);
}
