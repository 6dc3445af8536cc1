/** Identifies the exchange and the test file of a request, as `<port>/<number>`. */
export const EXCHANGE_HEADER = 'x-test-exchange';
