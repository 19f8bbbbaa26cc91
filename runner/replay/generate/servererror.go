package generate

import (
	"slices"

	"sonde/model"
)

// isServerFault reports whether the answer is a server error that is most likely a fault of the service.
func (r *recordedExchange) isServerFault() bool {
	response, _ := r.op.Response(r.Reply.Status)
	declared := response != nil && !response.Default()
	hostFailed := slices.ContainsFunc(r.outward, (*outwardCall).hostFailed)
	return r.Reply.Status >= 500 && !r.Reply.IsRightServerError(declared, hostFailed)
}

// hostFailed reports whether the host gave no answer, or a server error.
func (o *outwardCall) hostFailed() bool {
	return o.Err != nil || o.Protocol == model.HTTP && o.Reply.Status >= 500
}
