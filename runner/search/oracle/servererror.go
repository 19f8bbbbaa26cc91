package oracle

import (
	"cmp"
	"slices"

	"sonde/model"
)

// examineServerError checks an answer with a status of 500 or more. declared is true if the operation declares the
// status or its class, other than by a default response. A cause is a host that misbehaved during the call, or one
// whose refusal the service remembers. These answers are correct:
//   - any answer, if a database had no stub for a request
//   - an answer that model.Reply.IsRightServerError accepts, such as a declared answer or a 503 if there is a cause
//   - 507, if a file had no space
//   - 501, if the request may not have reached the operation
//
// Any other answer is a finding: of the oracle for declared errors if it is declared, of the oracle for dependencies if
// there is a cause, or else of the oracle for server errors.
func (e *examination) examineServerError(i int, op *operation, declared bool, x *model.Exchange) {
	if e.lacksReply(i) {
		return
	}
	status, cause := x.Reply.Status, cmp.Or(e.hostFailure(i), e.rememberedRefusal(i))
	f := Finding{
		Oracle:    serverError,
		Call:      i,
		Expected:  "a status below 500",
		Actual:    model.Excerpt(x.Reply.Body),
		Signature: e.signatureOf(op.ID, x.Reply, e.sentValuesOf(i)),
	}
	switch {
	case x.Reply.IsRightServerError(declared, cause != ""):
	case status == insufficientStorage && e.lacksSpace(i):
	case declared:
		f.Oracle = declaredError
		e.add(f)
	case cause != "":
		e.addDependencyError(i, cause, x.Reply)
	case status == notImplemented && !op.addressed(x.Request.URL):
	default:
		e.add(f)
	}
}

// insufficientStorage is the status by which a service says that a disk is full.
const insufficientStorage = 507

// lacksSpace reports whether there was no space for a file during a call.
func (p *playedTest) lacksSpace(call int) bool {
	return slices.ContainsFunc(p.contactsDuring(call), func(c model.Contact) bool { return c.Outcome == string(model.NetNoSpace) })
}
