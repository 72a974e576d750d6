import type { z } from 'zod';
import { detailsOf, type DomainError, type ErrorCode } from '@gateway/contracts/errors';

interface ProblemFacts {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
}

/** The refusals of the Pix API this dialect knows (Pix API 2.9.0, "Erros"), with its own words. */
const problemTable = {
  RequisicaoInvalida: { status: 400, title: 'Requisição inválida.', detail: 'Requisição inválida.' },
  AcessoNegado: {
    status: 403,
    title: 'Acesso Negado',
    detail: 'Requisição de participante autenticado que viola alguma regra de autorização.',
  },
  NaoEncontrado: { status: 404, title: 'Não Encontrado', detail: 'Entidade não encontrada.' },
  CobNaoEncontrado: {
    status: 404,
    title: 'Cobrança não encontrada.',
    detail: 'Cobrança não encontrada para o txid informado.',
  },
  CobOperacaoInvalida: {
    status: 400,
    title: 'Cobrança inválida.',
    detail:
      'A requisição que busca alterar ou criar uma cobrança para pagamento imediato não respeita o _schema_ ou está ' +
      'semanticamente errada.',
  },
  PixNaoEncontrado: {
    status: 404,
    title: 'Pix não encontrado.',
    detail: 'Pix não encontrado para o e2eid informado.',
  },
  PixDevolucaoNaoEncontrada: {
    status: 404,
    title: 'Devolução não encontrada.',
    detail: 'Devolução não encontrada para o e2eid e o id informados.',
  },
  PixDevolucaoInvalida: {
    status: 400,
    title: 'Devolução inválida.',
    detail: 'A requisição de devolução não respeita o _schema_ ou não faz sentido semanticamente.',
  },
  PixConsultaInvalida: {
    status: 400,
    title: 'Consulta inválida.',
    detail: 'Os parâmetros de consulta à lista de pix recebidos não respeitam o _schema_ ou não fazem sentido.',
  },
  PixEnviadoNaoEncontrado: {
    status: 404,
    title: 'Não Encontrado',
    detail: 'Pix enviado não encontrado para o idEnvio informado.',
  },
  InfracoesConsultaInvalida: {
    status: 400,
    title: 'Consulta Inválida',
    detail: 'Os parâmetros de consulta não respeitam o schema ou não fazem sentido semanticamente.',
  },
  ExtratoConciliacaoConsultaInvalida: {
    status: 400,
    title: 'Consulta inválida',
    detail: 'Os parâmetros do extrato não fazem sentido, ou o dia ainda não terminou.',
  },
  WebhookOperacaoInvalida: {
    status: 400,
    title: 'Webhook inválido.',
    detail: 'A requisição busca criar um webhook sem respeitar o _schema_ ou apresenta semântica inválida.',
  },
  WebhookNaoEncontrado: {
    status: 404,
    title: 'Webhook não encontrado.',
    detail: 'O webhook denotado por {chave} não se encontra estabelecido.',
  },
  ErroInternoDoServidor: {
    status: 500,
    title: 'Erro Interno do Servidor',
    detail: 'Condição inesperada ao processar requisição.',
  },
  ServicoIndisponivel: {
    status: 503,
    title: 'Serviço Indisponível',
    detail:
      'Serviço não está disponível no momento. Serviço solicitado pode estar em manutenção ou fora da janela de ' +
      'funcionamento.',
  },
} as const satisfies Record<string, ProblemFacts>;

export type ProblemType = keyof typeof problemTable;

export interface Violation {
  readonly razao: string;
  /** Dotted path under the resource: `cob.valor.original`. */
  readonly propriedade: string;
}

/** A refusal in this dialect; thrown by its operations, written by its error handler. */
export class Problem extends Error {
  readonly type: ProblemType;
  readonly violations: readonly Violation[];
  /** Differs from the table's where the transport, not the Pix API, refuses: 401, 405, 413, 415. */
  readonly status: number;

  constructor(type: ProblemType, violations: readonly Violation[] = [], status: number = problemTable[type].status) {
    super(type);
    this.type = type;
    this.violations = violations;
    this.status = status;
  }
}

/** `application/problem+json` of RFC 7807 as the Pix API writes it (schema `Problema`). */
export function problemBody({ type, violations, status }: Problem): object {
  const { title, detail } = problemTable[type];
  return {
    type: `https://pix.bcb.gov.br/api/v2/error/${type}`,
    title,
    status,
    detail,
    ...(violations.length > 0 ? { violacoes: violations } : {}),
  };
}

/** @param resource the name violations start with: `cob` */
export function violationsOf(error: z.ZodError, resource: string): Violation[] {
  return detailsOf(error).map(({ path, message }) => {
    const property = path === '' ? resource : `${resource}.${path}`;
    return { razao: `O campo ${property} ${message}.`, propriedade: property };
  });
}

/** How this dialect says what the HTTP server refuses by itself. */
export function problemOf({ code }: DomainError, status: number): Problem {
  return new Problem(typesByCode[code] ?? (status < 500 ? 'RequisicaoInvalida' : 'ErroInternoDoServidor'), [], status);
}

const typesByCode: Partial<Record<ErrorCode, ProblemType>> = {
  NOT_FOUND: 'NaoEncontrado',
  SERVICE_UNAVAILABLE: 'ServicoIndisponivel',
};

/** A refusal in the provider's own form, beside the problems of the Pix API. */
export class OwnRefusal extends Error {
  readonly status: number;
  readonly body: object;

  constructor(status: number, message: string, body: object) {
    super(message);
    this.status = status;
    this.body = body;
  }
}
