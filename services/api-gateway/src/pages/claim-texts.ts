import type { Language } from '#src/pages/payment-texts.ts';

/** What a merchant reads who fetches the secret of a live key. */
export interface ClaimTexts {
  readonly title: string;
  readonly once: string;
  readonly ready: string;
  readonly open: string;
  readonly publicKey: string;
  readonly secretKey: string;
  readonly opened: string;
  readonly gone: string;
  readonly goneNote: string;
}

export const claimTexts: Readonly<Record<Language, ClaimTexts>> = {
  pt: {
    title: 'Chave de produção',
    once: 'O segredo é mostrado uma única vez. Tenha à mão o lugar onde vai guardá-lo.',
    ready: 'A chave passa a funcionar no momento em que o segredo é mostrado.',
    open: 'Mostrar o segredo',
    publicKey: 'Chave pública',
    secretKey: 'Segredo',
    opened: 'Guarde o segredo agora: esta página não o mostra de novo.',
    gone: 'Este link não abre mais nada',
    goneNote: 'Ele já foi usado ou venceu. Se não foi você quem o abriu, avise o seu contato imediatamente.',
  },
  es: {
    title: 'Llave de producción',
    once: 'El secreto se muestra una sola vez. Tenga listo el lugar donde lo va a guardar.',
    ready: 'La llave empieza a funcionar en el momento en que se muestra el secreto.',
    open: 'Mostrar el secreto',
    publicKey: 'Llave pública',
    secretKey: 'Secreto',
    opened: 'Guarde el secreto ahora: esta página no lo vuelve a mostrar.',
    gone: 'Este enlace ya no abre nada',
    goneNote: 'Ya se usó o venció. Si usted no lo abrió, avise de inmediato a su contacto.',
  },
  en: {
    title: 'Live key',
    once: 'The secret is shown once. Have the place ready where you will keep it.',
    ready: 'The key works from the moment its secret is shown.',
    open: 'Show the secret',
    publicKey: 'Public key',
    secretKey: 'Secret',
    opened: 'Keep the secret now: this page does not show it again.',
    gone: 'This link opens nothing any more',
    goneNote: 'It was used, or its time is up. If it was not you who opened it, tell your contact at once.',
  },
};
