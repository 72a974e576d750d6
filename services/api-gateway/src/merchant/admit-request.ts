import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import type { DomainError } from '@gateway/contracts/errors';
import type { CallerDirectory } from '#src/accounts/caller-directory.ts';
import type { Admission, AdmittedOperation, AdmittedRequest } from '#src/limits/admission.ts';
import { tooManyUnderWay } from '#src/limits/fair-slots.ts';
import type { MerchantEndpointRow } from '#src/merchant/merchant-endpoint.ts';

const merchantPaths = '/v1/';
/** Made once: the stack of an error of its own would cost as much as all the rest of a refusal but its write. */
const refusal = tooManyUnderWay();

/**
 * Refuses a request before anything is done for it, by its key's name alone, which is not proof of who calls: the answer
 * is the same for everybody who has as much under way. A key that is not in memory is left to authentication. Nothing
 * is counted as under way here, so that requests with the name of another's key take nothing from its account.
 */
export function refusalBeforehand(
  { admission, directory }: { readonly admission: Admission; readonly directory: CallerDirectory },
  { method = 'GET', url = '', headers }: IncomingMessage,
): DomainError | undefined {
  const { 'x-api-key': publicKey } = headers;
  if (typeof publicKey !== 'string' || !url.startsWith(merchantPaths)) return undefined;
  const caller = directory.remembered(publicKey)?.caller;
  if (!caller) return undefined;
  const [path = ''] = url.split('?', 1);
  const admittance = {
    environment: caller.environment,
    operation: admittedOperationOf(method, path),
    accountId: caller.account.id,
  };
  return admission.refuses(admittance) ? refusal : undefined;
}

/** Admits a request whose caller has proved who it is, when its work begins. */
export function admitting(admission: Admission) {
  return (
    { caller }: FastifyRequest,
    { method, path }: Pick<MerchantEndpointRow, 'method' | 'path'>,
  ): AdmittedRequest => {
    if (!caller) throw new Error(`${method} ${path} is admitted before its caller is known`);
    const operation = admittedOperationOf(method, path);
    return admission.admit({ environment: caller.environment, operation, accountId: caller.account.id });
  };
}

function admittedOperationOf(method: string, path: string): AdmittedOperation {
  if (method === 'GET' || method === 'HEAD') return 'read';
  if (method === 'POST' && /^\/v1\/deposits\/?$/.test(path)) return 'deposit';
  if (method === 'POST' && /^\/v1\/payouts\/?$/.test(path)) return 'payout';
  return 'change';
}
