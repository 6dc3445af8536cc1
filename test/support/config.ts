import { type Config, configMessage, readConfig } from '../../src/config/config.ts';

export const payTo = '0x52908400098527886E0F7030069857D2E4169EE7';
export const relayerKey = `0x${'17'.repeat(32)}`;
/** An environment that settles with its own key. */
export const local = {
  NODE_ENV: 'development',
  SETTLERS: 'local',
  PAY_TO: payTo,
  RPC_URLS: 'https://rpc.example/v2/k',
  RELAYER_KEY: relayerKey,
};
// Base64 of an Ed25519 seed, which is 32 sevens, and its public key.
export const cdpSecret =
  'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwfqSmxj4pxSCr71UHsTLsX5lUd2rr6+e5JCHuppFEbSLA==';
export const production = { ...local, NODE_ENV: 'production', PUBLIC_BASE_URL: 'https://calc.example' };

export function configOf(env: Record<string, string | undefined>): Config {
  const reading = readConfig(env);
  if (!reading.ok) throw new Error(configMessage(reading.faults));
  return reading.config;
}

/** The faults as `SETTING detail` lines; empty if the environment is valid. */
export function faultsOf(env: Record<string, string | undefined>): string[] {
  const reading = readConfig(env);
  return reading.ok ? [] : reading.faults.map(({ setting, detail }) => `${setting} ${detail}`);
}
