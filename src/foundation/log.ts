/** What the code may say, whoever writes it down. One event name, then fields: never a sentence made of values. */
export interface Log {
  info(event: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(event: string, fields?: Readonly<Record<string, unknown>>): void;
}

export const silentLog: Log = { info: () => {}, warn: () => {} };
