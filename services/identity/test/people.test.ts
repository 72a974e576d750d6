import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  beginRecovery,
  changeRoles,
  checkSecondPerson,
  confirmInvitation,
  createInvitation,
  listPeople,
  listSignIns,
  reinstatePerson,
  suspendPerson,
  type OperatorRole,
} from '@gateway/contracts/identity';
import { accountId, Identity, type Enrolled } from './harness.ts';

const realm = 'operator';
let identity: Identity;
let ana: Enrolled;
let bruno: Enrolled;
beforeAll(async () => {
  identity = await Identity.open();
});
beforeEach(async () => {
  await identity.clear();
  [ana, bruno] = [await identity.operator('ana', ['admin', 'duty']), await identity.operator('bruno', ['admin'])];
});
afterAll(async () => identity[Symbol.asyncDispose]());

const second = (proposer: Enrolled, decider: Enrolled) =>
  identity.ask(checkSecondPerson, { realm, proposerId: proposer.id, deciderId: decider.id });
const setRoles = (person: Enrolled, roles: OperatorRole[], by = ana) =>
  identity.ask(changeRoles, { realm, personId: person.id, by: by.id, rights: { roles } });
const suspend = (person: Enrolled, by = ana) =>
  identity.ask(suspendPerson, { realm, personId: person.id, by: by.id, reason: 'left' });
const weekSec = 7 * 86_400;

describe('a second person', () => {
  test('is another one: no proposer ever decides', async () => {
    expect(await second(ana, ana)).toMatchObject({ allowed: false, reason: 'same_person', allowedFrom: null });
    expect(await second(ana, bruno)).toMatchObject({ allowed: true, reason: null, allowedFrom: null });
  });

  test('is none whom the proposer invited within seven days or was shown the link of, nor the other way round, and is one for all others', async () => {
    const roles: OperatorRole[] = ['treasurer'];
    const invited = { realm, name: 'carla', roles, membership: null, by: ana.id, approvedBy: bruno.id } as const;
    const dora = await identity.operator('dora');
    const { invitation, token } = await identity.ask(createInvitation, invited);
    const carla = await identity.enrol(realm, token, 'carla');
    expect(await second(bruno, carla)).toMatchObject({ allowed: false, reason: 'not_active' });
    await identity.ask(confirmInvitation, { realm, invitationId: invitation.id, by: ana.id });
    const from = Math.floor(identity.at.getTime() / 1_000) + weekSec;
    expect(await second(ana, carla)).toMatchObject({ allowed: false, reason: 'by_proposer', allowedFrom: from });
    expect(await second(carla, ana)).toMatchObject({ allowed: false, reason: 'by_decider', allowedFrom: from });
    expect(await second(bruno, carla)).toMatchObject({ allowed: false, reason: 'by_proposer', allowedFrom: from });
    expect(await second(carla, bruno)).toMatchObject({ allowed: false, reason: 'by_decider', allowedFrom: from });
    for (const [proposer, decider] of [
      [dora, carla],
      [carla, dora],
    ] as const) {
      expect((await second(proposer, decider)).allowed).toBe(true);
    }
    identity.pass(weekSec - 1);
    expect((await second(ana, carla)).allowed).toBe(false);
    expect((await second(carla, ana)).allowed).toBe(false);
    identity.pass(1);
    expect((await second(ana, carla)).allowed).toBe(true);
    expect((await second(carla, ana)).allowed).toBe(true);
  });

  test('is none to whom the proposer gave a right, or whom the proposer reinstated, within seven days', async () => {
    const carla = await identity.operator('carla', ['duty']);
    await setRoles(carla, ['duty', 'treasurer']);
    expect((await second(ana, carla)).allowed).toBe(false);
    identity.pass(weekSec);
    expect((await second(ana, carla)).allowed).toBe(true);
    await setRoles(carla, ['treasurer']);
    expect((await second(ana, carla)).allowed, 'only lost a right').toBe(true);
    await suspend(carla);
    expect(await second(bruno, carla)).toMatchObject({ reason: 'not_active' });
    expect(await second(carla, bruno)).toMatchObject({ proposer: { state: 'SUSPENDED', roles: ['treasurer'] } });
    await identity.ask(reinstatePerson, { realm, personId: carla.id, by: ana.id, reason: 'is back' });
    expect((await second(ana, carla)).allowed).toBe(false);
  });

  test('is none to whom a right was given, or who was reset, by the approval of the proposer', async () => {
    const carla = await identity.operator('carla', ['duty']);
    const rights = { roles: ['duty' as const, 'treasurer' as const] };
    const both = { realm, personId: carla.id, by: ana.id, approvedBy: bruno.id } as const;
    await identity.ask(changeRoles, { ...both, rights });
    for (const giver of [ana, bruno]) expect(await second(giver, carla)).toMatchObject({ reason: 'by_proposer' });
    identity.pass(weekSec);
    const dora = await identity.operator('dora', ['duty']);
    const reset = await identity.ask(beginRecovery, { ...both, personId: dora.id, reason: 'lost phone' });
    await identity.enrol(realm, reset.token, 'dora');
    await identity.ask(confirmInvitation, { realm, invitationId: reset.invitationId, by: ana.id });
    for (const giver of [ana, bruno]) expect(await second(giver, dora)).toMatchObject({ reason: 'by_proposer' });
  });
});

describe('rights', () => {
  test('are changed with before and after in the history', async () => {
    const carla = await identity.operator('carla', ['support']);
    const { before, person } = await setRoles(carla, ['treasurer']);
    expect([before.roles, person.roles]).toEqual([['support'], ['treasurer']]);
    const { signIns } = await identity.ask(listSignIns, { realm, personId: carla.id });
    expect(signIns[0]).toMatchObject({ what: 'roles.changed', by: ana.id });
    expect(JSON.parse(signIns[0]!.detail)).toMatchObject({ before: { roles: ['support'] } });
  });

  test('of the last two admins cannot be taken away, by changing or suspending, also not at once', async () => {
    expect(await identity.codeOf(setRoles(bruno, ['duty']))).toBe('INVALID_STATE');
    expect(await identity.codeOf(suspend(bruno))).toBe('INVALID_STATE');
    const carla = await identity.operator('carla', ['admin']);
    const both = await Promise.all([suspend(bruno), suspend(carla)].map((asked) => identity.codeOf(asked)));
    expect(both.sort()).toEqual(['INVALID_STATE', 'answered']);
    const { people } = await identity.ask(listPeople, { realm });
    expect(people.filter(({ state, roles }) => state === 'ACTIVE' && roles.includes('admin'))).toHaveLength(2);
  });

  test('of an account’s last owner cannot be taken away; those of others can', async () => {
    const [rita, olga] = [await identity.merchant('rita'), await identity.merchant('olga', ['owner'])];
    const leave = (person: Enrolled) => {
      const rights = { accountId, membership: null };
      return identity.ask(changeRoles, { realm: 'merchant', personId: person.id, by: ana.id, rights });
    };
    expect((await leave(olga)).person.memberships).toEqual([]);
    expect(await identity.codeOf(leave(rita))).toBe('INVALID_STATE');
    const { people } = await identity.ask(listPeople, { realm: 'merchant', accountId });
    expect(people.map(({ name }) => name)).toEqual(['rita']);
    const nina = await identity.merchant('nina', ['owner']);
    const inTest = { accountId, membership: { roles: ['owner' as const], environments: ['test' as const] } };
    const setTo = (person: Enrolled, rights: typeof inTest) =>
      identity.codeOf(identity.ask(changeRoles, { realm: 'merchant', personId: person.id, by: ana.id, rights }));
    expect(await setTo(nina, inTest)).toBe('answered');
    expect(await setTo(rita, inTest), 'an owner of test mode is none of live mode').toBe('INVALID_STATE');
    expect(await identity.codeOf(leave(rita))).toBe('INVALID_STATE');
    expect(await identity.codeOf(leave(nina))).toBe('answered');
  });

  test('are roles for operators, and memberships for the people of merchants', async () => {
    const rita = await identity.merchant('rita');
    const membership = { roles: ['owner' as const], environments: ['live' as const] };
    const wrong = [
      identity.ask(changeRoles, { realm, personId: ana.id, by: bruno.id, rights: { accountId, membership } }),
      identity.ask(changeRoles, { realm: 'merchant', personId: rita.id, by: ana.id, rights: { roles: ['admin'] } }),
    ];
    for (const asked of wrong) expect(await identity.codeOf(asked)).toBe('VALIDATION_ERROR');
    const other = { realm: 'merchant', personId: ana.id, by: bruno.id, rights: { accountId, membership } } as const;
    expect(await identity.codeOf(identity.ask(changeRoles, other))).toBe('NOT_FOUND');
  });
});
