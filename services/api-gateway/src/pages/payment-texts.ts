import type { MessageLanguage } from '@gateway/contracts/values';
import type { PaymentMethod } from '@gateway/money';

export type Language = MessageLanguage;

/** How numbers and times are written where the page's language is at home. */
export const localeOf: Readonly<Record<Language, string>> = { pt: 'pt-BR', es: 'es-MX', en: 'en-US' };

/** A language by its own name. */
export const nameOf: Readonly<Record<Language, string>> = { pt: 'Português', es: 'Español', en: 'English' };

/** What a payer reads of one rail. */
export interface RailTexts {
  /** What is paid to: the code, or the account number. */
  readonly destination: string;
  /** The picture of the code, where the rail has codes. */
  readonly qr?: string;
  readonly steps: readonly string[];
  /** Whose clock a time on the page is of. */
  readonly clock: string;
}

/** Everything a payer reads, in one language. */
export interface Texts {
  readonly payTo: (name: string) => string;
  readonly amount: string;
  readonly amountLeft: string;
  readonly waiting: string;
  readonly partial: (received: string, asked: string) => string;
  readonly timeLeft: string;
  readonly payUntil: (time: string) => string;
  readonly showQr: string;
  readonly rails: Readonly<Record<PaymentMethod, RailTexts>>;
  readonly copy: string;
  readonly copied: string;
  readonly paid: string;
  readonly paidNote: (amount: string) => string;
  readonly refunded: string;
  readonly refundedNote: string;
  readonly expired: string;
  readonly expiredNote: string;
  readonly canceled: string;
  readonly canceledNote: string;
  readonly receipt: string;
  readonly payee: string;
  readonly paidOn: string;
  readonly paymentId: string;
  readonly returnId: string;
  readonly print: string;
  readonly beneficiary: string;
  readonly bank: string;
  readonly chooseLanguage: string;
  readonly goBack: (host: string) => string;
  readonly goesBack: string;
  readonly stay: string;
  readonly testMode: string;
  readonly testNote: string;
  readonly simulate: string;
  readonly refreshes: string;
  readonly notFound: string;
  readonly notFoundNote: string;
  readonly unavailable: string;
  readonly unavailableNote: string;
  readonly secure: string;
}

export const texts: Readonly<Record<Language, Texts>> = {
  pt: {
    payTo: (name) => `Pagamento para ${name}`,
    amount: 'Valor a pagar',
    amountLeft: 'Valor que falta',
    waiting: 'Aguardando o pagamento',
    partial: (received, asked) => `Recebemos ${received} de ${asked}. Envie o valor que falta para a mesma conta.`,
    timeLeft: 'Tempo restante',
    payUntil: (time) => `Pague até ${time}`,
    showQr: 'Código QR, para ler com outro aparelho',
    rails: {
      PIX: {
        destination: 'PIX copia e cola',
        qr: 'Código QR do PIX',
        steps: [
          'Abra o aplicativo do seu banco e escolha pagar com PIX.',
          'Leia o código QR ou cole o código PIX.',
          'Confirme. Esta página avisa quando o pagamento chegar.',
        ],
        clock: 'horário de Brasília',
      },
      SPEI: {
        destination: 'CLABE para a transferência',
        steps: [
          'Abra o aplicativo do seu banco e escolha transferência SPEI.',
          'Cole a CLABE e digite exatamente o valor acima.',
          'Confirme. Esta página avisa quando o pagamento chegar.',
        ],
        clock: 'hora da Cidade do México',
      },
    },
    copy: 'Copiar',
    copied: 'Copiado',
    paid: 'Pagamento recebido',
    paidNote: (amount) => `Recebemos ${amount}. Você já pode fechar esta página.`,
    refunded: 'Pagamento devolvido',
    refundedNote: 'O valor foi devolvido à conta de onde veio.',
    expired: 'O prazo terminou',
    expiredNote: 'Este pagamento não é mais esperado. Peça um novo a quem o enviou.',
    canceled: 'Pagamento cancelado',
    canceledNote: 'Não pague: o valor seria devolvido. Peça um novo a quem o enviou.',
    receipt: 'Comprovante',
    payee: 'Recebedor',
    paidOn: 'Pago em',
    paymentId: 'Identificador do pagamento',
    returnId: 'Identificador da devolução',
    print: 'Imprimir ou salvar',
    beneficiary: 'Favorecido',
    bank: 'Banco',
    chooseLanguage: 'Idioma',
    goBack: (host) => `Voltar para ${host}`,
    goesBack: 'Você volta para a loja em alguns segundos.',
    stay: 'Ficar nesta página',
    testMode: 'Modo de teste',
    testNote: 'Nenhum dinheiro se move: esta cobrança não pode ser paga de verdade.',
    simulate: 'Simular o pagamento',
    refreshes: 'Esta página se atualiza sozinha a cada 15 segundos.',
    notFound: 'Página não encontrada',
    notFoundNote: 'O endereço está incompleto ou não vale mais. Confira o link que você recebeu.',
    unavailable: 'Indisponível no momento',
    unavailableNote: 'Seu pagamento não se perde. Tente abrir esta página de novo em instantes.',
    secure: 'Página de pagamento segura',
  },
  es: {
    payTo: (name) => `Pago a ${name}`,
    amount: 'Monto a pagar',
    amountLeft: 'Monto que falta',
    waiting: 'Esperando tu pago',
    partial: (received, asked) => `Recibimos ${received} de ${asked}. Envía el monto que falta a la misma cuenta.`,
    timeLeft: 'Tiempo restante',
    payUntil: (time) => `Paga antes del ${time}`,
    showQr: 'Código QR, para leer con otro aparato',
    rails: {
      PIX: {
        destination: 'Código PIX para copiar y pegar',
        qr: 'Código QR de PIX',
        steps: [
          'Abre la aplicación de tu banco y elige pagar con PIX.',
          'Escanea el código QR o pega el código PIX.',
          'Confirma. Esta página te avisa cuando llegue el pago.',
        ],
        clock: 'hora de Brasilia',
      },
      SPEI: {
        destination: 'CLABE para la transferencia',
        steps: [
          'Abre la aplicación de tu banco y elige transferencia SPEI.',
          'Pega la CLABE y escribe exactamente el monto de arriba.',
          'Confirma. Esta página te avisa cuando llegue el pago.',
        ],
        clock: 'hora de Ciudad de México',
      },
    },
    copy: 'Copiar',
    copied: 'Copiado',
    paid: 'Pago recibido',
    paidNote: (amount) => `Recibimos ${amount}. Ya puedes cerrar esta página.`,
    refunded: 'Pago devuelto',
    refundedNote: 'El monto se devolvió a la cuenta de la que vino.',
    expired: 'El plazo terminó',
    expiredNote: 'Este pago ya no se espera. Pide uno nuevo a quien te lo envió.',
    canceled: 'Pago cancelado',
    canceledNote: 'No pagues: el monto se devolvería. Pide uno nuevo a quien te lo envió.',
    receipt: 'Comprobante',
    payee: 'Comercio',
    paidOn: 'Pagado el',
    paymentId: 'Identificador del pago',
    returnId: 'Identificador de la devolución',
    print: 'Imprimir o guardar',
    beneficiary: 'Beneficiario',
    bank: 'Banco',
    chooseLanguage: 'Idioma',
    goBack: (host) => `Volver a ${host}`,
    goesBack: 'Vuelves a la tienda en unos segundos.',
    stay: 'Quedarme en esta página',
    testMode: 'Modo de prueba',
    testNote: 'No se mueve dinero: este cobro no se puede pagar de verdad.',
    simulate: 'Simular el pago',
    refreshes: 'Esta página se actualiza sola cada 15 segundos.',
    notFound: 'Página no encontrada',
    notFoundNote: 'La dirección está incompleta o ya no es válida. Revisa el enlace que recibiste.',
    unavailable: 'No disponible por ahora',
    unavailableNote: 'Tu pago no se pierde. Intenta abrir esta página de nuevo en unos momentos.',
    secure: 'Página de pago segura',
  },
  en: {
    payTo: (name) => `Payment to ${name}`,
    amount: 'Amount to pay',
    amountLeft: 'Amount still missing',
    waiting: 'Waiting for your payment',
    partial: (received, asked) => `We received ${received} of ${asked}. Send the missing amount to the same account.`,
    timeLeft: 'Time left',
    payUntil: (time) => `Pay before ${time}`,
    showQr: 'QR code, to scan with another device',
    rails: {
      PIX: {
        destination: 'PIX copy-and-paste code',
        qr: 'PIX QR code',
        steps: [
          "Open your bank's app and choose to pay with PIX.",
          'Scan the QR code or paste the PIX code.',
          'Confirm. This page tells you when the payment arrives.',
        ],
        clock: 'Brasília time',
      },
      SPEI: {
        destination: 'CLABE to transfer to',
        steps: [
          "Open your bank's app and choose a SPEI transfer.",
          'Paste the CLABE and type exactly the amount above.',
          'Confirm. This page tells you when the payment arrives.',
        ],
        clock: 'Mexico City time',
      },
    },
    copy: 'Copy',
    copied: 'Copied',
    paid: 'Payment received',
    paidNote: (amount) => `We received ${amount}. You can close this page now.`,
    refunded: 'Payment returned',
    refundedNote: 'The amount went back to the account it came from.',
    expired: 'The time is up',
    expiredNote: 'This payment is no longer expected. Ask whoever sent it for a new one.',
    canceled: 'Payment canceled',
    canceledNote: 'Do not pay: the amount would be sent back. Ask whoever sent it for a new one.',
    receipt: 'Receipt',
    payee: 'Paid to',
    paidOn: 'Paid on',
    paymentId: 'Payment id',
    returnId: 'Return id',
    print: 'Print or save',
    beneficiary: 'Beneficiary',
    bank: 'Bank',
    chooseLanguage: 'Language',
    goBack: (host) => `Back to ${host}`,
    goesBack: 'You go back to the shop in a few seconds.',
    stay: 'Stay on this page',
    testMode: 'Test mode',
    testNote: 'No money moves: this charge cannot be paid for real.',
    simulate: 'Simulate the payment',
    refreshes: 'This page refreshes itself every 15 seconds.',
    notFound: 'Page not found',
    notFoundNote: 'The address is incomplete or no longer valid. Check the link you received.',
    unavailable: 'Not available right now',
    unavailableNote: 'Your payment is not lost. Try to open this page again in a moment.',
    secure: 'Secure payment page',
  },
};
