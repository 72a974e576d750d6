import type { Dialects } from '#src/bank/bank.ts';
import type { Config } from '#src/config.ts';
import { efiDialect } from '#src/efi/dialect.ts';
import { speiDialect } from '#src/spei/dialect.ts';
import { wooviDialect } from '#src/woovi/dialect.ts';
import type { SigningKey } from '#src/woovi/signing-key.ts';

/** The dialects that the simulator speaks. */
export function dialectsOf(config: Config, signingKey: SigningKey): Dialects {
  return { bacen: efiDialect(config), woovi: wooviDialect(config, signingKey), spei: speiDialect(config) };
}
