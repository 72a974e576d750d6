import type { CommonTexts } from '#src/texts/common-en.ts';

/** The texts of sign-in, invitations and confirmations in Brazilian Portuguese. */
export const session: CommonTexts['session'] = {
  signIn: {
    title: 'Entrar',
    passkey: 'Entrar com uma passkey',
    otherwise: 'Sem passkey',
    name: 'Nome',
    password: 'Senha',
    code: 'Código do autenticador',
    withPassword: 'Entrar',
  },
  issuer: {
    signIn: (name) => `Entrar com ${name}`,
    bind: (name) => `Para entrar com ${name} depois, faça isso aqui primeiro e então adicione a passkey.`,
    bound: (name) => `Você já é conhecido em ${name}. Adicione a passkey em até cinco minutos.`,
    mine: (subject) => `Você também entra como ${subject} da sua organização.`,
    landed: {
      passkey: 'Reconhecemos você, mas sem dois fatores. Entre com a sua passkey.',
      refused: 'Esta entrada não vale aqui ou já foi usada. Tente de novo ou use a sua passkey.',
      unavailable: 'A entrada da sua organização não responde no momento. Use a sua passkey.',
    },
  },
  ended: { title: 'A sua sessão terminou', about: 'O que você digitou continua aqui. Entre para continuar.' },
  idle: {
    title: 'Você ainda está aí?',
    about: 'A sua sessão termina em cerca de dois minutos se você não continuar. O que você digitou continua aqui.',
    stay: 'Continuar na sessão',
  },
  stepUp: {
    title: 'Confirme que é você',
    about: 'Isto move dinheiro ou direitos. A confirmação vale só para esta mudança.',
    passkey: 'Confirmar com uma passkey',
    withPassword: 'Confirmar com senha e código',
  },
  noPasskey: 'Nenhuma passkey foi usada: a pergunta foi fechada ou o tempo acabou.',
  passkeys: {
    title: 'O seu acesso',
    person: (name: string, roles: string) => `${name} · ${roles}`,
    list: 'Passkey',
    added: 'Adicionada',
    used: 'Último uso',
    never: 'ainda não',
    none: 'Você ainda não tem passkey. Adicione uma: ela é a sua entrada, e confirma o que você propõe e decide.',
    another: 'Adicionar uma passkey',
    label: 'Nome do aparelho',
    labelHint: 'Por exemplo “notebook” ou “chave azul”.',
    add: 'Adicionar uma passkey',
    isAdded: 'A passkey foi adicionada.',
    withheld: 'As suas permissões sobre dinheiro esperam por outra passkey.',
  },
  welcome: {
    title: 'Boas-vindas',
    link: 'Este link dá entrada uma única vez.',
    open: 'Entrar',
    used: 'Este link já foi usado ou não está completo. Peça outro.',
    invited: (name: string) =>
      `Você foi convidado como ${name}. Adicione uma passkey deste aparelho: é com ela que você entra.`,
    codes:
      'Guarde estes códigos de recuperação onde você os encontre sem este aparelho. Cada um dá entrada uma vez, e são mostrados só agora.',
    kept: 'Já guardei',
    waits: 'Quem convidou você confirma agora que foi você quem abriu o link. Depois você pode entrar.',
  },
};
