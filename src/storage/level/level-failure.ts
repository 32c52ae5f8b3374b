import { RingfoldError } from '../../errors/ringfold-error.ts';

/** What LevelDB said, wherever abstract-level has put it. */
interface LevelFailure {
  readonly code: string;
  readonly message: string;
}

/**
 * Damage is told from trouble: rows that are damaged must be made anew, while a disk that is full, or too many open files, pass.
 * LevelDB gives both as text; a read that fails for any other reason than a lack of handles is damage.
 */
export function translated(error: unknown, isRead: boolean): unknown {
  const { code, message } = levelFailure(error);
  if (code === 'LEVEL_LOCKED')
    return new RingfoldError('data-directory-in-use', { what: 'row store' }, error);
  const isDamage =
    code === 'LEVEL_CORRUPTION' ||
    /^Corruption|missing files|does not exist \(create_if_missing is false\)/.test(message) ||
    (/^IO error/.test(message) && /Invalid argument|No such file/.test(message)) ||
    (isRead && code === 'LEVEL_IO_ERROR' && !/Too many open files/.test(message));
  return isDamage ? new RingfoldError('corrupt-data', { what: 'row store', said: message }, error) : error;
}

function levelFailure(error: unknown): LevelFailure {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  // A failed open says only that it failed; what failed is the cause.
  if (error.cause instanceof Error) return levelFailure(error.cause);
  return { code: 'code' in error ? String(error.code) : '', message: error.message };
}
