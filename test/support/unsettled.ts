/** Real-money settings with which nothing settles: nothing listens on the port of the discard protocol. */
export const UNSETTLED = {
  NODE_ENV: 'development',
  SETTLERS: 'local',
  RPC_URLS: 'http://127.0.0.1:9',
  RELAYER_KEY: `0x${'11'.repeat(32)}`,
  PAY_TO: '0x00000000000000000000000000000000000000aa',
};
