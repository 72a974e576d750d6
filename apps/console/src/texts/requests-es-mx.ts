import type { MerchantTexts } from '#src/texts/merchants-en.ts';

/** The texts of the request log in Mexican Spanish. */
export const requests: MerchantTexts['requests'] = {
  title: 'Solicitudes',
  one: 'Solicitud',
  first: 'Ninguna solicitud de una llave está en el registro. Cada una aparece segundos después de su respuesta.',
  kept: {
    test: 'Todas las solicitudes de llaves de prueba de los últimos 30 días. Sin secretos, con datos personales enmascarados.',
    live: 'Solicitudes de llaves de producción rechazadas en los últimos 7 días. Sin secretos, con datos personales enmascarados.',
  },
  answer: 'Respuesta',
  classes: { '2xx': '2xx, hecha', '4xx': '4xx, rechazada', '5xx': '5xx, falla nuestra' },
  code: 'Código',
  path: 'Ruta',
  took: 'Tardó',
  at: 'Respondida',
  query: 'Consulta',
  from: 'Desde dónde',
  program: 'Programa',
  sent: 'Lo que se envió',
  answered: 'Lo que se respondió',
  noBody: 'Sin cuerpo, o con más de 8 KiB.',
  faults: 'Lo que está mal en ella',
  member: 'Campo',
  fault: 'Error',
  refused: 'Rechazadas en las últimas 24 horas',
  noneRefused: 'No se rechazó nada.',
  times: 'Veces',
  last: 'Última',
  all: 'Todas las solicitudes',
  cut: (max) => `De las últimas ${max} rechazadas; hubo más.`,
};
