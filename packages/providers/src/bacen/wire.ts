import { z } from 'zod';
import { inboundEndToEndIdMaxCharacters } from '@gateway/pix';
import { movedAmountTextSchema } from '#src/amount-text.ts';

/*
 * Replies of the Pix API 2.9.0 (BACEN, OpenAPI), as far as they are read. Unknown members are ignored; what is read has to fit.
 */

const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
/** Opaque: real ids deviate from the standard's 32 characters in both directions. */
export const e2eIdSchema = z.string().min(1).max(inboundEndToEndIdMaxCharacters);

export const devolucaoSchema = z.object({
  id: z.string().min(1).max(64),
  rtrId: z.string().min(1).max(64).optional(),
  valor: movedAmountTextSchema,
  natureza: z.string().optional(),
  horario: z.object({ solicitacao: instantSchema.optional(), liquidacao: instantSchema.optional() }).optional(),
  status: z.enum(['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO']),
  motivo: z.string().optional(),
});
export type Devolucao = z.infer<typeof devolucaoSchema>;

/** An array by the schema, a single object in the standard's own example. */
export const devolucoesSchema = z
  .union([z.array(devolucaoSchema), devolucaoSchema])
  .transform((value) => (Array.isArray(value) ? value : [value]));

const pagadorSchema = z.object({
  nome: z.string().optional(),
  cpf: z.string().optional(),
  cnpj: z.string().optional(),
  codigoBanco: z.string().optional(),
});

export const pixSchema = z.object({
  endToEndId: e2eIdSchema,
  txid: z.string().min(1).max(35).optional(),
  valor: movedAmountTextSchema,
  horario: instantSchema,
  /** Efí tells the payer here, other providers as a member of the standard's own. */
  gnExtras: z.object({ pagador: pagadorSchema.optional() }).optional(),
  pagador: pagadorSchema.optional(),
  devolucoes: devolucoesSchema.optional(),
});
export type Pix = z.infer<typeof pixSchema>;

/** An integer of 32 bits; some providers write it as text. */
const expirySecSchema = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number),
  ])
  .pipe(z.int32().positive());

export const cobSchema = z.object({
  txid: z.string().min(1).max(35),
  calendario: z.object({ criacao: instantSchema.optional(), expiracao: expirySecSchema }),
  status: z.enum(['ATIVA', 'CONCLUIDA', 'REMOVIDA_PELO_USUARIO_RECEBEDOR', 'REMOVIDA_PELO_PSP']),
  valor: z.object({ original: movedAmountTextSchema }),
  pixCopiaECola: z.string().min(1).max(512).optional(),
  pix: z.array(pixSchema).optional(),
});
export type Cob = z.infer<typeof cobSchema>;

export const receivedPageSchema = z.object({
  parametros: z.object({ paginacao: z.object({ quantidadeDePaginas: z.int().nonnegative() }) }),
  pix: z.array(z.unknown()).default([]),
});
