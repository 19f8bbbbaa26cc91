package export

import "sonde/model"

// pay returns a test of the operation that calls the payment provider.
func pay(id string, status int, stubs ...model.Stub) model.Test {
	return one(id, "POST /orders/17/payments", status, stubs...)
}

func one(id string, op model.OpID, status int, stubs ...model.Stub) model.Test {
	return model.Test{ID: id, Calls: []model.Call{{Op: op, Status: status}}, Stubs: stubs}
}

func answering(host string, p model.Protocol, answers ...model.Answer) model.Stub {
	return model.Stub{Host: host, Protocol: p, Answers: answers}
}

func paying(answers ...model.Answer) model.Stub {
	s := answering("payments.example:80", model.HTTP, answers...)
	s.Match = model.StubMatch{Method: "POST", Path: "/charge"}
	return s
}
