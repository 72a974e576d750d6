import type { MerchantTexts } from '#src/texts/merchants-en.ts';

/** The texts of what is made to happen in test mode, in Brazilian Portuguese. */
export const simulate: MerchantTexts['simulate'] = {
  title: 'Fazer acontecer (TESTE)',
  what: 'O que acontece',
  whole: 'Vazio: o valor inteiro.',
  confirm: 'Simular (TESTE)',
  sameCall: 'O mesmo por um programa',
  acts: {
    pay: { label: 'O pagador paga', about: 'O valor inteiro; ele é creditado, e deposit.paid é enviado.' },
    expire: { label: 'O prazo termina', about: 'Não pode mais ser pago no prazo; deposit.expired é enviado.' },
    dispute: { label: 'O pagador contesta', about: 'O valor é bloqueado, e med.opened é enviado.' },
    won: { label: 'Você tem razão', about: 'O valor volta a estar disponível, e med.won é enviado.' },
    lost: { label: 'O pagador tem razão', about: 'O valor sai do saldo, e med.lost é enviado.' },
    approve: { label: 'O operador aprova', about: 'Ele é enviado; payout.processing e payout.paid vêm em seguida.' },
    paid: { label: 'O destinatário tem o dinheiro', about: 'payout.paid é enviado.' },
    failed: { label: 'Falha', about: 'Valor e tarifa voltam, e payout.failed é enviado.' },
    returned: { label: 'O banco do destinatário devolve', about: 'O valor é creditado, e payout.returned é enviado.' },
    failing: {
      label: 'Falha por uma hora',
      about: 'Outros endpoints e o registro de eventos recebem webhook.failing.',
    },
    disabled: { label: 'Falha por três dias', about: 'Nada mais é enviado a ele; outros recebem webhook.disabled.' },
    release: { label: 'Os dias passam', about: 'Tudo o que está pendente fica disponível.' },
  },
};
