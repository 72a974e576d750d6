import type * as En from '#src/texts/transfers-en.ts';

/** The texts of transfers of our own and of how statements are read, in Brazilian Portuguese. */
export const ownTransfer: typeof En.ownTransfer = {
  open: 'Transferência própria…',
  title: 'Uma transferência de dinheiro próprio',
  about: 'Um aporte na conta, ou o que foi retirado dela. Outro operador decide; depois é lançada, uma vez.',
  direction: 'Em que sentido',
  in: 'para a conta',
  out: 'da conta',
  by: 'Como o extrato a chama',
  knownBy: {
    reference: 'a linha ainda não está lá: por uma referência',
    line: 'a linha já está lá: pelo id da linha',
  },
  name: 'Referência, ou id da linha',
  nameHint: 'Um id da transferência, ou uma palavra que o texto terá.',
};

export const mapping: typeof En.mapping = {
  open: 'Como se lê um CSV…',
  title: 'Como se lê o CSV de um banco',
  about: 'Nomes das colunas, como no cabeçalho. Outro operador decide; antes serve para ler sem guardar.',
  delimiter: 'Entre duas colunas',
  encoding: 'Codificação',
  headerLine: 'Linha com os nomes das colunas',
  date: 'Coluna: data',
  dateFormat: 'Como se escreve uma data',
  zone: 'Fuso dos dias',
  amount: 'Coluna: valor',
  decimal: 'Antes dos decimais',
  sign: 'Coluna: sentido do dinheiro',
  signHint: 'Deixe vazia se os débitos têm um menos.',
  credit: 'Ali, para dinheiro que entrou',
  debit: 'Ali, para dinheiro que saiu',
  oneALine: 'Um valor por linha; só com uma coluna que o tenha.',
  columns: {
    id: 'Id do próprio banco',
    type: 'Tipo',
    text: 'Descrição',
    e2e: 'Id fim a fim',
    balance: 'Saldo depois',
  },
  others: 'Outras colunas, cada uma só se o arquivo a tiver',
};
