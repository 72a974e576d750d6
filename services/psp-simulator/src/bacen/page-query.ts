import { z } from 'zod';

const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** `inicio`, `fim` and paging as every list of the Pix API has them. */
export const pageQuerySchema = z
  .object({
    inicio: instantSchema,
    fim: instantSchema,
    txid: z.string().optional(),
    'paginacao.paginaAtual': z.coerce.number().int().nonnegative().default(0),
    'paginacao.itensPorPagina': z.coerce.number().int().min(1).max(1_000).default(100),
  })
  .refine(({ inicio, fim }) => fim >= inicio);

export type PageQuery = z.infer<typeof pageQuerySchema>;

export function windowOf(query: PageQuery): { readonly skip: number; readonly limit: number } {
  const limit = query['paginacao.itensPorPagina'];
  return { skip: query['paginacao.paginaAtual'] * limit, limit };
}

/** `parametros` of a list's answer. */
export function presentPage(query: PageQuery, total: number): object {
  const { inicio, fim } = query;
  const itensPorPagina = query['paginacao.itensPorPagina'];
  return {
    inicio: inicio.toISOString(),
    fim: fim.toISOString(),
    paginacao: {
      paginaAtual: query['paginacao.paginaAtual'],
      itensPorPagina,
      quantidadeDePaginas: Math.ceil(total / itensPorPagina),
      quantidadeTotalDeItens: total,
    },
  };
}
