import { Readable } from 'node:stream';
import { DomainError } from '@gateway/contracts/errors';
import { checkSecondPerson, operatorGrant, type OperatorPermission } from '@gateway/contracts/identity';
import { type Askable, callRpc } from '@gateway/messaging';
import type { Answer } from '#src/http/endpoint.ts';
import type { Person } from '#src/http/principal.ts';
import type {
  CallingPerson,
  OperatorCall,
  OperatorEndpointRow,
  OperatorServices,
} from '#src/operator/operator-endpoint.ts';
import { type Asked, challenge, type Confirmable, confirmed } from '#src/sessions/confirmations.ts';
import { revealIn } from '#src/sessions/revealing.ts';
import { fileForExporters, isEventStream, maskedAnswer } from '#src/sessions/shown-answer.ts';
import { isAskedAsFile } from '#src/statements/list-answer.ts';

interface ServicesOfPeople extends Pick<OperatorServices, 'tokensDecide'> {
  readonly bus: Askable;
}

/** A call as it is authenticated, before anything is known to be confirmed. */
type PersonalCall = Omit<OperatorCall, 'person'> & {
  readonly person: Person | null;
  readonly asked: Asked;
  readonly query?: unknown;
};

/**
 * An operation as people who sign in use it: what it proposes or decides, and what leaves as a file, they confirm first, and
 * its answer shows no more about payers, recipients and owners than is asked for with a reason. Tokens are shown no more either, and reveal nothing.
 */
export function forPeople(row: OperatorEndpointRow): OperatorEndpointRow {
  const handle = async (call: PersonalCall, services: ServicesOfPeople): Promise<Answer> => {
    const { person } = call;
    const ofToken = async () => await row.handle({ ...call, person: null } as never, services as never);
    if (call.isShownAll) return await ofToken();
    const reveal = revealIn(call.asked, call.grantOf('pii:reveal') !== null);
    if (!person) return shown(row, await ofToken(), call);
    const confirmable = confirmableOf(row, call, person);
    const isConfirmed = await confirmed(services.bus, confirmable);
    const leaves = isAskedAsFile(row, call) && call.grantOf('exports:create') !== null;
    if (leaves && !isConfirmed) throw await challenge(services.bus, confirmable);
    const requireSecondTo: CallingPerson['requireSecondTo'] = (proposerId, toPropose) =>
      requireSecond(services, { deciderId: person.id, proposerId, toPropose });
    const calling: CallingPerson = { ...person, isConfirmed, requireSecondTo, reveal };
    try {
      return shown(row, await row.handle({ ...call, person: calling } as never, services as never), call, reveal);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'STEP_UP_REQUIRED' || isConfirmed) throw error;
      throw await challenge(services.bus, confirmable);
    }
  };
  return { ...row, handle };
}

/**
 * One record is revealed at a time, by an operation whose reads are in the audit trail with their reason; a list never, and
 * a file only to those who may make exports.
 */
function shown({ reads }: OperatorEndpointRow, answer: Answer, { grantOf }: PersonalCall, reveal?: string): Answer {
  if (isEventStream(answer)) return answer;
  if (answer.body instanceof Readable) return fileForExporters(answer, grantOf('exports:create') !== null);
  const isRevealed = reveal !== undefined && reads !== undefined && answer.written === undefined;
  return isRevealed ? answer : maskedAnswer(answer);
}

function confirmableOf({ operation }: OperatorEndpointRow, { asked }: PersonalCall, person: Person): Confirmable {
  return { realm: 'operator', operation, asked, person };
}

const refusals = {
  same_person: 'another person decides than the one who proposed',
  not_active: 'a person who is not active decides nothing',
  by_proposer: 'a person whom the proposer invited, gave rights or reset within seven days does not decide it',
  by_decider: 'who invited, gave rights to or reset the proposer within seven days does not decide it',
} as const;

interface Decided {
  readonly deciderId: string;
  readonly proposerId: string | null;
  readonly toPropose: OperatorPermission | null;
}

/** Who proposed by a token is not known, and may be the very person who decides. */
async function requireSecond(
  { bus, tokensDecide }: ServicesOfPeople,
  { deciderId, proposerId, toPropose }: Decided,
): Promise<void> {
  if (proposerId === null) {
    if (tokensDecide) return;
    throw new DomainError('SECOND_PERSON_REQUIRED', 'no person answers for the proposal: a person proposes it again');
  }
  const people = { realm: 'operator', proposerId, deciderId } as const;
  const { allowed, reason, proposer } = await callRpc(bus, checkSecondPerson, people);
  if (!allowed) throw new DomainError('SECOND_PERSON_REQUIRED', refusals[reason ?? 'same_person']);
  // Identity of an earlier version does not say.
  if (proposer === undefined) return;
  const may = proposer?.state === 'ACTIVE' && (!toPropose || operatorGrant(proposer.roles, toPropose) !== null);
  if (!may) throw new DomainError('PERMISSION_DENIED', 'who proposed it may propose it no longer');
}
