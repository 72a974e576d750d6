import type { CommonTexts } from '#src/texts/common-en.ts';

/** The texts of sign-in, invitations and confirmations in Mexican Spanish. */
export const session: CommonTexts['session'] = {
  signIn: {
    title: 'Entrar',
    passkey: 'Entrar con una passkey',
    otherwise: 'Sin passkey',
    name: 'Nombre',
    password: 'Contraseña',
    code: 'Código del autenticador',
    withPassword: 'Entrar',
  },
  issuer: {
    signIn: (name) => `Entrar con ${name}`,
    bind: (name) => `Para entrar con ${name} después, hágalo aquí primero y luego agregue la passkey.`,
    bound: (name) => `Ya se le conoce en ${name}. Agregue la passkey en los próximos cinco minutos.`,
    mine: (subject) => `También entra como ${subject} de su organización.`,
    landed: {
      passkey: 'Se le reconoció, pero sin dos factores. Entre con su passkey.',
      refused: 'Este acceso no vale aquí o ya se usó. Intente de nuevo o use su passkey.',
      unavailable: 'El acceso de su organización no responde por ahora. Use su passkey.',
    },
  },
  ended: { title: 'Su sesión terminó', about: 'Lo que escribió sigue aquí. Entre para continuar.' },
  idle: {
    title: '¿Sigue ahí?',
    about: 'Su sesión termina en unos dos minutos si no continúa. Lo que escribió sigue aquí.',
    stay: 'Seguir en la sesión',
  },
  stepUp: {
    title: 'Confirme que es usted',
    about: 'Esto mueve dinero o derechos. La confirmación vale solo para este cambio.',
    passkey: 'Confirmar con una passkey',
    withPassword: 'Confirmar con contraseña y código',
  },
  noPasskey: 'No se usó ninguna passkey: la pregunta se cerró o se acabó el tiempo.',
  passkeys: {
    title: 'Su acceso',
    person: (name: string, roles: string) => `${name} · ${roles}`,
    list: 'Passkey',
    added: 'Agregada',
    used: 'Último uso',
    never: 'todavía no',
    none: 'Aún no tiene passkey. Agregue una: con ella entra, y confirma lo que propone y decide.',
    another: 'Agregar una passkey',
    label: 'Nombre del dispositivo',
    labelHint: 'Por ejemplo “laptop” o “llave azul”.',
    add: 'Agregar una passkey',
    isAdded: 'La passkey quedó agregada.',
    withheld: 'Sus permisos sobre dinero esperan otra passkey.',
  },
  welcome: {
    title: 'Le damos la bienvenida',
    link: 'Este enlace permite entrar una sola vez.',
    open: 'Entrar',
    used: 'Este enlace ya se usó o no está completo. Pida otro.',
    invited: (name: string) =>
      `La invitación es para ${name}. Agregue una passkey de este dispositivo: con ella se entra.`,
    codes:
      'Guarde estos códigos de recuperación donde los encuentre sin este dispositivo. Cada uno permite entrar una vez, y se muestran solo ahora.',
    kept: 'Ya los guardé',
    waits: 'Quien hizo la invitación confirma ahora que fue usted quien abrió el enlace. Después puede entrar.',
  },
};
