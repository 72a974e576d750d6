import { type Language, useLanguage } from '#src/texts/language.tsx';
import { merchantsEn, type MerchantTexts } from '#src/texts/merchants-en.ts';
import { merchantsEsMx } from '#src/texts/merchants-es-mx.ts';
import { merchantsPtBr } from '#src/texts/merchants-pt-br.ts';

export const merchantTexts: Readonly<Record<Language, MerchantTexts>> = {
  'pt-BR': merchantsPtBr,
  en: merchantsEn,
  'es-MX': merchantsEsMx,
};

/** What the merchants' console says in the language that is chosen. */
export function useMerchantTexts() {
  const { language } = useLanguage();
  return { language, texts: merchantTexts[language] };
}
