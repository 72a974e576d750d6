import { z } from 'zod';
import { inboundEndToEndIdMaxCharacters } from '@gateway/pix';
import { movedAmountTextSchema } from '#src/wire-amounts.ts';

/*
 * Replies of the Pix API 2.9.0 (BACEN, OpenAPI), as far as they are read. Unknown members are ignored; what is read has to fit.
 */

export const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
/** Opaque: real ids deviate from the standard's 32 characters in both directions. */
export const e2eIdSchema = z.string().min(1).max(inboundEndToEndIdMaxCharacters);

/** A member that a provider leaves out, or writes as null. */
export const absent = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? undefined);

export const devolucaoSchema = z.object({
  id: z.string().min(1).max(64),
  rtrId: absent(z.string().min(1).max(64)),
  valor: movedAmountTextSchema,
  natureza: absent(z.string()),
  horario: absent(z.object({ solicitacao: absent(instantSchema), liquidacao: absent(instantSchema) })),
  status: z.enum(['EM_PROCESSAMENTO', 'DEVOLVIDO', 'NAO_REALIZADO']),
  motivo: absent(z.string()),
});
export type Devolucao = z.infer<typeof devolucaoSchema>;

/** An array by the schema, a single object in the standard's own example. */
export const devolucoesSchema = z
  .union([z.array(devolucaoSchema), devolucaoSchema])
  .transform((value) => (Array.isArray(value) ? value : [value]));

const pagadorSchema = z.object({
  nome: absent(z.string()),
  cpf: absent(z.string()),
  cnpj: absent(z.string()),
  codigoBanco: absent(z.string()),
});

export const pixSchema = z.object({
  endToEndId: e2eIdSchema,
  txid: absent(z.string().min(1).max(35)),
  /** What arrived. `componentesValor` explains it, and the sum of its parts is this. */
  valor: movedAmountTextSchema,
  horario: instantSchema,
  /** Efí names the payer here, other providers as a member of the standard's own. */
  gnExtras: absent(z.object({ pagador: absent(pagadorSchema) })),
  pagador: absent(pagadorSchema),
  devolucoes: absent(devolucoesSchema),
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
  /** Neither is required; either makes the code. */
  pixCopiaECola: absent(z.string().min(1).max(512)),
  location: absent(z.string().min(1).max(200)),
  loc: absent(z.object({ location: absent(z.string().min(1).max(200)) })),
  pix: absent(z.array(pixSchema)),
});
export type Cob = z.infer<typeof cobSchema>;

/** `parametros` of every list. */
export const pagingSchema = z.object({ paginacao: z.object({ quantidadeDePaginas: z.int().nonnegative() }) });

export const receivedPageSchema = z.object({ parametros: pagingSchema, pix: z.array(z.unknown()).default([]) });

/** `GET /webhook/{chave}` */
export const webhookSchema = z.object({ webhookUrl: z.string() });
