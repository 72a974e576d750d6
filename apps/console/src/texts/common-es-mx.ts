import type { CommonTexts } from '#src/texts/common-en.ts';
import { charts, live } from '#src/texts/charts-es-mx.ts';
import { keyboard } from '#src/texts/keyboard-es-mx.ts';
import { session } from '#src/texts/session-es-mx.ts';

const records: CommonTexts['records'] = {
  stuck: 'Necesita un operador',
  age: (age) => `desde hace ${age}`,
  words: 'Palabras del proveedor',
  timeline: 'Línea de tiempo',
  lookUp: 'Consultar al proveedor ahora',
  lookedUp: 'El proveedor fue consultado; esta es su respuesta.',
  nothingStuck: (time) => `Nada está detenido. Revisado a las ${time}.`,
  empty: 'Ningún registro corresponde a estos filtros.',
  payer: 'Pagador',
  attempts: 'Intentos',
  left: (age) => `quedan ${age}`,
  past: (age) => `terminó hace ${age}`,
  returnId: 'Id de la devolución',
  failure: 'Por qué falló',
  reason: 'Motivo',
};

const reveal = {
  masked: 'Los datos personales están enmascarados.',
  open: 'Mostrar…',
  title: 'Mostrar datos personales',
  about: 'Quién los vio, y por qué, queda en la bitácora de auditoría antes de mostrarse.',
  reason: 'Por qué deben verse',
  confirm: 'Mostrar',
  shown: 'Los datos personales se muestran.',
  hide: 'Enmascarar de nuevo',
};

/** What every console says in Mexican Spanish. */
export const commonEsMx: CommonTexts = {
  skip: 'Ir al contenido',
  environment: {
    label: 'Entorno',
    live: 'Producción',
    test: 'Prueba',
    testBar: 'PRUEBA: no hay dinero real en esta página',
  },
  language: 'Idioma',
  signOut: 'Salir',
  states: {
    loading: 'Cargando',
    failed: 'No se pudo cargar.',
    notFound: 'No existe este registro.',
    unknown: 'Aún no se sabe si esto se hizo. El registro se lee de nuevo antes de repetir nada.',
    retry: 'Intentar de nuevo',
    requestId: 'Id de la solicitud',
    incomplete: (services: string) => `Incompleto: ${services} no respondió.`,
    updatedAt: (time: string) => `A las ${time}`,
  },
  copy: { copy: (what: string) => `Copiar ${what}`, copied: 'Copiado' },
  list: {
    noneHere: 'Ninguno en esta página. Puede haber más antiguos.',
    newer: 'Volver a los más recientes',
    older: 'Más antiguos',
    filterAny: 'Cualquiera',
    clear: 'Limpiar los filtros',
  },
  facts: {
    account: 'Cuenta',
    amount: 'Monto',
    fee: 'Comisión',
    status: 'Estado',
    created: 'Creado',
    externalId: 'Id externo',
    e2eId: 'Id de extremo a extremo',
    provider: 'Proveedor',
    reference: 'Referencia en el proveedor',
    providerRef: 'Id del proveedor',
    recipient: 'Destinatario',
    key: 'Clave',
    kind: 'Tipo',
    record: 'Registro',
    traceId: 'Traza',
    environment: 'Entorno',
  },
  payoutStatus: {
    PENDING: 'Espera aprobación',
    PROCESSING: 'En proceso',
    PAID: 'Pagado',
    FAILED: 'Falló',
    REJECTED: 'Rechazado',
  },
  oldPage: {
    title: 'Esta página no pudo mostrarse',
    about:
      'Quizá salió una versión más nueva de la consola desde que se abrió esta pestaña. Vuelva a cargarla para seguir.',
    reload: 'Volver a cargar',
  },
  cancel: 'Cancelar',
  reasonFor: 'Motivo, para los demás operadores',
  session,
  reveal,
  records,
  keyboard,
  charts,
  live,
};
