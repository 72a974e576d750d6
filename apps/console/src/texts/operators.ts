import { type Language, useLanguage } from '#src/texts/language.tsx';
import { operatorsEn, type OperatorTexts } from '#src/texts/operators-en.ts';
import { operatorsEsMx } from '#src/texts/operators-es-mx.ts';
import { operatorsPtBr } from '#src/texts/operators-pt-br.ts';

export const operatorTexts: Readonly<Record<Language, OperatorTexts>> = {
  'pt-BR': operatorsPtBr,
  en: operatorsEn,
  'es-MX': operatorsEsMx,
};

/** What the operators' console says in the language that is chosen. */
export function useOperatorTexts() {
  const { language } = useLanguage();
  return { language, texts: operatorTexts[language] };
}
