import type { MerchantTexts } from '#src/texts/merchants-en.ts';

/** The texts of the event log in Brazilian Portuguese. */
export const events: MerchantTexts['events'] = {
  title: 'Eventos',
  first: 'Nada aconteceu ainda. Todo evento aparece aqui, seja ou não recebido por um endpoint.',
  happened: 'Aconteceu',
  kinds: {
    deposit: 'Todos os de pagamentos',
    refund: 'Todos os de reembolsos',
    payout: 'Todos os de payouts',
    med: 'Todos os de disputas',
    conversion: 'Todos os de conversões',
    export: 'Todos os de exportações',
    webhook: 'Todos os de webhooks',
  },
  payload: 'O registro como estava então',
  payloadAbout:
    'É o “data” do evento no contrato 1.0. Dados pessoais aparecem mascarados nesta página; os seus endpoints os recebem inteiros.',
  noDeliveries: 'Nenhum endpoint o recebeu.',
  noEndpoints: 'Ainda não há endpoint. Crie um em Webhooks primeiro.',
  deliver: {
    open: 'Entregar…',
    title: 'Entregar o evento',
    about:
      'Vai ao endpoint mesmo que ele não o assine, com o registro como estava então. A um endpoint que já o recebeu é enviado de novo, com o mesmo id de evento.',
    confirm: 'Entregar',
  },
  replay: {
    open: 'Reenviar período…',
    title: 'Reenviar um período',
    about: 'O endpoint recebe, na ordem, os eventos do período que ele assina e que nunca lhe foram dados.',
    since: 'De',
    until: 'Até',
    untilHint: 'Em branco: até agora.',
    zone: (zone) => `No fuso ${zone}.`,
    all: 'Todos os que ele assina',
    confirm: 'Reenviar o período',
    outcome: (count) =>
      count === 0
        ? 'Nada é enviado: o endpoint já recebeu todos os eventos deste período que assina.'
        : count === 1
          ? '1 evento que o endpoint nunca recebeu está a caminho dele.'
          : `${count} eventos que o endpoint nunca recebeu estão a caminho dele.`,
    notSent: 'O que não é enviado',
    leftOut: [
      'O que já foi dado ao endpoint. O que disso falhou é enviado por “Recuperar…”, na página do endpoint.',
      'Eventos que ele não assina. Um deles é enviado por “Entregar…”, na página do evento.',
      'Eventos que já saíram do registro de eventos, e os que são sobre o próprio endpoint.',
      'O que ainda falta enviar quando o endpoint é desativado.',
    ],
    seeDeliveries: 'Ver o que houve com cada um',
  },
};
