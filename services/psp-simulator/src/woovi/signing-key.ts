import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Database } from '@gateway/persistence';

const settingName = 'woovi_signing_key';
const modulusBits = 2_048;

export interface SigningKey {
  readonly privateKey: KeyObject;
  /** PEM, to verify signatures with. */
  readonly publicKeyPem: string;
}

/** The simulator's own key, made at the first start and kept. */
export async function loadSigningKey(database: Database): Promise<SigningKey> {
  const kept = createPrivateKey((await findKey(database)) ?? (await makeKey(database)));
  return { privateKey: kept, publicKeyPem: createPublicKey(kept).export({ type: 'spki', format: 'pem' }).toString() };
}

async function findKey(database: Database): Promise<string | undefined> {
  const [row] = await database.query<{ value: string }>('select value from setting where name = $1', [settingName]);
  return row?.value;
}

async function makeKey(database: Database): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: modulusBits });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const insert = 'insert into setting (name, value) values ($1, $2) on conflict (name) do nothing';
  await database.query(insert, [settingName, pem]);
  return (await findKey(database)) ?? pem;
}
