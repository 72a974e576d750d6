import { z } from 'zod';
import { amountTextSchema, movedAmountTextSchema } from '#src/wire-amounts.ts';
import { absent, devolucoesSchema, e2eIdSchema, instantSchema, pagingSchema } from '#src/bacen/wire.ts';

/* Replies and notifications Efí adds to the Pix API, as far as they are read. */

const payoutStatusSchema = z.enum(['EM_PROCESSAMENTO', 'REALIZADO', 'NAO_REALIZADO']);

const extrasSchema = z.object({
  idEnvio: absent(z.string().min(1).max(35)),
  erro: absent(z.object({ codigo: absent(z.string()), motivo: absent(z.string()) })),
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
  gnExtras: absent(extrasSchema),
  devolucoes: absent(devolucoesSchema),
});
export type Sent = z.infer<typeof sentSchema>;

/** An item of a notification about a payout; `tipo` distinguishes it from a payment that arrived. */
export const sentNoticeSchema = z.object({
  tipo: z.literal('SOLICITACAO'),
  endToEndId: e2eIdSchema,
  status: payoutStatusSchema,
  valor: movedAmountTextSchema,
  horario: absent(instantSchema),
  gnExtras: extrasSchema.extend({ idEnvio: z.string().min(1).max(35) }),
  devolucoes: absent(devolucoesSchema),
});
export type SentNotice = z.infer<typeof sentNoticeSchema>;

export const sentPageSchema = z.object({
  parametros: pagingSchema,
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

/** An instant, or a day of the provider's country. */
const momentSchema = z.union([instantSchema, z.iso.date().transform((day) => new Date(`${day}T00:00:00-03:00`))]);

export const infractionSchema = z.object({
  idInfracao: z.string().min(1).max(64),
  endToEndId: e2eIdSchema,
  valor: absent(infractionAmountSchema),
  status: z.enum(['ABERTA', 'EM_DEFESA', 'ACEITA', 'REJEITADA', 'CANCELADA_EFI']),
  razao: absent(z.string()),
  tipoSituacao: absent(z.string()),
  dadosAnalise: absent(z.object({ prazoFinalizacao: absent(momentSchema) })),
  criadoEm: momentSchema,
  atualizadoEm: absent(momentSchema),
});
export type Infraction = z.infer<typeof infractionSchema>;

/** With the paging of the Pix API, or all at once. */
export const infractionPageSchema = z.union([
  z.object({ parametros: pagingSchema.optional(), infracoes: z.array(z.unknown()) }),
  z.array(z.unknown()).transform((infracoes) => ({ parametros: undefined, infracoes })),
]);
