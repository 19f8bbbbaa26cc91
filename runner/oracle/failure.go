package oracle

import (
	"sonde/model"
)

// serverError judges an answer of 500 or more. Declared means that the spec declares
// the status for the operation, by itself or by its class: a default response is
// about any status and promises none.
func (v *verdict) serverError(i int, op *operation, declared bool, x *model.Exchange) {
	status, cause := x.Reply.Status, v.cause(i)
	f := Finding{
		Oracle: serverError, Call: i, Expected: "a status below 500", Came: model.Excerpt(x.Reply.Body),
		Signature: v.signed(op.ID, x.Reply, v.echoOf(i)),
	}
	switch {
	case gateway(status) && (declared || cause != ""):
	case declared:
		f.Oracle = declaredError
		v.add(f)
	case cause != "":
		v.dependency(i, cause, x.Reply)
	case status == notImplemented && !op.addressed(x.Request.URL):
	case status == unavailable && first(x.Reply.Header, "Retry-After") != "":
	default:
		v.add(f)
	}
}

// gateway reports whether a status says that something behind the service, or the
// service for now, is not available. Where the spec declares it, or a host outside
// misbehaves, it is the right answer.
func gateway(status int) bool { return status >= 502 && status <= 504 }
