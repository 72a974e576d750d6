import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type Deposit,
  depositPageResource,
  depositSimulationResource,
  getDeposit,
  listAccountRefunds,
  simulatePayment,
} from '@gateway/contracts/deposits';
import { NotFoundError, statusOf } from '@gateway/contracts/errors';
import { environmentSchema } from '@gateway/contracts/values';
import { type Askable, type Bus, callRpc } from '@gateway/messaging';
import { isId } from '@gateway/money';
import type { Database } from '@gateway/persistence';
import type { LinkTokens, Logger } from '@gateway/runtime';
import { refusalOf } from '@gateway/runtime/http';
import { AccountEntity } from '#src/accounts/account.ts';
import { brandingOf, lookOf } from '#src/accounts/branding.ts';
import type { OpenLimits } from '#src/limits/open-limits.ts';
import { pagePolicyOf, renderNotFound, renderUnavailable } from '#src/pages/html.ts';
import type { KeptPictures } from '#src/pages/kept-pictures.ts';
import { languageOf, registerLinkPages, sendHtml } from '#src/pages/link-pages.ts';
import { isOpen, pageStateOf, renderDeposit } from '#src/pages/render-deposit.ts';

export interface PaymentPageServices {
  readonly bus: Bus;
  readonly database: Database;
  readonly linkTokens: LinkTokens;
  readonly logger: Logger;
  readonly open: OpenLimits;
  readonly pictures: KeptPictures;
}

type Asked = Pick<PaymentPageServices, 'linkTokens'> & { readonly bus: Askable };

const formBytesMax = 4_096;
/** A page that has been open for longer is loaded again before it can simulate. */
const simulationTokenSec = 3_600;
/** For all that a page asks other services. */
const pageTimeoutMs = 10_000;

interface PageRoute {
  readonly Params: { readonly id: string; readonly token: string };
}

/**
 * The hosted page of a deposit (api.md 3): what a payer needs to pay and sees when it is done. The signed token in its
 * address stands for credentials; whatever is wrong with it, the answer is the same 404.
 */
export function registerPaymentPage(app: FastifyInstance, services: PaymentPageServices): void {
  registerLinkPages(app, {
    prefix: '/pay',
    form: {
      mediaType: 'application/x-www-form-urlencoded',
      bytesMax: formBytesMax,
      read: (text) => new URLSearchParams(text),
    },
    vary: 'Accept-Language',
    limit: (request, reply) => services.open.admit('paymentPages', request, reply),
    sendRefusal: (error, request, reply) => sendNotice(error, request, reply, services.logger),
    addRoutes: (scope) => {
      scope.get<PageRoute>('/:id/:token', (request, reply) => sendPage(request, reply, services));
      scope.get<PageRoute>('/:id/:token/status', async (request, reply) => {
        const deposit = await depositOf(request.params, services);
        return reply.send({ state: pageStateOf(deposit), received: deposit.received });
      });
      scope.get<PageRoute>('/:id/:token/logo', (request, reply) => sendLogo(request, reply, services));
      scope.post<PageRoute>('/:id/:token/simulate', (request, reply) => simulate(request, reply, services));
    },
  });
}

async function sendPage(request: FastifyRequest<PageRoute>, reply: FastifyReply, services: PaymentPageServices) {
  const { id, token } = request.params;
  const deposit = await depositOf(request.params, services);
  const [account, { color, hasLogo }, qr, returnId] = await Promise.all([
    services.database.reader().findOne(AccountEntity, { id: deposit.accountId }),
    lookOf(services.database, deposit),
    pictureOn(deposit, services),
    returnIdOf(deposit, services),
  ]);
  const branding = { color, logoPath: hasLogo ? `/pay/${id}/${token}/logo` : null };
  const now = new Date();
  const isTest = deposit.environment === 'test' && isOpen(pageStateOf(deposit));
  const page = renderDeposit({
    deposit,
    merchantName: account?.name ?? '',
    branding,
    language: languageOf(request),
    now,
    qr,
    returnId,
    statusPath: `/pay/${id}/${token}/status`,
    simulation: isTest
      ? { path: `/pay/${id}/${token}/simulate`, token: simulationToken(deposit, services, now) }
      : null,
  });
  return sendHtml(reply.header('content-security-policy', pagePolicyOf(branding)), 200, page);
}

/** @throws NotFoundError when the merchant has no logo */
async function sendLogo(request: FastifyRequest<PageRoute>, reply: FastifyReply, services: PaymentPageServices) {
  const { logo } = await brandingOf(services.database, await depositOf(request.params, services));
  if (logo === null) throw new NotFoundError('page');
  return reply.header('content-type', 'image/png').header('cache-control', 'private, max-age=300').send(logo);
}

async function pictureOn({ environment, accountId, id, emv }: Deposit, { pictures }: PaymentPageServices) {
  if (emv === null) return null;
  const of = { environment, accountId, id, format: 'svg' } as const;
  return (pictures.find(of) ?? (await pictures.draw(of, emv))).bytes.toString('utf8');
}

/** The id of the latest return that is done, by which the payer's bank finds it. */
async function returnIdOf({ environment, accountId, id, refunded }: Deposit, { bus }: PaymentPageServices) {
  if (refunded === 0) return null;
  const asked = { environment, accountId, depositId: id, status: 'DONE', limit: 1 } as const;
  const { refunds } = await callRpc(bus.within(pageTimeoutMs), listAccountRefunds, asked);
  return refunds[0]?.returnId ?? null;
}

function simulationToken({ environment, accountId, id }: Deposit, { linkTokens }: PaymentPageServices, now: Date) {
  const expiresAt = Math.floor(now.getTime() / 1_000) + simulationTokenSec;
  return linkTokens.issue(depositSimulationResource(id), { environment, accountId, expiresAt });
}

/** Test mode: pays what is still missing. The form's token proves that our own page was asked. */
async function simulate(request: FastifyRequest<PageRoute>, reply: FastifyReply, services: PaymentPageServices) {
  const { id, token } = request.params;
  const bus = services.bus.within(pageTimeoutMs);
  const { environment, accountId } = await depositOf(request.params, { ...services, bus });
  const given = request.body instanceof URLSearchParams ? (request.body.get('token') ?? '') : '';
  const grant = services.linkTokens.verify(given, depositSimulationResource(id), new Date());
  if (environment !== 'test' || grant?.accountId !== accountId) throw new NotFoundError('page');
  await callRpc(bus, simulatePayment, { environment, accountId, id });
  return reply
    .code(303)
    .header('location', `/pay/${id}/${token}?lang=${languageOf(request)}`)
    .send();
}

/** @throws NotFoundError when the token is forged, of another deposit, or its time is up: one answer for all */
async function depositOf({ id, token }: PageRoute['Params'], { bus, linkTokens }: Asked) {
  const grant = isId('deposit', id) ? linkTokens.verify(token, depositPageResource(id), new Date()) : null;
  if (!grant) throw new NotFoundError('page');
  const owner = { environment: environmentSchema.parse(grant.environment), accountId: grant.accountId };
  return (await callRpc(bus, getDeposit, { ...owner, id })).deposit;
}

function sendNotice(error: unknown, request: FastifyRequest, reply: FastifyReply, logger: Logger) {
  const language = languageOf(request);
  const refusal = refusalOf(error);
  const status = statusOf(refusal.code);
  if (refusal.code === 'RATE_LIMITED') {
    return sendHtml(reply.header('retry-after', refusal.retryAfterSec ?? 1), status, renderUnavailable(language));
  }
  // A request that our own page never makes, such as a body that is too large, is answered like an unknown link.
  if (status < 500) return sendHtml(reply, status, renderNotFound(language));
  const level = refusal.code === 'INTERNAL_ERROR' ? 'error' : 'warn';
  logger[level]({ err: error, reqId: request.id }, 'the payment page cannot be shown');
  return sendHtml(reply.header('retry-after', '5'), 503, renderUnavailable(language));
}
