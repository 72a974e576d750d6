import { z } from 'zod';
import { shapeOf } from '#src/http/body-shape.ts';
import type { Rejected } from '#src/http/classify.ts';
import { failureCodeOf } from '#src/failure-taxonomy.ts';
import type { Refused, Unknown } from '#src/outcomes.ts';

/** RFC 7807, as the Pix API has it. */
const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  detail: z.string().optional(),
  violacoes: z.array(z.object({ razao: z.string().optional(), propriedade: z.string().optional() })).optional(),
});

/** Efí's own form. */
const efiErrorSchema = z.object({ nome: z.string().min(1), mensagem: z.string() });

export interface Problem {
  /** `CobNaoEncontrado`, `id_envio_duplicado`. */
  readonly code: string;
  readonly message: string;
}

/** The provider's own words, or null where these are not words of this protocol. */
export function problemOf(body: unknown): Problem | null {
  const efi = efiErrorSchema.safeParse(body);
  if (efi.success) return { code: efi.data.nome, message: efi.data.mensagem };
  const problem = problemSchema.safeParse(body);
  if (!problem.success) return null;
  const { type, title, detail, violacoes = [] } = problem.data;
  const violations = violacoes.map(({ propriedade, razao }) => [propriedade, razao].filter(Boolean).join(': '));
  return { code: type.split('/').at(-1) ?? type, message: [detail ?? title, ...violations].join('; ') };
}

/** A refusal in the provider's words. A 4xx in the words of a proxy or a firewall decides nothing. */
export function refusal({ status, body }: Rejected): Refused | Unknown {
  const problem = problemOf(body);
  if (!problem) return { kind: 'unknown', cause: `the provider answered ${status} with ${shapeOf(body)}` };
  return { kind: 'refused', code: failureCodeOf(problem.code), message: problem.message, raw: body };
}
