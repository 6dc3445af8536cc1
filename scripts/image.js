// `npm run image`: builds the service as an image from deploy/Containerfile, with buildah, podman or docker.
//   --base IMAGE, --builder IMAGE   other images to build on
//   --platform linux/amd64,linux/arm64
//   --tag NAME                      small-business-calculator:VERSION by default
//   --from-here                     without any registry: uses only the Node.js that runs this, its libraries and the
// bundle of this checkout; requires Linux, root and buildah
//   --try                           with --from-here: runs it as in production, read-only and without privileges
import './node-version.js';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { remove } from './moving.js';
import { optionsOf } from './options.js';
import { freePort, REAL } from './served.js';

const USAGE = `Usage: npm run image [-- OPTIONS]
Builds an image of the service with buildah, podman or docker.
  --base IMAGE, --builder IMAGE   other images to build on
  --platform LIST                 such as linux/amd64,linux/arm64
  --tag NAME                      instead of small-business-calculator:VERSION
  --from-here                     builds on this machine's Node.js, without a registry; needs Linux, root and buildah
  --try                           with --from-here: runs the image read-only and without privileges`;
const { values } = optionsOf(USAGE, {
  options: {
    base: { type: 'string' },
    builder: { type: 'string' },
    platform: { type: 'string' },
    tag: { type: 'string' },
    'from-here': { type: 'boolean' },
    try: { type: 'boolean' },
  },
});
const CONTAINERFILE = 'deploy/Containerfile';
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const tag = values.tag ?? `${name}:${version}`;

const fail = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

const isThere = (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;

const run = (program, args, options = {}) => {
  const ended = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    ...options,
  });
  if (ended.status !== 0) fail(`${program} ${args.find((arg) => !arg.startsWith('-'))} failed.`);
  return ended.stdout ?? '';
};

const asked = [
  ...(values.base ? ['--build-arg', `BASE=${values.base}`] : []),
  ...(values.builder ? ['--build-arg', `BUILDER=${values.builder}`] : []),
  ...(values.platform ? ['--platform', values.platform] : []),
];

/** Uses whichever program is installed. Only an image in Docker's format has a health check. */
function buildFromRegistry() {
  const program = ['docker', 'podman', 'buildah'].find(isThere);
  if (program === undefined) fail('None of docker, podman and buildah is installed.');
  const format = program === 'docker' ? [] : ['--format', 'docker'];
  // Several platforms are several images with one name.
  const naming = values.platform?.includes(',') && program !== 'docker' ? '--manifest' : '--tag';
  run(program, ['build', ...format, ...asked, '-f', CONTAINERFILE, naming, tag, '.'], { stdio: 'inherit' });
}

/** The libraries of a program and its loader, at the paths where it looks for them. */
const librariesOf = (program) =>
  [...run('ldd', [program]).matchAll(/(?:=> )?(\/\S+) \(0x/g)].map(([, file]) => file);

/** The parts of the distroless base that the service needs: Node.js, its libraries, an account. */
function baseFromHere(folder) {
  const put = (from, to) => {
    mkdirSync(join(folder, dirname(to)), { recursive: true });
    copyFileSync(from, join(folder, to));
  };
  put(process.execPath, '/nodejs/bin/node');
  // Debug symbols are a seventh of the program.
  if (isThere('strip')) run('strip', [join(folder, 'nodejs/bin/node')]);
  for (const library of librariesOf(process.execPath)) put(library, library);
  mkdirSync(join(folder, 'etc'), { recursive: true });
  writeFileSync(
    join(folder, 'etc/passwd'),
    'root:x:0:0:root:/:/none\nnonroot:x:65532:65532:nonroot:/:/none\n',
  );
  writeFileSync(join(folder, 'etc/group'), 'root:x:0:\nnonroot:x:65532:\n');
}

const sizeOf = (folder) => Number(run('du', ['-sb', folder]).split('\t')[0]);

/** Runs a program of the image: its files are read-only, nothing else is present, and it has no privileges. */
const inImage = (root, { User, Env }, command, env) => {
  const script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec "$@"';
  const jail = ['chroot', `--userspec=${User}`, root];
  const own = Object.fromEntries(Env.map((line) => line.split(/=(.*)/s).slice(0, 2)));
  return spawn('unshare', ['--mount', 'sh', '-c', script, 'sh', root, ...jail, ...command], {
    env: { PATH: process.env.PATH, ...own, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
};

async function tryIt(root, config) {
  const { Entrypoint, Cmd, Healthcheck } = config;
  const settings = {
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    PUBLIC_BASE_URL: 'https://calc.example',
    ...REAL,
  };
  const service = inImage(root, config, [...Entrypoint, ...Cmd], settings);
  let said = '';
  service.stdout.on('data', (part) => {
    said += part;
  });
  const ended = once(service, 'close');
  const isUp = () => said.includes('"listening"');
  for (let end = Date.now() + 20_000; !isUp() && Date.now() < end && service.exitCode === null; )
    await new Promise((done) => setTimeout(done, 20));
  if (!isUp()) fail(`The image does not start: ${said}`);
  const status = readFileSync(`/proc/${service.pid}/status`, 'utf8');
  const found = (field) => new RegExp(`^${field}:\\s+(\\S+)`, 'm').exec(status)?.[1];
  const [check] = await once(inImage(root, config, Healthcheck.Test.slice(1), settings), 'close');
  const answer = await fetch(`http://127.0.0.1:${settings.PORT}/v1/late-fee?amount=100&due_date=2026-09-01`);
  service.kill('SIGTERM');
  const [code] = await ended;
  const seen = {
    uid: found('Uid'),
    capabilities: found('CapEff'),
    rss_mb: Math.round(Number(found('VmRSS')) / 1024),
    health_check: check,
    answer: answer.status,
    ended: code,
    drained: said.includes('"complete":true'),
  };
  console.log(JSON.stringify(seen));
  const isRight =
    seen.uid === '65532' && /^0+$/.test(seen.capabilities) && check === 0 && answer.ok && code === 0;
  if (!(isRight && seen.drained)) fail('The image does not run correctly.');
}

/** Replaces the stages that need a registry: the base with local files, and the build stage with this checkout. */
async function buildFromHere() {
  if (process.platform !== 'linux' || process.getuid() !== 0 || !isThere('buildah'))
    fail('--from-here needs Linux, root and buildah (apt-get install buildah).');
  if (!existsSync('dist/bundle/package.json')) fail('There is no bundle here. Run npm run build.');
  const scratch = mkdtempSync(join(tmpdir(), 'image-'));
  const store = [
    '--storage-driver',
    'vfs',
    '--root',
    join(scratch, 'root'),
    '--runroot',
    join(scratch, 'run'),
  ];
  const buildah = (...args) => run('buildah', [...store, ...args]);
  try {
    const here = join(scratch, 'here');
    baseFromHere(here);
    writeFileSync(join(scratch, 'base'), 'FROM scratch\nCOPY . /\n');
    const build = ['build', '--quiet', '--isolation', 'chroot', '--format', 'docker'];
    buildah(...build, '-f', join(scratch, 'base'), '-t', 'localhost/base', here);
    const made = join(scratch, 'made');
    mkdirSync(join(made, 'app/dist'), { recursive: true });
    cpSync('dist/bundle', join(made, 'app/dist/bundle'), { recursive: true });
    const instead = ['--build-arg', 'BASE=localhost/base', '--build-context', `build=${made}`];
    buildah(...build, ...instead, '-f', resolve(CONTAINERFILE), '-t', tag, '.');
    const container = buildah('from', '--pull-never', tag).trim();
    const root = buildah('mount', container).trim();
    const { config } = JSON.parse(buildah('inspect', container)).Docker;
    console.log(`${tag}: ${(sizeOf(root) / 1e6).toFixed(1)} MB, Node.js ${process.versions.node}`);
    if (values.try) await tryIt(root, config);
  } finally {
    spawnSync('buildah', [...store, 'umount', '--all'], { stdio: 'ignore' });
    remove(scratch);
  }
}

await (values['from-here'] ? buildFromHere() : buildFromRegistry());
