import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  addPasskey,
  beginPasskey,
  beginSignIn,
  beginTotp,
  createRecoveryCodes,
  listCredentials,
  listSignIns,
  setPassword,
  signInWithPassword,
  signInWithRecoveryCode,
} from '@gateway/contracts/identity';
import type { DomainError } from '@gateway/contracts/errors';
import { beginAttempt } from '#src/attempts/begin-attempt.ts';
import { Authenticator } from './authenticator.ts';
import { client, Identity, origins, password, type Enrolled } from './harness.ts';

let identity: Identity;
let rita: Enrolled;
let secret: string;
beforeAll(async () => {
  identity = await Identity.open();
});
beforeEach(async () => {
  await identity.clear();
  rita = await identity.merchant('rita');
  secret = await identity.setPassword(rita);
});
afterAll(async () => identity[Symbol.asyncDispose]());

interface Typed {
  readonly name?: string;
  readonly password?: string;
  readonly code?: string;
  readonly address?: string;
}

async function signIn({ name = 'rita', password: typed = password, code, address }: Typed = {}) {
  const from = { ...client, ...(address ? { address } : {}) };
  const given = code ?? (await identity.code(secret));
  const request = { realm: 'merchant', name, password: typed, code: given, client: from } as const;
  return await identity.ask(signInWithPassword, request);
}

const wrongCode = async () => ((await identity.code(secret)) === '000000' ? '000001' : '000000');

describe('password and code', () => {
  test('begin a session together', async () => {
    const { session, token } = await signIn();
    expect(session).toMatchObject({ personName: 'rita', factor: 'password', realm: 'merchant' });
    await identity.resolve('merchant', token);
  });

  test('are refused with the same words whatever is wrong, and the history has what it was', async () => {
    const details: string[] = [];
    const refusal = { code: 'SIGN_IN_REFUSED', message: 'the sign-in is not valid', details: [], extra: {} };
    const wrongs: [string, Typed][] = [
      ['unknown_name', { name: 'ana' }],
      ['wrong_password', { password: `${password}r` }],
      ['wrong_code', { code: await wrongCode() }],
    ];
    for (const [, typed] of wrongs) {
      await expect(signIn(typed)).rejects.toMatchObject(refusal);
      const { signIns } = await identity.ask(listSignIns, { realm: 'merchant', outcome: 'refused' });
      details.push(signIns[0]?.detail ?? '');
    }
    expect(details).toEqual(wrongs.map(([detail]) => detail));
  });

  test('of a suspended person are refused', async () => {
    await identity.database.query("update person set state = 'SUSPENDED' where id = $1", [rita.id]);
    expect(await identity.codeOf(signIn())).toBe('SIGN_IN_REFUSED');
  });

  test('take each code once, also when two requests bring it at the same moment', async () => {
    const code = await identity.code(secret);
    const codes = await Promise.all([1, 2, 3].map(() => identity.codeOf(signIn({ code }))));
    expect(codes.filter((each) => each === 'answered')).toHaveLength(1);
    identity.pass(30);
    expect(await identity.codeOf(signIn({ code }))).toBe('SIGN_IN_REFUSED');
    await signIn();
  });

  test('are taken with a clock that is half a minute wrong, and not with one that is a minute and a half wrong', async () => {
    const code = await identity.code(secret);
    identity.pass(30);
    await signIn({ code });
    const next = await identity.code(secret);
    identity.pass(90);
    expect(await identity.codeOf(signIn({ code: next }))).toBe('SIGN_IN_REFUSED');
  });

  test('are stored as a hash of Argon2id and a sealed secret', async () => {
    const [row] = await identity.database.query<{ hash: string; sealed: string }>(
      'select w.hash, t.sealed from password w join totp t using (realm, person_id)',
    );
    expect(row?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(row?.sealed).not.toContain(secret);
  });

  test('are set with a code of the secret that was shown to this session, and end the other sessions', async () => {
    const [one, other] = [await identity.signIn(rita), await identity.signIn(rita)];
    const holder = { sessionId: one.session.id };
    const begun = await identity.ask(beginTotp, { realm: 'merchant', holder });
    expect(begun.uri).toMatch(/^otpauth:\/\/totp\/Gateway:rita\?/);
    const set = { realm: 'merchant', challengeId: begun.challengeId, password } as const;
    const code = await identity.code(begun.secret);
    const bySession = (sessionId: string) => identity.codeOf(identity.ask(setPassword, { ...set, sessionId, code }));
    expect(await bySession(other.session.id)).toBe('VALIDATION_ERROR');
    expect(await bySession(one.session.id)).toBe('answered');
    expect(await bySession(one.session.id)).toBe('VALIDATION_ERROR');
    expect(await identity.codeOf(identity.resolve('merchant', other.token))).toBe('SESSION_ENDED');
  });
});

describe('a sign-in that is under way', () => {
  // As setting a password and suspending do: with the person locked, and all sessions ended that are there by then.
  test.each([
    ['whose password is replaced', "update password set hash = 'another'"],
    ['whose person is suspended', "update person set state = 'SUSPENDED' where name = 'rita'"],
  ])('%s begins no session after it', async (_, change) => {
    const { answer } = await identity.database.transaction(async (tx) => {
      await tx.sql("select from person where name = 'rita' for update");
      const waits = { answer: identity.codeOf(signIn()) };
      await identity.oneWaits();
      await tx.sql(change);
      return waits;
    });
    expect(await answer).toBe('SIGN_IN_REFUSED');
  });
});

describe('guessing', () => {
  test('five wrong codes slow the sixth, from any address; the right person still comes in by passkey', async () => {
    const code = await wrongCode();
    for (let guess = 0; guess < 5; guess++) {
      expect(await identity.codeOf(signIn({ code, address: `198.51.100.${guess}` }))).toBe('SIGN_IN_REFUSED');
    }
    await expect(signIn({ address: '192.0.2.1' })).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSec: 30 });
    await identity.signIn(rita);
    identity.pass(30);
    await signIn();
  });

  test('waits twice as long each time, and a quarter of an hour at most', async () => {
    const code = await wrongCode();
    for (let guess = 0; guess < 5; guess++) await identity.codeOf(signIn({ code }));
    for (const delay of [30, 60, 120, 240, 480, 900, 900]) {
      await expect(signIn({ code })).rejects.toMatchObject({ retryAfterSec: delay });
      identity.pass(delay);
      expect(await identity.codeOf(signIn({ code: '999999' }))).toBe('SIGN_IN_REFUSED');
    }
  });

  test('a name that does not exist is slowed as one that does', async () => {
    for (let guess = 0; guess < 5; guess++) await identity.codeOf(signIn({ name: 'ghost' }));
    expect(await identity.codeOf(signIn({ name: 'ghost' }))).toBe('RATE_LIMITED');
  });

  test('of twenty at once no more than five are looked at', async () => {
    const code = await wrongCode();
    const guesses = Array.from({ length: 20 }, (_, index) => signIn({ code, address: `198.51.100.${index}` }));
    const codes = await Promise.all(guesses.map((guess) => identity.codeOf(guess)));
    expect(codes.filter((each) => each === 'SIGN_IN_REFUSED')).toHaveLength(5);
    expect(codes.filter((each) => each === 'RATE_LIMITED')).toHaveLength(15);
  });

  test('is counted also where a sign-in that was right removes the counts at the same moment', async () => {
    const attempt = { realm: 'merchant', address: '198.51.100.7', name: 'rita' } as const;
    await beginAttempt(identity.database, attempt, identity.at);
    const { counted } = await identity.database.transaction(async (tx) => {
      await tx.sql("select from attempts where key like 'name %' for update");
      const waits = { counted: beginAttempt(identity.database, attempt, identity.at) };
      await identity.oneWaits();
      await tx.sql("delete from attempts where key like 'name %'");
      return waits;
    });
    await counted;
    const rows = await identity.database.query("select count from attempts where key like 'name %'");
    expect(rows).toEqual([{ count: 1 }]);
  });

  test('by one address over many names is slowed after ten in a minute', async () => {
    const guess = (index: number) => identity.codeOf(signIn({ name: `name-${index}`, address: '198.51.100.9' }));
    for (let index = 0; index < 10; index++) expect(await guess(index)).toBe('SIGN_IN_REFUSED');
    expect(await guess(10)).toBe('RATE_LIMITED');
    // Neither a challenge nor an attempt under way that turns out right ends the wait.
    await identity.ask(beginSignIn, { realm: 'merchant', client: { ...client, address: '198.51.100.9' } });
    expect(await guess(10)).toBe('RATE_LIMITED');
    expect(await identity.codeOf(signIn())).toBe('answered');
    // The next minute has its own ten, and no more.
    identity.pass(60);
    for (let index = 11; index < 21; index++) expect(await guess(index)).toBe('SIGN_IN_REFUSED');
    expect(await guess(21)).toBe('RATE_LIMITED');
  });

  test('goes on waiting when the last attempt of the address was right: one account opens no way to others', async () => {
    const from = { realm: 'merchant', address: '198.51.100.8' } as const;
    const guess = () => identity.codeOf(beginAttempt(identity.database, from, identity.at));
    for (let count = 0; count < 9; count++) expect(await guess()).toBe('answered');
    const right = await beginAttempt(identity.database, from, identity.at);
    await right.succeeded();
    expect(await guess()).toBe('RATE_LIMITED');
  });

  test('by one address takes 120 challenges in a minute, whatever its attempts', async () => {
    const ask = (address: string) =>
      identity.codeOf(identity.ask(beginSignIn, { realm: 'merchant', client: { ...client, address } }));
    for (let count = 0; count < 120; count++) expect(await ask('198.51.100.6')).toBe('answered');
    expect([await ask('198.51.100.6'), await ask('198.51.100.5')]).toEqual(['RATE_LIMITED', 'answered']);
    identity.pass(60);
    expect(await ask('198.51.100.6')).toBe('answered');
  });

  test('costs two hashes at once and lets 32 wait: what comes beyond is refused and not hashed', async () => {
    const hashes = Array.from({ length: 40 }, () => identity.passwords.fits(password, undefined));
    const settled = await Promise.allSettled(hashes);
    const refused = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason as DomainError] : []));
    expect(refused.map(({ code }) => code)).toEqual(Array.from({ length: 6 }, () => 'SERVICE_UNAVAILABLE'));
    expect(await identity.passwords.fits(password, await identity.passwords.make(password))).toBe(true);
  });
});

/** A new password, with a code of a new secret. */
async function typePassword(sessionId: string) {
  const { challengeId, secret: fresh } = await identity.ask(beginTotp, { realm: 'merchant', holder: { sessionId } });
  const typed = { challengeId, password: `${password} again`, code: await identity.code(fresh) };
  return await identity.ask(setPassword, { realm: 'merchant', sessionId, ...typed });
}

describe('a recovery code', () => {
  const recover = (code: string, name = 'rita') =>
    identity.ask(signInWithRecoveryCode, { realm: 'merchant', name, code, client });

  test('is one of ten, signs in once, and its letters may be typed in any form', async () => {
    expect(new Set(rita.recoveryCodes).size).toBe(10);
    const [code = ''] = rita.recoveryCodes;
    expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{4}(-[0-9a-hjkmnp-tv-z]{4}){3}$/);
    const { session } = await recover(code.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O'));
    expect(session.factor).toBe('recovery_code');
    expect(await identity.codeOf(recover(code))).toBe('SIGN_IN_REFUSED');
    const { recoveryCodesLeft } = await identity.ask(listCredentials, { realm: 'merchant', personId: rita.id });
    expect(recoveryCodesLeft).toBe(9);
  });

  test('is of its person alone, and used at once by two requests lets one in', async () => {
    await identity.merchant('olga');
    const [, code = ''] = rita.recoveryCodes;
    expect(await identity.codeOf(recover(code, 'olga'))).toBe('SIGN_IN_REFUSED');
    const codes = await Promise.all([1, 2, 3].map(() => identity.codeOf(recover(code))));
    expect(codes.filter((each) => each === 'answered')).toHaveLength(1);
  });

  test('that is stolen adds a passkey that confirms nothing for 24 hours, and takes no credential away', async () => {
    const { session } = await recover(rita.recoveryCodes[2]!);
    const sessionId = session.id;
    expect(session.stepUpFrom - session.createdAt).toBe(86_400);
    const device = new Authenticator(origins.merchant);
    const begun = await identity.ask(beginPasskey, { realm: 'merchant', holder: { sessionId } });
    const answer = device.create(begun.options);
    const made = { realm: 'merchant', sessionId, challengeId: begun.challengeId, answer, label: 'new' } as const;
    await identity.ask(addPasskey, made);
    const replaced = identity.ask(createRecoveryCodes, { realm: 'merchant', sessionId });
    expect(await identity.codeOf(replaced)).toBe('STEP_UP_REQUIRED');
    identity.pass(3_600);
    const later = await identity.signIn({ realm: 'merchant', device });
    expect(later.session.stepUpFrom).toBe(session.stepUpFrom);
  });

  test('that is stolen sets no other password than the person has, and one where there is none', async () => {
    const { session } = await recover(rita.recoveryCodes[5]!);
    const sessionId = session.id;
    expect(await identity.codeOf(typePassword(sessionId))).toBe('STEP_UP_REQUIRED');
    expect((await signIn()).session.factor).toBe('password');
    const olga = await identity.merchant('olga');
    const before = await identity.signIn(olga);
    const hers = await recover(olga.recoveryCodes[0]!, 'olga');
    expect(await identity.codeOf(typePassword(hers.session.id))).toBe('answered');
    expect(await identity.codeOf(identity.resolve('merchant', before.token)), 'her own session').toBe('answered');
  });

  test('is not used up by a sign-in that begins no session', async () => {
    const code = rita.recoveryCodes[4]!;
    await identity.database.query("alter table session add constraint none check (factor <> 'recovery_code')");
    await expect(recover(code)).rejects.toThrow('none');
    await identity.database.query('alter table session drop constraint none');
    await recover(code);
  });

  test('is replaced with all others by new ones', async () => {
    const { session } = await identity.signIn(rita);
    const { codes } = await identity.ask(createRecoveryCodes, { realm: 'merchant', sessionId: session.id });
    expect(await identity.codeOf(recover(rita.recoveryCodes[3]!))).toBe('SIGN_IN_REFUSED');
    await recover(codes[0]!);
  });
});
