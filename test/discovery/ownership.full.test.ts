import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';

const command = fileURLToPath(new URL('../../dist/bin/ownership.js', import.meta.url));
const message = (env: Record<string, string>) =>
  spawnSync(process.execPath, [command], { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } });

describe('npm run ownership:message', () => {
  it('prints the origin and nothing else, and a signature of it is a proof that the service takes', async () => {
    const { stdout, status } = message({ PUBLIC_BASE_URL: 'https://calc.example/' });
    expect(status).toBe(0);
    expect(stdout).toBe('https://calc.example');
    const payee = privateKeyToAccount(`0x${'42'.repeat(32)}`);
    const env = {
      SETTLERS: 'payai',
      PUBLIC_BASE_URL: 'https://calc.example',
      PAY_TO: payee.address,
      X402_OWNERSHIP_PROOF: await payee.signMessage({ message: stdout }),
    };
    expect(readConfig(env)).toMatchObject({ ok: true, config: { ownershipProof: env.X402_OWNERSHIP_PROOF } });
  });

  it('says what is wrong with the settings that it reads', () => {
    const { stdout, stderr, status } = message({ PUBLIC_BASE_URL: 'calc.example', NODE_ENV: 'production' });
    expect(status).toBe(78);
    expect(stdout).toBe('');
    expect(stderr).toContain('PUBLIC_BASE_URL');
  });
});
