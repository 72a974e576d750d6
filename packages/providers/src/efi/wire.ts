import { z } from 'zod';
import { amountTextSchema, movedAmountTextSchema } from '#src/amount-text.ts';
import { devolucoesSchema, e2eIdSchema } from '#src/bacen/wire.ts';

/* Replies and notifications Efí adds to the Pix API, as far as they are read. */

const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const payoutStatusSchema = z.enum(['EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO']);

const extrasSchema = z.object({
  idEnvio: z.string().min(1).max(35).optional(),
  erro: z.object({ codigo: z.string().optional(), motivo: z.string().optional() }).optional(),
});

/** `PUT /v3/gn/pix/:idEnvio`. */
export const sendingSchema = z.object({
  idEnvio: z.string().min(1).max(35),
  e2eId: e2eIdSchema,
  valor: movedAmountTextSchema,
  status: payoutStatusSchema,
});

/** `GET /v2/gn/pix/enviados/…`. */
export const sentSchema = z.object({
  endToEndId: e2eIdSchema,
  idEnvio: z.string().min(1).max(35),
  valor: movedAmountTextSchema,
  status: payoutStatusSchema,
  horario: z.object({ solicitacao: instantSchema, liquidacao: instantSchema.nullish() }),
  /** Not in the documentation of the lookup, but what its notification has. */
  gnExtras: extrasSchema.optional(),
  devolucoes: devolucoesSchema.optional(),
});
export type Sent = z.infer<typeof sentSchema>;

/** An item of a notification about a payout; `tipo` tells it from a payment that arrived. */
export const sentNoticeSchema = z.object({
  tipo: z.literal('SOLICITACAO'),
  endToEndId: e2eIdSchema,
  status: payoutStatusSchema,
  valor: movedAmountTextSchema,
  horario: instantSchema.nullable(),
  gnExtras: extrasSchema.extend({ idEnvio: z.string().min(1).max(35) }),
  devolucoes: devolucoesSchema.optional(),
});
export type SentNotice = z.infer<typeof sentNoticeSchema>;

export const sentPageSchema = z.object({
  parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: z.int().nonnegative() }) }),
  pix: z.array(z.unknown()),
});

export const balanceSchema = z.object({
  saldo: amountTextSchema,
  bloqueios: z.object({ total: amountTextSchema }),
});

/** Reais with a point, or digits alone, which Efí's list of infractions uses for cents. */
const infractionAmountSchema = z
  .union([
    amountTextSchema,
    z
      .string()
      .regex(/^\d{1,12}$/)
      .transform(Number),
    z.int(),
  ])
  .refine((cents) => cents > 0);

export const infractionSchema = z.object({
  idInfracao: z.string().min(1).max(64),
  endToEndId: e2eIdSchema,
  valor: infractionAmountSchema,
  status: z.enum(['ABERTA', 'EM_DEFESA', 'ACEITA', 'REJEITADA', 'CANCELADA_EFI']),
  razao: z.string().optional(),
  tipoSituacao: z.string().optional(),
  dadosAnalise: z.object({ prazoFinalizacao: instantSchema.optional() }).optional(),
  criadoEm: instantSchema,
  atualizadoEm: instantSchema.optional(),
});
export type Infraction = z.infer<typeof infractionSchema>;

export const infractionPageSchema = z.object({
  parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: z.int().nonnegative() }) }),
  infracoes: z.array(z.unknown()),
});
