import type { Operation } from '../../src/catalog/operation.ts';
import { utcDay } from '../../src/domain/calendar.ts';
import { validate } from '../../src/exchange/validate.ts';
import type { Site } from '../../src/surfaces/site.ts';
import { BASE_URL, catalog, NOON, terms } from './app.ts';

const today = utcDay(NOON);

/** A site on the real catalog that records the requests of its pages. */
export function siteOf(changes: Partial<Site> = {}) {
  const asked: Readonly<Record<string, unknown>>[] = [];
  const ask = (operation: Operation, values: Readonly<Record<string, unknown>>) => {
    asked.push(values);
    const validated = validate(operation, { values, faults: [] }, { today });
    const answer = validated.ok ? operation.run(validated.input, { today }) : null;
    return answer?.kind === 'answer' ? answer.body : null;
  };
  const site: Site = {
    baseUrl: BASE_URL,
    operations: catalog,
    ask,
    answerOf: () => null,
    beforePayingOf: () => null,
    faultsOf: () => [],
    challengeOf: ({ name }) => {
      throw new Error(`${name} is free`);
    },
    terms,
    freeRequestsPerMinute: 60,
    contactEmail: null,
    playMoneyKey: null,
    ownershipProof: null,
    didDocument: null,
    startedAt: NOON,
    ...changes,
  };
  return { site, asked };
}
