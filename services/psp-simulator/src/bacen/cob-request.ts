import { z } from 'zod';
import { isChargeTxid } from '@gateway/pix';
import { amountSchema } from '#src/bacen/amount.ts';

const misfit = 'não respeita o _schema_';

const nameSchema = z.string(misfit).min(1, misfit).max(200, misfit);

/** Exactly one of CPF and CNPJ, always with a name (schemas `PessoaFisica`, `PessoaJuridica`). */
const debtorSchema = z.union(
  [
    z.strictObject({ cpf: z.string().regex(/^\d{11}$/), nome: nameSchema }),
    z.strictObject({ cnpj: z.string().regex(/^[0-9A-Z]{12}\d{2}$/), nome: nameSchema }),
  ],
  misfit,
);

/** Seconds of life when the request leaves it out (schema `CobExpiracao`). */
const expirySecDefault = 86_400;
const int32Max = 2_147_483_647;

/** Body of `PUT /cob/{txid}` (schema `CobSolicitada`). Members it does not know are ignored. */
export const cobRequestSchema = z.object(
  {
    calendario: z.object(
      {
        expiracao: z.int(misfit).positive('é igual ou menor que zero').max(int32Max, misfit).default(expirySecDefault),
      },
      misfit,
    ),
    devedor: debtorSchema.optional(),
    valor: z.object({ original: amountSchema(misfit) }, misfit),
    chave: z.string(misfit).min(1, misfit).max(77, misfit),
    solicitacaoPagador: z.string(misfit).max(140, misfit).optional(),
    infoAdicionais: z
      .array(
        z.object({ nome: z.string(misfit).max(50, misfit), valor: z.string(misfit).max(200, misfit) }, misfit),
        misfit,
      )
      .max(50, misfit)
      .optional(),
  },
  misfit,
);

export const txidSchema = z.string().refine(isChargeTxid, misfit);

/** What a cob shows again that no other dialect has. */
export type CobDetails = Omit<z.infer<typeof cobRequestSchema>, 'calendario' | 'valor'>;
