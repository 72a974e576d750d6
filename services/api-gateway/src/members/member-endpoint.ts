import type { z } from 'zod';
import { DomainError } from '@gateway/contracts/errors';
import { checkSecondPerson, type MerchantPermission, type OperatorPermission } from '@gateway/contracts/identity';
import { type Askable, callRpc } from '@gateway/messaging';
import type { VersionedBody } from '@gateway/public-api';
import type { RulesByKind } from '#src/approvals/approval.ts';
import type { AuditedRead, OperatorAct } from '#src/approvals/audit.ts';
import type { Endpoint, EndpointRow } from '#src/http/endpoint.ts';
import type { ChangeStreams } from '#src/live/change-streams.ts';
import type { Member } from '#src/members/authenticate-member.ts';
import type { MerchantCall, MerchantServices } from '#src/merchant/merchant-endpoint.ts';
import type { Asked } from '#src/sessions/confirmations.ts';

/** A request of a person for one account in one environment. */
export interface MemberCall extends MerchantCall {
  readonly member: Member;
  readonly asked: Asked;
}

export interface MemberServices extends MerchantServices {
  /** How what takes two people is carried out. */
  readonly rules: RulesByKind;
  readonly changeStreams: ChangeStreams;
}

/** An operation as people use it. */
export interface MemberRow extends EndpointRow<MemberServices> {
  readonly permission: MerchantPermission;
  /** Whether the person confirms it, for that request alone. */
  readonly confirmed?: boolean;
  /** In live mode also for those who have the permission with a second person: nothing comes of it by one of them alone. */
  readonly withSecond?: boolean;
  /** The name of its read in the audit trail, where its answer holds personal data; without one, nothing is revealed. */
  readonly reads?: AuditedRead['action'];
}

interface MemberEndpoint<
  Body extends z.ZodType | VersionedBody | undefined,
  Query extends z.ZodType | undefined,
> extends Endpoint<MemberCall, MemberServices, Body, Query> {
  readonly permission: MerchantPermission;
  readonly confirmed?: boolean;
  readonly withSecond?: boolean;
  readonly reads?: AuditedRead['action'];
}

/** Ties a handler of the merchants' console to its schemas. */
export function memberEndpoint<
  Body extends z.ZodType | VersionedBody | undefined = undefined,
  Query extends z.ZodType | undefined = undefined,
>(endpoint: MemberEndpoint<Body, Query>): MemberRow {
  return endpoint;
}

/** What the mechanism of proposals asks for, as the people of an account have it. */
const permissionsOfTeams: Readonly<Partial<Record<OperatorPermission, MerchantPermission>>> = {
  'money:propose': 'money:propose',
  'money:decide': 'money:decide',
  'people:write': 'team:write',
  'accounts:propose': 'keys:write',
};

/**
 * Who proposes or decides for an account.
 *
 * @param isConfirmed whether the operation takes a confirmation: without one it is not handled at all
 */
export function actOf({ member, requestId }: MemberCall, bus: Askable, isConfirmed: boolean): OperatorAct {
  const { person, accountId, environment } = member;
  return {
    operator: member.name,
    may: (permission) => {
      const own = permissionsOfTeams[permission];
      return own !== undefined && member.may(own, permission.endsWith(':propose'));
    },
    requestId,
    at: new Date(),
    responsible: person.id,
    person: { isConfirmed, requireSecondTo: (proposerId) => requireSecond(bus, person.id, proposerId) },
    team: { accountId, environment },
  };
}

/**
 * Another person who is active. Whom the proposer has invited is one: of an account only owners invite, who may do
 * everything in it.
 */
async function requireSecond(bus: Askable, deciderId: string, proposerId: string | null): Promise<void> {
  if (proposerId === null) throw new DomainError('SECOND_PERSON_REQUIRED', 'it is not known who proposed it');
  const { allowed, reason } = await callRpc(bus, checkSecondPerson, { realm: 'merchant', proposerId, deciderId });
  if (allowed || reason === 'by_proposer' || reason === 'by_decider') return;
  const who = reason === 'not_active' ? 'a person who is active' : 'another person of the account than its proposer';
  throw new DomainError('SECOND_PERSON_REQUIRED', `a proposal is decided by ${who}`);
}
