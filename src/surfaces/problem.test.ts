import { describe, expect, it } from 'vitest';
import { faultSummary, problem, problemPath, problemTypes } from './problem.ts';

const fault = (pointer: string, detail: string, code = 'x') => ({ pointer, code, detail });

describe('the table of problems', () => {
  it('has every code once, with an error status, an explanation and a page', () => {
    const codes = problemTypes.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    for (const { code, status, title, meaning, remedy } of problemTypes) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
      expect(title).toMatch(/^[A-Z][^.<>&]{5,60}$/);
      expect(meaning).toMatch(/^[A-Z][^<>&]+\.$/);
      expect(remedy).toMatch(/^[A-Z][^<>&]+\.$/);
      expect(problemPath(code)).toMatch(/^\/problems\/[a-z-]+$/);
    }
  });

  it('has the statuses of the specification, and two more for connections', () => {
    const statuses = new Set(problemTypes.map(({ status }) => status));
    expect([...statuses].sort()).toEqual([400, 402, 404, 405, 408, 409, 413, 415, 429, 431, 500, 503]);
    const conflicts = problemTypes.filter(({ status }) => status === 409).map(({ code }) => code);
    for (const state of ['waiting', 'rejected_or_not_received', 'analysis_failed'])
      expect(conflicts).toContain(state);
  });
});

describe('a problem', () => {
  it('has the members of RFC 9457 and our own', () => {
    const errors = [fault('/amount', 'is required', 'required')];
    expect(problem('https://calc.example', 'invalid_input', 'Two.', errors)).toEqual({
      type: 'https://calc.example/problems/invalid-input',
      title: 'Invalid input',
      status: 400,
      code: 'invalid_input',
      detail: 'Two.',
      charged: false,
      errors,
    });
  });

  it('explains its meaning and the fix if there is no other detail', () => {
    const { meaning, remedy } = problemTypes.find(({ code }) => code === 'unsupported_media_type') ?? {};
    expect(problem('', 'unsupported_media_type')).toMatchObject({ detail: `${meaning} ${remedy}` });
    expect(problem('', 'not_found')).not.toHaveProperty('errors');
  });
});

describe('a summary of the faults', () => {
  it('names the first three and counts the rest', () => {
    const faults = [1, 2, 3, 4, 5].map((number) => fault(`/f${number}`, 'is required'));
    expect(faultSummary(faults.slice(0, 1))).toMatch(/^\/f1 is required\. .*\.$/);
    expect(faultSummary(faults)).toMatch(
      /^\/f1 is required; \/f2 is required; \/f3 is required; .*\b2\b.*\. /,
    );
  });

  it('is about the input if no field is at fault', () => {
    expect(faultSummary([fault('', 'is too much')])).toMatch(/\binput is too much\. /);
  });

  it('does not count faults that were left out', () => {
    const faults = [1, 2, 3, 4, 5].map((number) => fault(`/f${number}`, 'is required'));
    expect(faultSummary([...faults, fault('', 'has 200 more faults', 'more_faults')])).toMatch(
      /; .*\bover 2\b/,
    );
  });
});
