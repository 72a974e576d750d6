import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { Database } from '@gateway/persistence';

const modulusBits = 2_048;

/** An RSA key under that name, made at the first start and kept. */
export async function keptPrivateKey(database: Database, settingName: string): Promise<KeyObject> {
  return createPrivateKey((await findKey(database, settingName)) ?? (await makeKey(database, settingName)));
}

async function findKey(database: Database, settingName: string): Promise<string | undefined> {
  const [row] = await database.query<{ value: string }>('select value from setting where name = $1', [settingName]);
  return row?.value;
}

async function makeKey(database: Database, settingName: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: modulusBits });
  const pem = pemOf(privateKey);
  const insert = 'insert into setting (name, value) values ($1, $2) on conflict (name) do nothing';
  await database.query(insert, [settingName, pem]);
  return (await findKey(database, settingName)) ?? pem;
}

/** In PEM, as it is kept. */
export function pemOf(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
