/**
 * The specification as data: every clause with an id, its sentence, and whether a test proves it. The gate fails for a
 * proven clause that no test cites, and for a later one that a test already does.
 */
export type Clause = { readonly id: string; readonly says: string; readonly state: 'proven' | 'later' };

const proven = (id: string, says: string): Clause => ({ id, says, state: 'proven' });

export const clauses = [
  proven('1-json', 'The service offers its helpers over HTTP and returns JSON.'),
  proven('1-no-account', 'No account is needed.'),
  proven('1-nothing-stored', 'Nothing a caller sends is stored.'),
  proven('2.1-amount', 'amount is required and numeric.'),
  proven('2.1-due-date', 'due_date is required, YYYY-MM-DD.'),
  proven('2.1-paid-date', 'paid_date is optional, YYYY-MM-DD, today by default.'),
  proven('2.1-rate', 'rate is an optional number, 1.5 by default.'),
  proven('2.1-rate-type', 'rate_type is monthly_percent, annual_percent, daily_percent or flat.'),
  proven('2.1-grace-days', 'grace_days is an optional number of days.'),
  proven('2.1-tone', 'tone is polite, firm or final, on the notice only.'),
  proven(
    '2.1-names',
    'client_name, business_name and invoice_number are optional free text, on the notice only.',
  ),
  proven(
    '2.1-free-subset',
    'The free endpoint takes amount, due_date, paid_date, rate, rate_type and grace_days.',
  ),
  proven('2.2-items', 'items is a required array of objects.'),
  proven('2.2-item-fields', 'An item has description, quantity (both optional) and unit_price (required).'),
  proven('2.2-percents', 'tax_percent, discount_percent and deposit_percent are optional numbers.'),
  proven('2.2-validity', 'valid_days is optional; a quote holds that many days.'),
  proven('2.2-currency', 'currency is optional text.'),
  proven(
    '2.2-pack-fields',
    'business_name, better_markup_percent and best_markup_percent are for the pack only.',
  ),
  proven('2.3-business-type', 'business_type is required, one of eight.'),
  proven('2.3-needs', 'needs are extra category slugs, comma separated.'),
  proven('2.3-team-size', 'team_size is optional.'),
  proven('2.3-free-only', 'free_only is true or false.'),
  proven('2.4-category', 'category filters the directory to one category.'),
  proven('2.5-notice', 'The notice holds the fee and a reminder with a subject and a body.'),
  proven('2.5-pack', 'The pack holds three options, a deposit, a validity date, terms and a cover note.'),
  proven('2.5-report', 'The report names one tool per need with quote, check date, alternatives, caveats.'),
  proven('2.5-free', 'Free endpoints answer quote totals or a late fee as JSON.'),
  proven('2.5-content-type', 'A successful paid response has content type application/json.'),
  proven('3-challenged', 'A valid unpaid call of a paid endpoint is answered 402 with PAYMENT-REQUIRED.'),
  proven('3-rejected', 'An invalid call of a paid endpoint is answered 400 and never charged.'),
  proven('3-settled', 'A valid payment is answered 200 with PAYMENT-RESPONSE and a JSON body.'),
  proven('3-failed', 'An upstream failure is answered 5xx and the payment is not settled.'),
  proven('3-waiting', '409 waiting: the report is not ready; never charged again.'),
  proven('3-rejected-or-not-received', '409 rejected_or_not_received: never charged.'),
  proven('3-analysis-failed', '409 analysis_failed: never charged.'),
  proven('4-late-fee-notice', 'GET /v1/late-fee-notice costs USD 0.01.'),
  proven('4-quote-pack', 'POST /v1/quote-pack costs USD 0.05.'),
  proven('4-stack-report', 'GET /v1/stack-report costs USD 1.'),
  proven('4-quote', 'POST /v1/quote is free.'),
  proven('4-late-fee', 'GET /v1/late-fee is free: simple interest or a flat fee.'),
  proven('4-tools', 'GET /v1/tools is free.'),
  proven('4-mcp', 'POST /mcp offers MCP over streamable HTTP, stateless.'),
  proven('4-rule-402', 'Paid endpoints respond 402 when no valid payment accompanies the call.'),
  proven('4-rule-400', 'Invalid input on a paid endpoint yields 400 and no charge.'),
  proven('4-rule-tools', 'The seven MCP tools have the names of the specification.'),
  proven('5-no-credentials', 'No accounts, no API keys; free endpoints need no credential.'),
  proven('5-x402', 'x402 version 2, scheme exact, USDC on eip155:8453, one recipient, fixed prices.'),
  proven('5-payment-signature', 'The client sends an EIP-3009 authorization in PAYMENT-SIGNATURE.'),
  proven('5-payment-response', 'The success response carries PAYMENT-RESPONSE.'),
  proven('5-mcp-meta', 'Paid MCP tools carry the payment data in _meta.'),
  proven('7-400', '400 invalid input: never charged.'),
  proven('7-402', '402 payment required: not charged.'),
  proven('7-404', '404: never charged.'),
  proven('7-409', '409: never charged.'),
  proven('7-429', '429: the free-endpoint rate limit is exceeded.'),
  proven('7-5xx', '5xx: not settled.'),
  proven('8-rate', '30 free requests per minute per IP, 429 after.'),
  proven('8-prices', 'USD 0.01, 0.05 and 1 per call.'),
  proven('9-v1', 'Endpoints carry a /v1 path prefix.'),
  proven('9-openapi', 'The description follows OpenAPI 3.1.0 with API version 1.0.0.'),
  proven('9-payment-version', 'The payment protocol version is 2.'),
  proven('0-documents', '/openapi.json, /.well-known/x402, api-catalog, llms.txt and sitemap.xml exist.'),
] as const satisfies readonly Clause[];

export type ClauseId = (typeof clauses)[number]['id'];

/** Marks a test as the proof of clauses: `it(proves('8-rate', 'lets 30 pass'), …)`. */
export const proves = (ids: ClauseId | readonly ClauseId[], title: string): string =>
  `${title} [${([] as string[]).concat(ids as string | string[]).join(', ')}]`;
