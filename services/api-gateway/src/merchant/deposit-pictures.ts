import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { depositQrResource, getDeposit } from '@gateway/contracts/deposits';
import { DomainError, NotFoundError } from '@gateway/contracts/errors';
import { environmentSchema } from '@gateway/contracts/values';
import { isId } from '@gateway/money';
import { callRpc, type Bus } from '@gateway/messaging';
import type { LinkTokens } from '@gateway/runtime';
import { authenticateMerchant, type MerchantGuards } from '#src/merchant/authenticate-merchant.ts';
import { requireScopes } from '#src/merchant/key-scopes.ts';
import type { DescribedEndpoint } from '#src/description/operation.ts';
import { sendTagged } from '#src/http/entity-tag.ts';
import type { PictureFormat } from '#src/pages/draw-qr.ts';
import type { KeptPictures, Picture, PictureOf } from '#src/pages/kept-pictures.ts';

/** A code never changes; only the permission to see it ends. */
const cacheSecMax = 3_600;

const formats = {
  svg: { mediaType: 'image/svg+xml', contentType: 'image/svg+xml; charset=utf-8' },
  png: { mediaType: 'image/png', contentType: 'image/png' },
} as const satisfies Record<PictureFormat, object>;

const operationOf = (format: PictureFormat) => (format === 'svg' ? 'getDepositQrSvg' : 'getDepositQrPng');

const querySchema = z.strictObject({
  token: z.string().max(256).optional().describe('The token of `qr_url`, which stands for the key.'),
});

/** How the API description has them. */
export const pictureEndpoints = (Object.keys(formats) as PictureFormat[]).map((format): DescribedEndpoint => {
  const { mediaType } = formats[format];
  const name = format.toUpperCase();
  return {
    method: 'GET',
    path: `/v1/deposits/:id/qr.${format}`,
    operation: operationOf(format),
    summary: `Read the QR picture of a deposit as ${name}`,
    description:
      `Answers with the code of a PIX deposit as a picture, ${name}, to be shown to its payer. It takes a key, or the token ` +
      'of `qr_url`, so that the address can stand in a page. A deposit without a code is 404.',
    query: querySchema,
    answers: { 200: null },
    otherMedia: { [mediaType]: format === 'svg' ? { type: 'string' } : { type: 'string', format: 'binary' } },
  };
});

export interface PictureServices {
  readonly bus: Bus;
  readonly guards: MerchantGuards;
  readonly linkTokens: LinkTokens;
  readonly pictures: KeptPictures;
}

/** `GET /v1/deposits/{id}/qr.svg` and `.png` (api.md 2): with the token of `pix.qr_url`, or with a key. */
export function registerDepositPictures(app: FastifyInstance, services: PictureServices): void {
  for (const format of Object.keys(formats) as PictureFormat[]) {
    app.route({
      method: 'GET',
      url: `/v1/deposits/:id/qr.${format}`,
      schema: { querystring: querySchema },
      onRequest: async (request, reply) => {
        if (tokenOf(request) === undefined) {
          await authenticateMerchant(services.guards, request, reply);
          if (request.caller) requireScopes(request.caller, operationOf(format));
        } else await services.guards.open.admit('pictures', request, reply);
      },
      handler: (request, reply) => sendPicture(request, reply, format, services),
    });
  }
}

/** A kept picture is sent without a question to the deposits service: the token or the key shows whose it is. */
async function sendPicture(
  request: FastifyRequest,
  reply: FastifyReply,
  format: PictureFormat,
  services: PictureServices,
) {
  const { id = '' } = request.params as Readonly<Record<string, string>>;
  const { maxAgeSec, ...owner } = ownerOf(request, id, services.linkTokens);
  if (!isId('deposit', id)) throw new NotFoundError('deposit');
  const of = { ...owner, id, format };
  const picture = services.pictures.find(of) ?? (await drawn(of, services));
  void reply
    .header('content-type', formats[format].contentType)
    .header('cache-control', `private, max-age=${maxAgeSec}`)
    // Merchants show the picture on pages of their own.
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('content-disposition', `inline; filename="${id}.${format}"`);
  return sendTagged(request, reply, picture);
}

async function drawn(of: PictureOf, { bus, pictures }: PictureServices): Promise<Picture> {
  const { environment, accountId, id } = of;
  const { deposit } = await callRpc(bus, getDeposit, { environment, accountId, id });
  if (deposit.emv === null) throw new NotFoundError('picture');
  return await pictures.draw(of, deposit.emv);
}

/**
 * Whose deposit may be shown.
 *
 * @throws DomainError AUTH_INVALID when the token is forged, of another deposit, or its time is up: one answer for all
 */
function ownerOf(request: FastifyRequest, id: string, linkTokens: LinkTokens) {
  const { caller } = request;
  if (caller) return { environment: caller.environment, accountId: caller.account.id, maxAgeSec: cacheSecMax };
  const now = new Date();
  const grant = linkTokens.verify(tokenOf(request) ?? '', depositQrResource(id), now);
  if (!grant) throw new DomainError('AUTH_INVALID', 'the token does not open this picture, or no longer');
  const leftSec = grant.expiresAt - Math.floor(now.getTime() / 1_000);
  const environment = environmentSchema.parse(grant.environment);
  return { environment, accountId: grant.accountId, maxAgeSec: Math.min(leftSec, cacheSecMax) };
}

function tokenOf({ query }: FastifyRequest): string | undefined {
  const { token } = query as { readonly token?: string | readonly string[] };
  return typeof token === 'string' ? token : undefined;
}
