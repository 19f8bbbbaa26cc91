package model

import "slices"

// Statuses by which a service says that another server failed, or that it is not available now.
const (
	badGateway     = 502
	unavailable    = 503
	gatewayTimeout = 504
)

// IsRightServerError reports whether an answer of 500 or more is not a fault of the service. declared is true if the
// spec declares the status or its class, other than by a default response. hostFailed is true if another host failed
// while the service answered.
//
// The answer is not a fault in these cases:
//   - any status: if both declared and hostFailed are true
//   - 502, 503 and 504: if declared or hostFailed is true
//   - 503: if the answer has a Retry-After
func (r Reply) IsRightServerError(declared, hostFailed bool) bool {
	if !slices.Contains([]int{badGateway, unavailable, gatewayTimeout}, r.Status) {
		return declared && hostFailed
	}
	again := r.Header["Retry-After"]
	return declared || hostFailed || r.Status == unavailable && len(again) > 0 && again[0] != ""
}
