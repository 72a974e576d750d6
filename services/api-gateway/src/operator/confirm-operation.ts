import { createHash, hash, type Hash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { DomainError } from '@gateway/contracts/errors';
import { beginStepUp, checkSecondPerson, type Client, useStepUp } from '@gateway/contracts/identity';
import { type Askable, callRpc } from '@gateway/messaging';
import type { Answer } from '#src/http/endpoint.ts';
import type { Person } from '#src/http/principal.ts';
import type { CallingPerson, OperatorCall, OperatorEndpointRow } from '#src/operator/operator-endpoint.ts';
import { masked } from '#src/sessions/masked.ts';
import { clientOf } from '#src/sessions/session-guard.ts';

const reasonCharactersMax = 500;
const targetCharactersMax = 500;
const targetBeginning = 400;

/** A person's request, as far as it is confirmed, and what it asks to see. */
export interface Asked {
  readonly client: Client;
  /** `X-Step-Up`: the id of a confirmation and its answer, as JSON in base64url. */
  readonly stepUp: string | undefined;
  /** `X-Reveal`: why the personal data of one record is asked for. */
  readonly reveal: string | undefined;
  readonly target: string;
  readonly bodyDigest: () => string;
}

const digests = new WeakMap<FastifyRequest, Hash>();

/** Computes the SHA-256 of each body as it is received. */
export function digestBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const digest = createHash('sha256');
    digests.set(request, digest);
    const tap = new Transform({
      transform: (chunk: Buffer, _encoding, passed) => {
        digest.update(chunk);
        passed(null, chunk);
      },
    });
    payload.once('error', (error) => tap.destroy(error));
    done(null, payload.pipe(tap));
  });
}

export function askedIn(request: FastifyRequest): Asked {
  const { 'x-step-up': stepUp, 'x-reveal': reveal } = request.headers;
  return {
    client: clientOf(request),
    stepUp: typeof stepUp === 'string' ? stepUp : undefined,
    reveal: typeof reveal === 'string' ? reveal.slice(0, reasonCharactersMax) : undefined,
    target: targetOf(request.url),
    bodyDigest: () => digests.get(request)?.copy().digest('hex') ?? hash('sha256', ''),
  };
}

/** The address; of a long one the beginning and its SHA-256, so that no two are one target. */
function targetOf(url: string): string {
  return url.length <= targetCharactersMax ? url : `${url.slice(0, targetBeginning)}#${hash('sha256', url)}`;
}

/** A call as it is authenticated, before anything is known to be confirmed. */
type PersonalCall = Omit<OperatorCall, 'person'> & { readonly person: Person | null; readonly asked: Asked };

/**
 * An operation as people who sign in use it: what it proposes or decides they confirm first, and its answer shows no more
 * about payers, recipients and owners than is asked for with a reason.
 */
export function forPeople(row: OperatorEndpointRow): OperatorEndpointRow {
  const handle = async (call: PersonalCall, services: { readonly bus: Askable }): Promise<Answer> => {
    const { person } = call;
    if (!person) return await row.handle({ ...call, person: null } as never, services as never);
    const reveal = revealIn(call);
    const isConfirmed = await confirmed(services.bus, row, call, person);
    const requireSecondTo = (proposerId: string) => requireSecond(services.bus, person.id, proposerId);
    const calling: CallingPerson = { ...person, isConfirmed, requireSecondTo, reveal };
    try {
      return shown(row, await row.handle({ ...call, person: calling } as never, services as never), call, calling);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'STEP_UP_REQUIRED' || isConfirmed) throw error;
      throw await challenge(services.bus, row, call, person);
    }
  };
  return { ...row, handle };
}

/** @throws DomainError PERMISSION_DENIED for a reveal that the roles do not allow */
function revealIn({ asked: { reveal }, grantOf }: PersonalCall): string | undefined {
  if (reveal === undefined || reveal.trim() === '') return undefined;
  if (grantOf('pii:reveal') === null)
    throw new DomainError('PERMISSION_DENIED', 'the operation takes the permission pii:reveal');
  return reveal;
}

/**
 * One record is revealed at a time, by an operation whose reads are in the audit trail with their reason; a list never, and
 * a file only to those who may make exports.
 */
function shown(
  { reads }: OperatorEndpointRow,
  answer: Answer,
  { grantOf }: PersonalCall,
  { reveal }: CallingPerson,
): Answer {
  const { body, written } = answer;
  if (body instanceof Readable) {
    if (grantOf('exports:create') !== null) return answer;
    body.destroy();
    throw new DomainError('PERMISSION_DENIED', 'a list as a file takes the permission exports:create');
  }
  const isRevealed = reveal !== undefined && reads !== undefined && written === undefined;
  return isRevealed || body instanceof Uint8Array ? answer : { ...answer, body: masked(body) };
}

const stepUpSchema = z.object({ stepUpId: useStepUp.request.shape.stepUpId, answer: useStepUp.request.shape.answer });

/** Uses the confirmation of a request up, if it has one. @throws DomainError STEP_UP_REQUIRED when it is for something else */
async function confirmed(bus: Askable, row: OperatorEndpointRow, call: PersonalCall, person: Person): Promise<boolean> {
  const { stepUp, client } = call.asked;
  if (stepUp === undefined) return false;
  const given = stepUpSchema.safeParse(jsonIn(stepUp));
  if (!given.success) throw await challenge(bus, row, call, person);
  const { rotatedToken } = await callRpc(bus, useStepUp, { ...confirmedBy(row, call, person), ...given.data, client });
  person.keepToken(rotatedToken);
  return true;
}

/** What has to be confirmed: this operation, on this target, with this body, by this person. */
async function challenge(
  bus: Askable,
  row: OperatorEndpointRow,
  call: PersonalCall,
  person: Person,
): Promise<DomainError> {
  const { stepUpId, options, password } = await callRpc(bus, beginStepUp, confirmedBy(row, call, person));
  return new DomainError('STEP_UP_REQUIRED', 'confirm exactly this operation, and send it again', {
    extra: {
      step_up_id: stepUpId,
      ...(options ? { step_up_passkey: JSON.stringify(options) } : {}),
      ...(password ? { step_up_password: 'true' } : {}),
    },
  });
}

function confirmedBy({ operation }: OperatorEndpointRow, { asked }: PersonalCall, { sessionId }: Person) {
  return { realm: 'operator' as const, sessionId, operation, target: asked.target, bodyDigest: asked.bodyDigest() };
}

const refusals = {
  same_person: 'another person decides than the one who proposed',
  not_active: 'a person who is not active decides nothing',
  by_proposer: 'a person whom the proposer invited, gave rights or reset within seven days does not decide it',
} as const;

async function requireSecond(bus: Askable, deciderId: string, proposerId: string): Promise<void> {
  const { allowed, reason } = await callRpc(bus, checkSecondPerson, { realm: 'operator', proposerId, deciderId });
  if (!allowed) throw new DomainError('SECOND_PERSON_REQUIRED', refusals[reason ?? 'same_person']);
}

function jsonIn(base64url: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64url, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
