import type { MerchantTexts } from '#src/texts/merchants-en.ts';

/** The texts of what payers see of a merchant, in Mexican Spanish. */
export const branding: MerchantTexts['branding'] = {
  title: 'Página de pago',
  about: 'Lo que ven quienes pagan, junto al nombre. Producción y prueba tienen cada una la suya.',
  color: 'Color de los botones',
  house: 'El color de la casa',
  logo: 'Logotipo',
  logoHint: 'Una imagen PNG, de 1024 por 512 pixeles y 44 KB como máximo.',
  toHouse: 'Usar el color de la casa',
  withoutLogo: 'Quitar el logotipo',
  save: { live: 'Guardar', test: 'Guardar (PRUEBA)' },
  saved: 'Guardado.',
  preview: 'Como la ve quien paga',
  payTo: (name) => `Pagar a ${name}`,
  copyCode: 'Copiar el código',
};
