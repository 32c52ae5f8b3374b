import { consistencyLevels } from '../protocol/nosql/consistency-level.ts';
import type { Setting } from './setting.ts';

export type NosqlSetting =
  | 'key'
  | 'secondary-key'
  | 'readonly-key'
  | 'secondary-readonly-key'
  | 'consistency'
  | 'allowed-origin'
  | 'max-databases-and-containers'
  | 'entra-keys'
  | 'entra-issuer'
  | 'entra-audience'
  | 'entra-structure-only';

/** The NoSQL door. */
export const nosqlSettings: Readonly<Record<NosqlSetting, Setting>> = {
  key: {
    kind: 'text',
    default: '',
    placeholder: 'BASE64',
    help: "the account key of NoSQL clients; without it the emulator's on loopback, elsewhere one that is made and kept",
  },
  'secondary-key': {
    kind: 'text',
    default: '',
    placeholder: 'BASE64',
    help: 'another that is as good as --key',
  },
  'readonly-key': { kind: 'text', default: '', placeholder: 'BASE64', help: 'a key that only reads' },
  'secondary-readonly-key': {
    kind: 'text',
    default: '',
    placeholder: 'BASE64',
    help: 'another that only reads',
  },
  consistency: {
    kind: 'text',
    default: 'Session',
    choices: consistencyLevels,
    placeholder: 'LEVEL',
    help: `of the NoSQL account: ${consistencyLevels.join(', ')}`,
  },
  'allowed-origin': {
    kind: 'texts',
    default: [],
    placeholder: 'URL',
    help: 'an origin whose web pages may call the NoSQL API; * for all; repeated',
  },
  'max-databases-and-containers': {
    kind: 'number',
    default: 500,
    low: 1,
    high: 100_000,
    placeholder: 'N',
    help: 'how many of both together the NoSQL account may have',
  },
  'entra-keys': {
    kind: 'text',
    default: '',
    placeholder: 'FILE',
    help: 'accept Microsoft Entra tokens signed by these keys: JWKS, or a public key (PEM)',
  },
  'entra-issuer': { kind: 'text', default: '', placeholder: 'URL', help: 'whose Entra tokens are accepted' },
  'entra-audience': { kind: 'text', default: '', placeholder: 'URL', help: 'for whom Entra tokens must be' },
  'entra-structure-only': {
    kind: 'switch',
    default: false,
    help: 'accept any Entra token on loopback that has not expired, as the emulator does',
  },
};
