/** What operators read where they change what an account has and may, in Brazilian Portuguese. */
export const settings = {
  ownTerms: 'A partir daí MXN tem valores próprios; antes, os de BRL valem também para ele.',
  details: {
    open: 'Dados…',
    title: 'Dados da conta',
    about: 'Valem na hora. Outro documento, ou nenhum, exige dois operadores: as liquidações vão para o titular.',
    retention: 'Dias em que depósitos ficam retidos',
    perSecond: 'Chamadas por segundo',
    burst: 'Chamadas de uma vez',
    confirm: 'Salvar',
  },
  teamChange: {
    open: 'Segunda pessoa…',
    title: 'Segunda pessoa da equipe',
    about:
      'Quais payouts e reembolsos duas pessoas da conta decidem. Pedir mais vezes vale na hora; menos vezes exige dois operadores.',
    options: { all: 'Para todo payout', over: 'Acima de um valor', none: 'Não é pedida' },
    amount: 'Acima de',
    amountHint: 'Só para a segunda opção.',
    confirm: 'Salvar',
  },
  integrations: {
    title: 'Restrições do conector',
    empty: 'O conector não está restrito para esta conta.',
    prefix: 'Prefixo',
    payouts: 'Payouts',
    restrict: {
      open: 'Restringir…',
      title: 'Restringir o conector',
      about:
        'Substitui o que estava restrito neste prefixo, e restringe só as chamadas abaixo dele. Mais endereços que antes exigem outro operador.',
      on: 'são aceitos',
      off: 'são recusados',
      confirm: 'Restringir',
    },
    lift: {
      open: 'Levantar…',
      title: 'Levantar as restrições',
      about:
        'A partir daí a conta chama este prefixo como qualquer outro. Onde há endereços listados, outro operador decide.',
      confirm: 'Levantar',
    },
  },
};
