import { bacenDescription, type Additions } from './bacen.ts';
import { operationOf, schemaOf, type Description, type Facts, type OperationFacts } from './description.ts';

/*
 * What Efí has beside the Pix API: names, words and statuses of its documentation and of its SDK (1.2.28). Efí publishes no
 * description that a machine could read.
 */

const payoutStatus = '=EM_PROCESSAMENTO|REALIZADO|NAO_REALIZADO';

const error: Facts = { 'nome!': 'text', 'mensagem!': 'text' };
const problem: Facts = {
  ...{ 'type!': 'address', 'title!': 'text', 'status!': 'integer', detail: 'text', correlationId: 'text' },
  violacoes: [{ razao: 'text', propriedade: 'text', valor: 'text' }],
};
const failure: Facts = { codigo: 'text', origem: 'text', motivo: 'text' };
const payer: Facts = { nome: 'text', cpf: 'text', cnpj: 'text', codigoBanco: 'text' };
const returned: Facts = {
  ...{ 'id!': 'text', rtrId: 'text', 'valor!': 'text', 'status!': '=EM_PROCESSAMENTO|DEVOLVIDO|NAO_REALIZADO' },
  ...{ horario: { solicitacao: 'instant', liquidacao: 'instant' }, motivo: 'text' },
};

const sent: Facts = {
  ...{ 'endToEndId!': 'text', 'idEnvio!': 'text', 'valor!': 'text', 'status!': payoutStatus },
  ...{ chave: 'text', infoPagador: 'text' },
  'horario!': { 'solicitacao!': 'instant', 'liquidacao?': 'instant' },
  favorecido: { chave: 'text', identificacao: { nome: 'text', cpf: 'text', cnpj: 'text' } },
  gnExtras: { erro: failure, idEnvio: 'text' },
  devolucoes: [returned],
};

const infraction: Facts = {
  ...{ 'idInfracao!': 'text', 'endToEndId!': 'text', protocolo: 'text', dataTransacao: 'text', valor: 'text' },
  'status!': '=ABERTA|EM_DEFESA|ACEITA|REJEITADA|CANCELADA_EFI',
  ...{ razao: 'text', tipoSituacao: 'text', defesa: 'text' },
  dadosAnalise: { abertura: 'text', prazoFinalizacao: 'text' },
  ...{ 'criadoEm!': 'text', atualizadoEm: 'text' },
};

const paging: Facts = {
  'inicio!': 'instant',
  'fim!': 'instant',
  'paginacao!': {
    ...{ 'paginaAtual!': 'integer', 'itensPorPagina!': 'integer' },
    ...{ 'quantidadeDePaginas!': 'integer', 'quantidadeTotalDeItens!': 'integer' },
  },
};
const pageQuery = {
  ...{ 'inicio!': 'text', 'fim!': 'text' },
  ...{ 'paginacao.paginaAtual': 'integer', 'paginacao.itensPorPagina': 'integer' },
} as const;

const operations: readonly OperationFacts[] = [
  {
    call: 'PUT /v3/gn/pix/{idEnvio}',
    request: {
      'valor!': 'text',
      'pagador!': { 'chave!': 'text', infoPagador: 'text' },
      'favorecido!': { 'chave!': 'text', cpf: 'text', cnpj: 'text' },
    },
    answers: {
      201: {
        ...{ 'idEnvio!': 'text', 'e2eId!': 'text', 'valor!': 'text', 'status!': payoutStatus },
        horario: { solicitacao: 'instant' },
      },
      ...{ 400: error, 409: error, 422: error },
    },
  },
  { call: 'GET /v2/gn/pix/enviados', query: pageQuery, answers: { 200: { 'parametros!': paging, 'pix!': [sent] } } },
  { call: 'GET /v2/gn/pix/enviados/id-envio/{idEnvio}', answers: { 200: sent, 404: problem } },
  {
    call: 'GET /v2/gn/saldo',
    query: { bloqueios: '=true|false' },
    answers: { 200: { 'saldo!': 'text', bloqueios: { judicial: 'text', med: 'text', 'total!': 'text' } } },
  },
  {
    call: 'GET /v2/gn/infracoes',
    query: pageQuery,
    answers: { 200: { parametros: paging, 'infracoes!': [infraction] } },
  },
  {
    call: 'POST /v2/gn/infracoes/{id}/defesa',
    request: { 'analise!': '=aceito|rejeitado', 'justificativa!': 'text' },
    answers: { 200: infraction, 400: error, 404: error },
  },
];

/** RFC 6749: as a form, and at Efí as JSON. */
const token: OperationFacts = {
  call: 'POST /oauth/token',
  request: { 'grant_type!': '=client_credentials', scope: 'text' },
  answers: {
    200: { 'access_token!': 'text', 'token_type!': '=Bearer', expires_in: 'integer', scope: 'text' },
    401: { 'error!': '=invalid_client', error_description: 'text' },
  },
};

/** A payment is distinguished from a payout by `tipo`. */
const payoutNotice: Facts = {
  'pix!': [
    {
      ...{ 'endToEndId!': 'text', 'tipo!': '=SOLICITACAO', 'status!': payoutStatus, 'valor!': 'text', chave: 'text' },
      ...{ 'horario?': 'instant', 'gnExtras!': { 'idEnvio!': 'text', erro: failure }, devolucoes: [returned] },
    },
  ],
};
const probe: Facts = { 'evento!': '=teste_webhook', data_criacao: 'instant' };

/** Efí shows the payer in a member that the standard does not have. */
const additions: Additions = { name: 'Efí', members: { Pix: { gnExtras: schemaOf({ pagador: payer }) } } };

const standard = bacenDescription(additions);

/** The Pix API as Efí serves it, and what it has besides. */
export const efiDescription: Description = {
  ...standard,
  base: '',
  operations: [
    ...standard.operations.map((operation) => ({ ...operation, path: `${standard.base}${operation.path}` })),
    ...[token, ...operations].map(operationOf),
  ],
  notifications: { ...standard.notifications, payout: schemaOf(payoutNotice), probe: schemaOf(probe) },
};

/** The kind of a body that Efí sends. */
export function efiNotificationKind(body: unknown): string {
  const { pix, evento } = body as { readonly pix?: readonly { readonly tipo?: string }[]; readonly evento?: string };
  if (evento !== undefined) return 'probe';
  return pix?.some(({ tipo }) => tipo !== undefined) ? 'payout' : 'pix';
}
