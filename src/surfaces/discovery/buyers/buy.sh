post() {
  curl -sS https://calc.example/v1/late-fee-notice -H 'Content-Type: application/json' \
    -d '{"amount":1250,"due_date":"2026-09-01"}' "$@"
}
required=$(post -o /dev/null -w '%header{payment-required}')
post -H "PAYMENT-SIGNATURE: $(node sign.mjs "$required")"
