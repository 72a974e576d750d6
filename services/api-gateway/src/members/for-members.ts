import { Readable } from 'node:stream';
import { DomainError } from '@gateway/contracts/errors';
import type { MerchantPermission } from '@gateway/contracts/identity';
import type { Askable } from '@gateway/messaging';
import type { Answer } from '#src/http/endpoint.ts';
import type { Member } from '#src/members/authenticate-member.ts';
import { sessionOperations } from '#src/members/session-operations.ts';
import type { MerchantCall, MerchantEndpointRow } from '#src/merchant/merchant-endpoint.ts';
import { merchantRoutes } from '#src/merchant/routes.ts';
import { type Asked, challenge, confirmed } from '#src/sessions/confirmations.ts';
import { fileForExporters, isJsonBytes, maskedAnswer } from '#src/sessions/shown-answer.ts';

/** An operation of the merchant API as people use it. */
export interface MemberRow extends MerchantEndpointRow {
  readonly permission: MerchantPermission;
}

type MemberCall = MerchantCall & { readonly member: Member; readonly asked: Asked };

/** What a session reaches of the merchant API. */
export const memberRoutes: readonly MemberRow[] = merchantRoutes.flatMap((row) => {
  const use = sessionOperations[row.operation];
  if (!use) return [];
  const { permission, confirmed: isToBeConfirmed = false } = use;
  const handle = async (call: MemberCall, services: { readonly bus: Askable }): Promise<Answer> => {
    if (isToBeConfirmed) await requireConfirmed(services.bus, row.operation, call);
    return shown(await row.handle(call as never, services as never), call);
  };
  return [{ ...row, permission, handle }];
});

/** @throws DomainError PERMISSION_DENIED */
export function authorizeMember({ may }: Member, { permission }: MemberRow): void {
  if (!may(permission)) throw new DomainError('PERMISSION_DENIED', `the operation takes the permission ${permission}`);
}

/** @throws DomainError STEP_UP_REQUIRED with what the person is to confirm */
async function requireConfirmed(bus: Askable, operation: string, { member, asked }: MemberCall): Promise<void> {
  const within = `${member.accountId} ${member.environment}`;
  const confirmable = { realm: 'merchant', operation, within, asked, person: member.person } as const;
  if (!(await confirmed(bus, confirmable))) throw await challenge(bus, confirmable);
}

/**
 * Personal data is masked, also in a page that the owner of the records has written; a list as a file, in which it is not,
 * is for those who may make exports.
 */
function shown(answer: Answer, { member }: MemberCall): Answer {
  const { body } = answer;
  const isFile = body instanceof Readable || (body instanceof Uint8Array && !isJsonBytes(answer));
  return isFile ? fileForExporters(answer, member.may('exports:create')) : maskedAnswer(answer);
}
