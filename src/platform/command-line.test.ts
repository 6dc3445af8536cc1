import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadEnvFile } from './command-line.ts';

const names = ['ENV_FILE_TEST_A', 'ENV_FILE_TEST_B', 'ENV_FILE_TEST_C'];
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'env-file-'));
  file = join(folder, '.env');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const name of names) delete process.env[name];
});

test('the variables of a .env file are added to the environment, which takes precedence even if a value there is empty', () => {
  process.env.ENV_FILE_TEST_A = 'real';
  process.env.ENV_FILE_TEST_B = '';
  writeFileSync(file, '# ours\nENV_FILE_TEST_A=file\nENV_FILE_TEST_B=file\nENV_FILE_TEST_C="a # b"\n');
  expect(loadEnvFile(file)).toBeNull();
  expect(names.map((name) => process.env[name])).toEqual(['real', '', 'a # b']);
});

test('a missing .env file is not a fault', () => {
  expect(loadEnvFile(file)).toBeNull();
});

test('a .env file that an operator names must exist', () => {
  expect(loadEnvFile(file, { mustExist: true })).toBe(
    `The file ${file} cannot be read: it must be a readable text file of NAME=value lines.`,
  );
  writeFileSync(file, 'ENV_FILE_TEST_A=named\n');
  expect(loadEnvFile(file, { mustExist: true })).toBeNull();
  expect(process.env.ENV_FILE_TEST_A).toBe('named');
});

test('a .env file that cannot be read is a fault, which does not quote the path', () => {
  mkdirSync(file);
  expect(loadEnvFile(file)).toMatch(/^The file \.env exists but cannot be read:/);
  expect(loadEnvFile(file)).not.toContain(folder);
});
