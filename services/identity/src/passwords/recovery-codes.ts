import { randomBytes } from 'node:crypto';
import type { Realm } from '@gateway/contracts/identity';
import { idAlphabet } from '@gateway/money';
import type { Tx } from '@gateway/persistence';
import { digestOf } from '#src/tokens.ts';

const codesPerPerson = 10;
/** 16 characters of 5 bits: too many to try, so that their digest needs no slow hash. */
const charactersPerCode = 16;

/** New ones in the place of all before. They are not stored, their digests are. */
export async function replaceRecoveryCodes(tx: Tx, realm: Realm, personId: string): Promise<string[]> {
  const codes = Array.from({ length: codesPerPerson }, newCode);
  await tx.sql('delete from recovery_code where realm = $1 and person_id = $2', [realm, personId]);
  await tx.sql('insert into recovery_code (realm, person_id, digest) select $1, $2, unnest($3::bytea[])', [
    realm,
    personId,
    codes.map(digestOfCode),
  ]);
  return codes;
}

/**
 * Uses a code up, in the transaction of the session that it begins: neither is there without the other. The same two
 * statements, whether the name, the code or neither exists. Null when the person is unknown, may not sign in, or has no such
 * code left.
 */
export async function useRecoveryCode(
  tx: Tx,
  { realm, name, code, at }: { realm: Realm; name: string; code: string; at: Date },
): Promise<string | null> {
  const [person] = await tx.sql<{ readonly id: string }>(
    "select id from person where realm = $1 and name = $2 and state = 'ACTIVE' for no key update",
    [realm, name],
  );
  const [used] = await tx.sql<{ readonly person_id: string }>(
    `update recovery_code set used_at = $4
     where realm = $1 and person_id = $2 and digest = $3 and used_at is null returning person_id`,
    [realm, person?.id ?? '', digestOfCode(code), at],
  );
  return used?.person_id ?? null;
}

function newCode(): string {
  const characters = [...randomBytes(charactersPerCode)].map((byte) => idAlphabet[byte % idAlphabet.length]);
  return characters.join('').replace(/(.{4})(?=.)/g, '$1-');
}

/** Crockford's alphabet has no o, i and l; who types one means a digit. */
function digestOfCode(code: string): Buffer {
  const plain = code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return digestOf(plain);
}
