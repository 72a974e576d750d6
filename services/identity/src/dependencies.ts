import type { Realm } from '@gateway/contracts/identity';
import type { Database } from '@gateway/persistence';
import type { SecretBox } from '@gateway/runtime';
import type { Config } from '#src/config.ts';

/** What the operations of identity work with. */
export interface Dependencies {
  readonly database: Database;
  readonly box: SecretBox;
  readonly config: Pick<Config, 'OPERATOR_CONSOLE_URL' | 'CONSOLE_URL' | 'PASSKEYS_FOR_MONEY' | 'DEV_LOGIN'>;
  /** Publishes a hint to the gateways; it may be lost. */
  readonly signal: (subject: string, payload: object) => void;
  readonly now: () => Date;
}

/** The origin of a realm's console. */
export function originOf({ config }: Pick<Dependencies, 'config'>, realm: Realm): string {
  return realm === 'operator' ? config.OPERATOR_CONSOLE_URL : config.CONSOLE_URL;
}
