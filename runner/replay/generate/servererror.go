package generate

import (
	"slices"

	"sonde/model"
)

// isServerFault reports whether the answer is a server error that is most likely a fault of the service. If a host
// failed, a server error that the spec declares is no fault, and neither is a 502, 503 or 504. Without a failed host, a
// declared 502, 503 or 504 is no fault, nor is a 503 with Retry-After.
func (r *recordedExchange) isServerFault() bool {
	status := r.Reply.Status
	if status < 500 {
		return false
	}
	response, _ := r.op.Response(status)
	declared := response != nil && !response.Default()
	hostFailed := slices.ContainsFunc(r.outward, (*outwardCall).hostFailed)
	switch {
	case status >= 502 && status <= 504:
		return !declared && !hostFailed && (status != 503 || headerValue(r.Reply.Header, "Retry-After") == "")
	case declared:
		return !hostFailed
	}
	return true
}

// hostFailed reports whether the host gave no answer, or a server error.
func (o *outwardCall) hostFailed() bool {
	return o.Err != nil || o.Protocol == model.HTTP && o.Reply.Status >= 500
}
