import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  acceptInvitation,
  beginPasskey,
  beginRecovery,
  beginTotp,
  checkSecondPerson,
  confirmInvitation,
  createInvitation,
  listInvitations,
  listPeople,
  readInvitation,
  revokeInvitation,
} from '@gateway/contracts/identity';
import { newId } from '@gateway/money';
import { bootstrapAdmin } from '#src/invitations/bootstrap-admin.ts';
import { Authenticator } from './authenticator.ts';
import { accountId, client, digestOf, Identity, origins, password, type Enrolled } from './harness.ts';

const realm = 'operator';
let identity: Identity;
let ana: Enrolled;
let bruno: Enrolled;
beforeAll(async () => {
  identity = await Identity.open();
});
beforeEach(async () => {
  await identity.clear();
  [ana, bruno] = [await identity.operator('ana'), await identity.operator('bruno')];
});
afterAll(async () => identity[Symbol.asyncDispose]());

const invite = (name = 'carla') =>
  identity.ask(createInvitation, { realm, name, roles: ['treasurer'], membership: null, by: ana.id });
const confirm = (invitationId: string, by = ana.id) =>
  identity.codeOf(identity.ask(confirmInvitation, { realm, invitationId, by }));

describe('an invitation', () => {
  test('works once, and gives nothing before the inviter confirmed who enrolled', async () => {
    const { invitation, token } = await invite();
    const { invitation: seen } = await identity.ask(readInvitation, { realm, tokenDigest: digestOf(token) });
    expect(seen).toMatchObject({ name: 'carla', roles: ['treasurer'], state: 'OPEN', personId: null });
    const carla = await identity.enrol(realm, token, 'carla');
    expect(await identity.codeOf(identity.enrol(realm, token, 'carla'))).toBe('NOT_FOUND');
    expect(await identity.codeOf(identity.signIn(carla))).toBe('SIGN_IN_REFUSED');
    const { invitations } = await identity.ask(listInvitations, { realm });
    expect(invitations[0]).toMatchObject({ state: 'ACCEPTED', passkeyLabel: 'key of carla', personId: carla.id });
    expect(await confirm(invitation.id, bruno.id)).toBe('INVALID_STATE');
    expect(await confirm(invitation.id)).toBe('answered');
    expect((await identity.signIn(carla)).session.roles).toEqual(['treasurer']);
    expect(await confirm(invitation.id)).toBe('INVALID_STATE');
  });

  test('of two browsers with one link at once enrols one', async () => {
    const { token } = await invite();
    const codes = await Promise.all([1, 2, 3].map(() => identity.codeOf(identity.enrol(realm, token, 'carla'))));
    expect(codes.filter((code) => code === 'answered')).toHaveLength(1);
    const { people } = await identity.ask(listPeople, { realm });
    expect(people.filter(({ name }) => name === 'carla')).toMatchObject([{ state: 'INVITED', passkeys: 1 }]);
  });

  test('works 24 hours, and its name is free again after them', async () => {
    const { invitation, token } = await invite();
    expect(await identity.codeOf(invite())).toBe('INVALID_STATE');
    identity.pass(86_400);
    expect(await identity.codeOf(identity.enrol(realm, token, 'carla'))).toBe('NOT_FOUND');
    expect(await confirm(invitation.id)).toBe('INVALID_STATE');
    await invite();
    expect(await identity.codeOf(invite('bruno'))).toBe('INVALID_STATE');
  });

  test('of one realm opens nothing in the other', async () => {
    const { token } = await invite();
    const tokenDigest = digestOf(token);
    expect(await identity.codeOf(identity.ask(readInvitation, { realm: 'merchant', tokenDigest }))).toBe('NOT_FOUND');
    expect(await identity.codeOf(identity.enrol('merchant', token, 'carla'))).toBe('NOT_FOUND');
  });

  test('that is revoked closes its link, and removes who enrolled by it', async () => {
    const [open, accepted] = [await invite('dora'), await invite('carla')];
    await identity.enrol(realm, accepted.token, 'carla');
    for (const { invitation } of [open, accepted]) {
      await identity.ask(revokeInvitation, { realm, invitationId: invitation.id, by: ana.id });
    }
    expect(await identity.codeOf(identity.enrol(realm, open.token, 'dora'))).toBe('NOT_FOUND');
    expect(await confirm(accepted.invitation.id)).toBe('INVALID_STATE');
    const { people } = await identity.ask(listPeople, { realm });
    expect(people.map(({ name }) => name)).toEqual(['ana', 'bruno']);
  });

  test('can be accepted by password and codes, and not with a code of another secret', async () => {
    const { invitation, token } = await invite();
    const holder = { invitationDigest: digestOf(token) };
    const accept = async (code: (secret: string) => Promise<string>) => {
      const begun = await identity.ask(beginTotp, { realm, holder });
      const credential = { kind: 'password', password, code: await code(begun.secret) } as const;
      const { challengeId } = begun;
      const accepting = { realm, tokenDigest: digestOf(token), challengeId, credential, client } as const;
      return await identity.codeOf(identity.ask(acceptInvitation, accepting));
    };
    expect(await accept(() => identity.code('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'))).toBe('VALIDATION_ERROR');
    expect(await accept((secret) => identity.code(secret))).toBe('answered');
    await confirm(invitation.id);
    const { people } = await identity.ask(listPeople, { realm });
    expect(people.find(({ name }) => name === 'carla')).toMatchObject({ state: 'ACTIVE', hasPassword: true });
  });

  test('is answered by a passkey made for it, and not for another link', async () => {
    const [one, other] = [await invite('carla'), await invite('dora')];
    const holder = { invitationDigest: digestOf(one.token) };
    const { challengeId, options } = await identity.ask(beginPasskey, { realm, holder });
    const answer = new Authenticator(origins.operator).create(options);
    const credential = { kind: 'passkey', answer, label: 'key' } as const;
    const accepting = { realm, tokenDigest: digestOf(other.token), challengeId, credential, client } as const;
    expect(await identity.codeOf(identity.ask(acceptInvitation, accepting))).toBe('VALIDATION_ERROR');
  });

  test('of a merchant’s person gives rights in one account; roles and accounts do not go together', async () => {
    const rita = await identity.merchant('rita', ['finance']);
    const { session } = await identity.signIn(rita);
    expect(session).toMatchObject({ roles: [], memberships: [{ accountId, roles: ['finance'] }] });
    const membership = { accountId, roles: ['owner' as const], environments: ['live' as const] };
    for (const wrong of [
      { realm: 'operator' as const, name: 'dora', roles: ['duty' as const], membership },
      { realm: 'operator' as const, name: 'dora', roles: [], membership: null },
      { realm: 'merchant' as const, name: 'dora', roles: ['duty' as const], membership },
      { realm: 'merchant' as const, name: 'dora', roles: [], membership: null },
    ]) {
      const asked = identity.ask(createInvitation, { ...wrong, by: ana.id });
      expect(await identity.codeOf(asked)).toBe('VALIDATION_ERROR');
    }
  });
});

test('a name that is taken, by a person or by an open invitation of another account, is refused in the same words, and thirty are asked for', async () => {
  await identity.merchant('rita');
  const asking = (name: string, account = accountId) => {
    const membership = { accountId: account, roles: ['viewer' as const], environments: ['test' as const] };
    return identity.ask(createInvitation, { realm: 'merchant', name, membership, by: ana.id });
  };
  const elsewhere = newId('account');
  await asking('open');
  const refusals = await Promise.allSettled([asking('rita', elsewhere), asking('open', elsewhere)]);
  const words = refusals.map((each) => (each.status === 'rejected' ? (each.reason as Error).message : 'invited'));
  expect(new Set(words)).toEqual(new Set(['the name cannot be used: choose another one']));
  for (let count = 2; count < 30; count++) await identity.codeOf(asking('rita', elsewhere));
  expect(await identity.codeOf(asking('free', elsewhere))).toBe('RATE_LIMITED');
  expect(await identity.codeOf(asking('free'))).toBe('answered');
});

describe('recovery', () => {
  const recover = (personId: string, by = ana.id) =>
    identity.ask(beginRecovery, { realm, personId, by, reason: 'lost phone' });

  test('ends every session and credential; the person comes back with new ones, once confirmed', async () => {
    const before = await identity.signIn(bruno);
    const { token, invitationId } = await recover(bruno.id);
    expect(await identity.codeOf(identity.resolve(realm, before.token))).toBe('SESSION_ENDED');
    expect(await identity.codeOf(identity.signIn(bruno))).toBe('SIGN_IN_REFUSED');
    const again = await identity.enrol(realm, token, 'bruno');
    expect(again.id).toBe(bruno.id);
    expect(await identity.codeOf(identity.signIn(again))).toBe('SIGN_IN_REFUSED');
    expect(await confirm(invitationId)).toBe('answered');
    expect((await identity.signIn(again)).session.roles).toEqual(before.session.roles);
  });

  test('is begun by another person, and who begins it has no second person in the one who is back', async () => {
    expect(await identity.codeOf(recover(bruno.id, bruno.id))).toBe('INVALID_STATE');
    const { token, invitationId } = await recover(bruno.id);
    await identity.enrol(realm, token, 'bruno');
    await confirm(invitationId);
    const asked = { realm, proposerId: ana.id, deciderId: bruno.id } as const;
    expect(await identity.ask(checkSecondPerson, asked)).toMatchObject({ allowed: false, reason: 'by_proposer' });
  });

  test('that is begun again closes the link before', async () => {
    const first = await recover(bruno.id);
    const second = await recover(bruno.id);
    expect(await identity.codeOf(identity.enrol(realm, first.token, 'bruno'))).toBe('NOT_FOUND');
    await identity.enrol(realm, second.token, 'bruno');
  });
});

describe('bootstrap', () => {
  const bootstrap = (name: string, breakGlass = false) =>
    bootstrapAdmin({ database: identity.database, now: () => identity.at }, { name, breakGlass });

  test('makes two admins of a new deployment and refuses a third', async () => {
    await identity.clear();
    const links = [await bootstrap('ana'), await bootstrap('bruno')];
    expect(await identity.codeOf(bootstrap('carla'))).toBe('INVALID_STATE');
    const again = await bootstrap('ana');
    expect(await identity.codeOf(identity.enrol(realm, links[0]!.token, 'ana'))).toBe('NOT_FOUND');
    const first = await identity.enrol(realm, again.token, 'ana');
    expect((await identity.signIn(first)).session.roles).toEqual(['admin']);
    await identity.enrol(realm, links[1]!.token, 'bruno');
    expect(await identity.codeOf(bootstrap('carla'))).toBe('INVALID_STATE');
  });

  test('with --break-glass lets an admin in again who has lost everything, for an hour', async () => {
    const before = await identity.signIn(ana);
    const late = await bootstrap('ana', true);
    expect(await identity.codeOf(identity.resolve(realm, before.token))).toBe('SESSION_ENDED');
    identity.pass(3_600);
    expect(await identity.codeOf(identity.enrol(realm, late.token, 'ana'))).toBe('NOT_FOUND');
    const { token } = await bootstrap('ana', true);
    const again = await identity.enrol(realm, token, 'ana');
    expect((await identity.signIn(again)).session).toMatchObject({ personId: ana.id });
    expect(await identity.codeOf(bootstrap('ana'))).toBe('INVALID_STATE');
  });

  test('by two links that are accepted at once beside an admin leaves two', async () => {
    await identity.clear();
    const links = [await bootstrap('ana'), await bootstrap('bruno')];
    await identity.operator('carla', ['admin']);
    const accepted = links.map(({ token }, index) => identity.codeOf(identity.enrol(realm, token, `name-${index}`)));
    expect((await Promise.all(accepted)).sort()).toEqual(['INVALID_STATE', 'answered']);
  });
});
