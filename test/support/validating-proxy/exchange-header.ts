/** Which exchange of which test file a request belongs to, as `<port>/<number>`. */
export const EXCHANGE_HEADER = 'x-test-exchange';
