// Command flat is a service for studies: conversions, money, dates and texts. No operation needs
// another one, no user is needed, and the service has no state.
package main

import "sonde/runner/testdata/services/serve"

func main() {
	serve.Main([]serve.Operation{
		{Pattern: "GET /units", Do: listUnits},
		{Pattern: "GET /units/{code}", Do: getUnit},
		{Pattern: "GET /convert", Do: convert},
		{Pattern: "GET /currencies", Do: listCurrencies},
		{Pattern: "GET /rates/{base}", Do: getRates},
		{Pattern: "POST /exchange", Do: exchange},
		{Pattern: "GET /calendar/{year}/{month}", Do: getMonth},
		{Pattern: "GET /workdays", Do: countWorkdays},
		{Pattern: "POST /text/slug", Do: slug},
		{Pattern: "POST /text/compare", Do: compare},
		{Pattern: "POST /loans/plan", Do: plan},
		{Pattern: "POST /checks/{scheme}", Do: check},
	}, func() {})
}
