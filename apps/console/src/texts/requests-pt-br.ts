import type { MerchantTexts } from '#src/texts/merchants-en.ts';

/** The texts of the request log in Brazilian Portuguese. */
export const requests: MerchantTexts['requests'] = {
  title: 'Requisições',
  one: 'Requisição',
  first: 'Nenhuma requisição de uma chave está no registro. Cada uma aparece segundos após a resposta.',
  kept: {
    test: 'Todas as requisições de chaves de teste dos últimos 30 dias. Sem segredos, com dados pessoais mascarados.',
    live: 'Requisições de chaves de produção recusadas nos últimos 7 dias. Sem segredos, com dados pessoais mascarados.',
  },
  answer: 'Resposta',
  classes: { '2xx': '2xx, feita', '4xx': '4xx, recusada', '5xx': '5xx, falha nossa' },
  code: 'Código',
  path: 'Caminho',
  took: 'Levou',
  at: 'Respondida',
  query: 'Consulta',
  from: 'De onde',
  program: 'Programa',
  sent: 'O que foi enviado',
  answered: 'O que foi respondido',
  noBody: 'Sem corpo, ou com mais de 8 KiB.',
  faults: 'O que está errado nela',
  member: 'Campo',
  fault: 'Erro',
  refused: 'Recusadas nas últimas 24 horas',
  noneRefused: 'Nada foi recusado.',
  times: 'Vezes',
  last: 'Última',
  all: 'Todas as requisições',
  cut: (max) => `Das últimas ${max} recusadas; houve mais.`,
};
