package record

import (
	"sonde/assets/wire"
	"sonde/model"
)

// withGRPCText returns an outward exchange whose bodies have JSON instead of messages of gRPC, so that their fields can
// be masked and compared. A body does not change if it is incomplete, or if one of its messages cannot be converted to
// JSON.
func withGRPCText(x model.Exchange) model.Exchange {
	x.Request.Body = grpcText(x.Request.Header, x.Request.Body)
	x.Reply.Body = grpcText(x.Reply.Header, x.Reply.Body)
	return x
}

func grpcText(header map[string][]string, body []byte) []byte {
	if !wire.IsGRPC(headerValue(header, "Content-Type")) {
		return body
	}
	if text, ok := wire.GRPCToJSON(body); ok {
		return []byte(text)
	}
	return body
}
