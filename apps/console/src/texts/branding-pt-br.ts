import type { MerchantTexts } from '#src/texts/merchants-en.ts';

/** The texts of what payers see of a merchant, in Brazilian Portuguese. */
export const branding: MerchantTexts['branding'] = {
  title: 'Página de pagamento',
  about: 'O que os pagadores veem ao lado do seu nome. Produção e teste têm cada um a sua.',
  color: 'Cor dos botões',
  house: 'A cor da casa',
  logo: 'Logotipo',
  logoHint: 'Uma imagem PNG, de no máximo 1024 por 512 pixels e 44 KB.',
  toHouse: 'Usar a cor da casa',
  withoutLogo: 'Tirar o logotipo',
  save: { live: 'Salvar', test: 'Salvar (TESTE)' },
  saved: 'Salvo.',
  preview: 'Como o pagador a vê',
  payTo: (name) => `Pagar a ${name}`,
  copyCode: 'Copiar o código',
};
