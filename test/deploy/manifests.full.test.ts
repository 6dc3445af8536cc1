import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchTool } from '../../scripts/tool.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const models = join(fetchTool('manifests'), 'node_modules/kubernetes-models');
type Yaml = {
  parseAllDocuments(
    text: string,
    options: object,
  ): readonly { readonly errors: readonly unknown[]; toJS(): unknown }[];
};
const yaml: Yaml = await import(
  pathToFileURL(join(fetchTool('manifests'), 'node_modules/yaml/dist/index.js')).href
);

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

type Container = {
  readonly securityContext: object;
  readonly startupProbe: object;
  readonly livenessProbe: object;
  readonly readinessProbe: object;
  readonly env: readonly { readonly name: string; readonly value?: string }[];
  readonly resources: { readonly limits: object };
};
type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>> & {
    readonly template?: {
      readonly spec: {
        readonly containers: readonly Container[];
        readonly terminationGracePeriodSeconds: number;
      };
    };
  };
};

const documents = yaml.parseAllDocuments(read('deploy/kubernetes/small-business-calculator.yaml'), {
  merge: true,
});
const manifests = documents.map((document) => document.toJS() as Manifest);
const ofKind = (kind: string): Manifest => manifests.find((one) => one.kind === kind) as Manifest;
const placeOf = ({ apiVersion, kind }: Manifest) =>
  join(models, apiVersion, `${kind}.js`).replaceAll('\\', '/');

describe('deploy/kubernetes', () => {
  let folder: string;
  beforeAll(() => {
    mkdirSync(join(root, 'build'), { recursive: true });
    folder = mkdtempSync(join(root, 'build/manifests-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has objects that configure, run, expose, protect, scale and isolate the service', () => {
    expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
    expect(manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      'v1 ConfigMap',
      'apps/v1 StatefulSet',
      'v1 Service',
      'policy/v1 PodDisruptionBudget',
      'autoscaling/v2 HorizontalPodAutoscaler',
      'networking.k8s.io/v1 NetworkPolicy',
    ]);
  });

  it.each(manifests.map((manifest) => [manifest.kind, manifest] as const))(
    'has a %s that matches the schema of its kind',
    async (kind, manifest) => {
      const model = await import(pathToFileURL(placeOf(manifest)).href);
      expect(() => new model[kind](manifest).validate()).not.toThrow();
      const broken = { ...manifest, metadata: { name: 7 } };
      expect(() => new model[kind](broken).validate()).toThrow();
    },
  );

  it('has no field that its kind does not know', () => {
    const file = join(folder, 'manifests.ts');
    const known = (all: readonly Manifest[]) =>
      all
        .map(
          (one, index) =>
            `import type { I${one.kind} as T${index} } from ${JSON.stringify(placeOf(one))};\n` +
            `export const m${index}: T${index} = ${JSON.stringify(one)};\n`,
        )
        .join('');
    const compile = () =>
      spawnSync(
        process.execPath,
        [
          join(root, 'node_modules/typescript/bin/tsc'),
          ...['--ignoreConfig', '--noEmit', '--strict', '--skipLibCheck', '--target', 'es2023'],
          ...['--module', 'nodenext', '--types', '', file],
        ],
        { encoding: 'utf8', cwd: folder },
      );
    writeFileSync(file, known(manifests));
    const right = compile();
    expect([right.status, right.stdout]).toEqual([0, '']);
    const set = ofKind('StatefulSet');
    writeFileSync(file, known([{ ...set, spec: { ...set.spec, replica: 2 } }]));
    expect(compile().stdout).toContain(`"replica"' does not exist`);
  });

  it('runs the service without privileges on a read-only file system, with every probe and a limit', () => {
    const [container] = ofKind('StatefulSet').spec?.template?.spec.containers ?? [];
    expect(ofKind('StatefulSet').spec?.template?.spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 65532,
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    expect(container).toMatchObject({
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      resources: { limits: { memory: '768Mi' } },
      startupProbe: { httpGet: { path: '/healthz' } },
      livenessProbe: { httpGet: { path: '/healthz' } },
      readinessProbe: { httpGet: { path: '/healthz' } },
    });
  });

  it('has no directory for core dumps', () => {
    const spec = ofKind('StatefulSet').spec?.template?.spec;
    expect(spec).toHaveProperty('volumes', [
      expect.objectContaining({ secret: expect.objectContaining({ secretName: expect.any(String) }) }),
    ]);
    expect(spec?.containers.map(({ securityContext }) => securityContext)).toEqual([
      expect.objectContaining({ readOnlyRootFilesystem: true }),
    ]);
  });

  it('contains only references to secrets, not the secrets themselves', () => {
    const text = read('deploy/kubernetes/small-business-calculator.yaml');
    const settings = Object.keys(ofKind('ConfigMap').data ?? {});
    expect(settings.filter((name) => /KEY|TOKEN|SECRET|RPC_URLS|REDIS_URL/.test(name))).toEqual([]);
    expect(manifests.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect(text).not.toMatch(/0x[0-9a-f]{64}/i);
  });

  it('gives each pod its own relayer key, and never runs two pods with the same name', () => {
    const { spec } = ofKind('StatefulSet');
    const [container] = spec?.template?.spec.containers ?? [];
    expect(container?.env).toContainEqual({ name: 'RELAYER_KEY_FILE', value: '/run/relayers/$(POD_NAME)' });
    expect(container).toMatchObject({
      volumeMounts: [{ name: 'relayers', mountPath: '/run/relayers', readOnly: true }],
    });
    expect(spec).not.toHaveProperty('strategy');
  });

  it('lets a pod stop cleanly: its grace period is the drain delay plus the drain', () => {
    const spec = ofKind('StatefulSet').spec?.template?.spec;
    const delay = Number(ofKind('ConfigMap').data?.DRAIN_DELAY_SECONDS);
    expect(spec?.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(delay + 30);
  });
});

describe('the file deploy/compose.yaml', () => {
  type Compose = { readonly services: Readonly<Record<string, { readonly ulimits?: object }>> };
  const [document] = yaml.parseAllDocuments(read('deploy/compose.yaml'), { merge: true });
  const { services } = (document?.toJS() ?? { services: {} }) as Compose;

  it('prevents core dumps in every container, because they would contain keys and input', () => {
    expect(document?.errors).toEqual([]);
    expect(Object.keys(services)).toEqual(['calc-1', 'calc-2', 'valkey', 'caddy']);
    for (const [name, { ulimits }] of Object.entries(services)) expect(ulimits, name).toEqual({ core: 0 });
  });
});

describe('every setting under deploy/', () => {
  it('is a setting of the service', () => {
    const known = new Set(
      [...read('.env.example').matchAll(/^# ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name),
    );
    const named = Object.keys(ofKind('ConfigMap').data ?? {});
    expect(known.size).toBeGreaterThan(20);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
