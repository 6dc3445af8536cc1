import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publicAddresses, publicNetwork } from '../../../tools/directory/refresh-address.ts';
import { frontRun } from '../contracts.ts';
import type { Kind } from '../kind.ts';
import { notice, quietly, wait } from '../shop.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export const processKinds: readonly Kind[] = [
  {
    name: 'a restart within a second',
    promise:
      'a payment that bought an answer just before a restart buys nothing afterward, even within the same second',
    async run(scene) {
      const shop = await scene.shop();
      for (let round = 0; round < 2 * scene.rounds; round += 1) {
        const payment = await shop.sign(await scene.buyer(shop.chain));
        const strange = await shop.sign(await scene.buyer(shop.chain));
        await shop.remembers();
        // A block has the second in which it was made as its date, so the test waits for the beginning of a second.
        await wait(1_000 - (Date.now() % 1_000));
        await frontRun(shop.chain, strange);
        await Promise.all([
          shop.insist(payment, notice(`Before ${round}`), 5_000, quietly),
          shop.insist(strange, notice(`Strange ${round}`), 5_000, quietly),
        ]);
        await shop.seller.end('SIGKILL');
        await shop.seller.start();
        for (const one of [payment, strange]) {
          const { status } = await shop.present(one, notice(), quietly);
          scene.held(status !== 200, 'it bought again after the restart');
        }
      }
    },
  },
  {
    name: 'a new process next to the old one',
    promise:
      'without Redis, a payment that one process settled buys nothing at another process with the same relayer',
    async run(scene) {
      const old = await scene.shop();
      const fresh = await scene.shop({ like: old });
      for (let round = 0; round < 3 * scene.rounds; round += 1) {
        const payment = await old.sign(await scene.buyer(old.chain));
        await old.insist(payment, notice(`Old ${round}`), 5_000, quietly);
        const { status } = await fresh.present(payment, notice(`New ${round}`), quietly);
        scene.held(status !== 200, 'it bought again at the new process');
      }
    },
  },
  {
    name: 'two processes with one relayer and no Redis',
    promise: 'one payment that is presented to both processes at once for two requests buys one answer',
    async run(scene) {
      const one = await scene.shop();
      const other = await scene.shop({ like: one });
      for (let round = 0; round < 4 * scene.rounds; round += 1) {
        const payment = await one.sign(await scene.buyer(one.chain));
        await Promise.all([
          one.present(payment, notice(`One ${round}`), { ...quietly, timeoutMs: 15_000 }),
          other.present(payment, notice(`Other ${round}`), { ...quietly, timeoutMs: 15_000 }),
        ]);
        scene.tried(2);
      }
    },
  },
  {
    name: 'a shutdown during purchases',
    promise: 'after SIGTERM, each pending purchase is answered before the process ends',
    isLong: true,
    async run(scene) {
      const shop = await scene.shop();
      const payments = await Promise.all(
        Array.from({ length: 12 }, async () => shop.sign(await scene.buyer(shop.chain))),
      );
      const heard = payments.map((payment, index) =>
        shop.present(payment, notice(`Ending ${index}`), quietly),
      );
      await wait(60);
      await shop.seller.end('SIGTERM');
      const ends = await Promise.all(heard);
      const bought = ends.filter(({ status }) => status === 200).length;
      const transfers = (await shop.transfers()).length;
      scene.held(bought === transfers, `${transfers} charged, ${bought} answered`);
    },
  },
  {
    name: 'a production install',
    promise: 'with only the packages of production, the checks before npm start find the build and succeed',
    async run(scene) {
      const folder = mkdtempSync(join(tmpdir(), 'attacks-production-'));
      scene.after(() => rmSync(folder, { recursive: true, force: true }));
      for (const name of ['dist', 'scripts', 'package.json', 'tsconfig.build.json'])
        cpSync(join(root, name), join(folder, name), { recursive: true, preserveTimestamps: true });
      const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
        packages: Record<string, { dev?: boolean }>;
      };
      for (const [path, { dev }] of Object.entries(packages)) {
        const isTop = path.startsWith('node_modules/') && path.lastIndexOf('node_modules/') === 0;
        if (!isTop || dev === true || !existsSync(join(root, path))) continue;
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        symlinkSync(join(root, path), join(folder, path), 'junction');
      }
      const { status, stderr } = await promisify(execFile)(
        process.execPath,
        ['scripts/build.js', '--if-stale'],
        {
          cwd: folder,
        },
      ).then(
        () => ({ status: 0, stderr: '' }),
        (error: { code: number; stderr: string }) => ({ status: error.code, stderr: error.stderr }),
      );
      scene.held(
        status === 0,
        `it ended with ${status}: ${stderr.split('\n').find((line) => line.includes('Error'))}`,
      );
    },
  },
  {
    name: 'private addresses in the directory',
    promise: 'loopback, private and link-local addresses are not fetched for the directory, in any notation',
    async run(scene) {
      const inner = [
        '127.0.0.1',
        '10.0.0.1',
        '169.254.169.254',
        '192.168.1.1',
        '172.16.0.1',
        '100.64.0.1',
        '0.0.0.0',
        '::1',
        '::',
        '::7f00:1',
        '::127.0.0.1',
        '::ffff:127.0.0.1',
        '::ffff:7f00:1',
        'fe80::1',
        'fc00::1',
        'fd00::1',
        '64:ff9b::7f00:1',
        '2002:7f00:1::',
        '::ffff:0:127.0.0.1',
        '255.255.255.255',
        '224.0.0.1',
        'ff02::1',
        '::a9fe:a9fe',
      ];
      for (const address of inner) {
        const isFetched = await publicAddresses(address, publicNetwork).then(
          () => true,
          () => false,
        );
        scene.held(!isFetched, `${address} is fetched`);
      }
    },
  },
];
