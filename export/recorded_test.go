package export

import (
	"encoding/json"

	"sonde/model"
)

func expect(in model.Location, name string, like model.Comparison, value, why string) model.Expectation {
	e := model.Expectation{In: in, Name: name, Comparison: like, Why: why}
	if value != "" {
		e.Value = json.RawMessage(value)
	}
	return e
}

// ofOrder returns the expectation that a value equals /id in the answer to the first call.
func ofOrder(in model.Location, name string) model.Expectation {
	return model.Expectation{In: in, Name: name, Comparison: model.CompareLinked, Link: &model.Link{From: 0, Pointer: "/id"}}
}

// paidOrder returns a test of a recorded payment of an order.
func paidOrder() model.Test {
	rate := func(name, answer string) model.Stub {
		return model.Stub{
			Host:     "payments.example:80",
			Protocol: model.HTTP,
			Match:    model.StubMatch{Method: "GET", Path: "/rates/" + name},
			Answers:  []model.Answer{{Body: answer}},
		}
	}
	return model.Test{
		ID: "r1", Origin: model.OriginRecorded,
		Calls: []model.Call{
			{Op: "POST /orders", Status: 201},
			{Op: "POST /orders/{id}/payment", Args: []model.Arg{inPath("id", "o1")}, Body: jsonBody(`{"card":"4242"}`), Status: 201},
		},
		Links: []model.Link{{From: 0, To: 1, Pointer: "/id", In: model.InPath, Name: "id"}},
		Stubs: []model.Stub{
			{
				Host:     "stock.example:7000",
				Protocol: model.TCP,
				Match:    model.StubMatch{Prefix: "LEVEL"},
				Answers:  []model.Answer{{Body: "17\n"}},
			},
			{Host: "metrics.example:8125", Protocol: model.UDP, Match: model.StubMatch{Equals: "order:1|c"}, Answers: []model.Answer{{}}},
			{
				Host:     "stock.example:7000",
				Protocol: model.TCP,
				Match:    model.StubMatch{Prefix: "TAKE"},
				Answers:  []model.Answer{{Body: "ok\n"}},
			},
			{
				Host: "payments.example:80", Protocol: model.HTTP, Match: model.StubMatch{
					Method: "POST",
					Path:   "/charges/{id}",
					Query:  map[string]string{"dry": "0"},
					JSON:   `{"amount":25}`,
				},
				Answers: []model.Answer{{Status: 503}, {Body: `{"receipt":"r-17"}`}},
			},
			rate("eur", `{"rate":1}`), rate("usd", `{"rate":1.1}`),
			{Host: "metrics.example:8125", Protocol: model.UDP, Match: model.StubMatch{Equals: "pay:1|c"}, Answers: []model.Answer{{}}},
		},
		Mock: &model.MockTest{
			About:    "POST /orders/{id}/payment with a card: charges payments.example twice and answers 201",
			Exchange: "e1",
			Call:     1,
			Before:   2,
			Output: []model.Expectation{
				expect(model.InStatus, "", model.CompareEquals, "201", ""),
				expect(model.InHeader, "Content-Type", model.CompareEquals, `"application/json"`, ""), ofOrder(model.InBody, "/order"),
				expect(
					model.InHeader, "Location", model.ComparePattern, `"/orders/o\\d+/payment"`,
					"came as /orders/o1/payment, then /orders/o2/payment",
				),
				expect(
					model.InBody, "", model.CompareEquals,
					`{"order":"o1","receipt":"r-17","amount":25,"paidAt":"2026-11-22T19:00:00Z","number":17}`, "",
				),
				{
					In:         model.InBody,
					Name:       "/paidAt",
					Comparison: model.CompareNear,
					Value:      json.RawMessage(`"2026-11-22T19:00:00Z"`),
					Within:     2,
					Why:        "came as 19:00:00, then 19:00:01: the service's clock",
				},
				expect(model.InBody, "/number", model.CompareType, `"integer"`, "came as 17, then 18"),
			},
			ExpectedCalls: []model.ExpectedCall{
				{
					Stub: 2,
					Params: []model.Expectation{
						expect(model.InMessage, "0", model.ComparePattern, `"TAKE o\\d+\\n"`, "came as TAKE o1, then TAKE o2"),
					},
					Phase: 0,
				},
				{Stub: 3, Params: charged(), Phase: 1},
				{Stub: 3, Params: charged(), Phase: 2},
				{Stub: 4, Phase: 3},
				{Stub: 5, Phase: 3},
				{Stub: 6, Params: []model.Expectation{expect(model.InMessage, "0", model.CompareEquals, `"pay:1|c"`, "")}, Phase: 4},
			},
		},
	}
}

func charged() []model.Expectation {
	return []model.Expectation{
		expect(model.InBody, "", model.CompareEquals, `{"amount":25,"nonce":17,"order":"o1"}`, ""), ofOrder(model.InBody, "/order"),
		expect(model.InBody, "/nonce", model.ComparePresent, "", "came as 17, then 18"),
		expect(model.InQuery, "dry", model.CompareEquals, `"0"`, ""), ofOrder(model.InPath, "id"),
	}
}

// about returns a test of a recorded call during which the service calls no host.
func about() model.Test {
	return model.Test{
		ID: "r2", Origin: model.OriginRecorded, Calls: []model.Call{{Op: "GET /about", Status: 200}},
		Mock: &model.MockTest{
			About:    "GET /about: answers 200",
			Exchange: "e2",
			Output: []model.Expectation{
				expect(model.InTrailer, "X-Lines", model.CompareEquals, `"1"`, ""),
				expect(model.InBody, "", model.CompareEquals, `"a till\n"`, ""),
			},
		},
	}
}

// till returns a suite for the service that takes payments. Its hosts are servers of the tests.
func till() Suite {
	return Suite{
		Title: "Till", BaseURL: "http://127.0.0.1:{port}", Local: true, Tests: []model.Test{paidOrder(), about()},
		Service: &model.Service{
			Command: []string{
				"./till", "--addr", "127.0.0.1:{port}", "--payments=http://payments.example", "--stock",
				"stock.example:7000",
			},
			Env: map[string]string{"METRICS": "metrics.example:8125"},
		},
	}
}

// mimicsGolden returns the suite of till with all oracles in one function.
func mimicsGolden() Suite {
	s := till()
	s.CombineOracles, s.Reset = true, &model.Reset{Restart: true}
	return s
}
