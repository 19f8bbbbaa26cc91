package oracle

import (
	"sonde/model"
)

// judgeServerError judges an answer of 500 or more. Declared means that the operation declares the status
// or its class; a default response declares none.
func (v *verdict) judgeServerError(i int, op *operation, declared bool, x *model.Exchange) {
	status, cause := x.Reply.Status, v.hostFailure(i)
	f := Finding{
		Oracle:    serverError,
		Call:      i,
		Expected:  "a status below 500",
		Actual:    model.Excerpt(x.Reply.Body),
		Signature: v.signatureOf(op.ID, x.Reply, v.sentValuesOf(i)),
	}
	switch {
	case isGatewayStatus(status) && (declared || cause != ""):
	case declared:
		f.Oracle = declaredError
		v.add(f)
	case cause != "":
		v.addDependencyError(i, cause, x.Reply)
	case status == notImplemented && !op.addressed(x.Request.URL):
	case status == unavailable && first(x.Reply.Header, "Retry-After") != "":
	default:
		v.add(f)
	}
}

// isGatewayStatus reports whether a status says that another server, or the service for now, is not
// available. If the spec declares it, or another host misbehaves, it is the right answer.
func isGatewayStatus(status int) bool { return status >= 502 && status <= 504 }
