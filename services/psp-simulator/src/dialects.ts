import type { Database } from '@gateway/persistence';
import { bacenDialect } from '#src/bacen/dialect.ts';
import type { Dialects } from '#src/bank/bank.ts';
import type { Config } from '#src/config.ts';
import { efiDialect } from '#src/efi/dialect.ts';
import { fintocDialect } from '#src/fintoc/dialect.ts';
import { loadCustomerKey } from '#src/fintoc/customer-key.ts';
import { wooviDialect } from '#src/woovi/dialect.ts';
import { loadSigningKey } from '#src/woovi/signing-key.ts';

/** The dialects that the simulator speaks, and the key by which Woovi's signatures are verified (PEM). */
export async function openDialects(
  config: Config,
  database: Database,
): Promise<{ readonly dialects: Dialects; readonly wooviPublicKey: string }> {
  const signingKey = await loadSigningKey(database);
  const customerKey = await loadCustomerKey(database);
  const dialects = {
    bacen: bacenDialect(config),
    efi: efiDialect(config),
    spei: fintocDialect(config, customerKey),
    woovi: wooviDialect(config, signingKey),
  };
  return { dialects, wooviPublicKey: signingKey.publicKeyPem };
}
