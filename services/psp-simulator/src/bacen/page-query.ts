import { z } from 'zod';

const instantSchema = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

const flagSchema = z.enum(['true', 'false']).transform((text) => text === 'true');

const pagingShape = {
  'paginacao.paginaAtual': z.coerce.number().int().nonnegative().default(0),
  'paginacao.itensPorPagina': z.coerce.number().int().min(1).max(1_000).default(100),
};

/** `inicio`, `fim` and paging as every list of the Pix API has them. */
export const pageQuerySchema = z
  .object({
    inicio: instantSchema,
    fim: instantSchema,
    txid: z.string().optional(),
    txIdPresente: flagSchema.optional(),
    devolucaoPresente: flagSchema.optional(),
    ...pagingShape,
  })
  .refine(({ inicio, fim }) => fim >= inicio);

const dayMs = 86_400_000;

/** Efí's list of infractions takes days as well (the SDK's example); the last one is in it as a whole. */
export const infractionQuerySchema = z
  .object({
    inicio: z.union([instantSchema, z.iso.date().transform((day) => new Date(day))]),
    fim: z.union([instantSchema, z.iso.date().transform((day) => new Date(new Date(day).getTime() + dayMs - 1))]),
    ...pagingShape,
  })
  .refine(({ inicio, fim }) => fim >= inicio);

export type PageQuery = Pick<z.infer<typeof pageQuerySchema>, 'inicio' | 'fim' | keyof typeof pagingShape>;

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
      quantidadeDePaginas: Math.max(1, Math.ceil(total / itensPorPagina)),
      quantidadeTotalDeItens: total,
    },
  };
}
