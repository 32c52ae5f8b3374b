import { RingfoldError } from '../../../errors/ringfold-error.ts';
import type { Exchange } from '../exchange.ts';
import { writeAuthSuccess } from '../messages/simple-responses.ts';

const nul = 0;

/** SASL PLAIN: an identity to act for, which is ignored, then name and password, each after a NUL. */
export async function handleAuthResponse(token: Buffer | null, exchange: Exchange): Promise<void> {
  const { session, context, out, stream } = exchange;
  // Nobody was asked, so anything is right.
  if (!session.asksLogin) return writeAuthSuccess(out, stream, null);
  const { name, password } = credentialsOf(token ?? Buffer.alloc(0));
  const isRight = await context.parts.roles.authenticate(name, password);
  if (!isRight) throw badCredentials(`Provided username ${name} and/or password are incorrect`);
  if (context.parts.roles.find(name)?.canLogin !== true)
    throw badCredentials(`${name} is not permitted to log in`);
  if (exchange.isAnswered) return;
  session.role = name;
  session.stage = 'ready';
  writeAuthSuccess(out, stream, null);
}

function credentialsOf(token: Buffer): { readonly name: string; readonly password: string } {
  const parts: Buffer[] = [];
  let end = token.length;
  for (let at = token.length - 1; at >= 0; at--) {
    if (token[at] !== nul) continue;
    if (parts.length === 2)
      throw badCredentials(
        'Credential format error: username or password is empty or contains NUL(\\0) character',
      );
    parts.push(token.subarray(at + 1, end));
    end = at;
  }
  const [password, name] = parts;
  if (password === undefined || password.length === 0) throw badCredentials('Password must not be null');
  if (name === undefined || name.length === 0) throw badCredentials('Authentication ID must not be null');
  return { name: name.toString('utf8'), password: password.toString('utf8') };
}

function badCredentials(reason: string): RingfoldError {
  return new RingfoldError('bad-credentials', { reason });
}
