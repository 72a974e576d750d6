/** Life of an access token (spec 8: 8 hours). */
export const accessTokenLifetimeSec = 8 * 3_600;

/** Both ends are this service, so one secret signs and verifies; naming the algorithm keeps `none` and the like out. */
export const accessTokenAlgorithm = 'HS256';

export const accessTokenIssuer = 'compat';
