package generate

import (
	"regexp"
	"slices"
	"strings"

	"sonde/model"
)

// addressForm is a regular expression for e-mail addresses. The pseudonym of an address has this form, too.
const addressForm = `[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`

var addressPattern = regexp.MustCompile(addressForm)

// isMasked reports whether the recording has a pseudonym in place of a value: a secret, or a text with an e-mail address.
func (r *recordingIndex) isMasked(l leaf) bool {
	return slices.Contains(r.rec.Masks, "secret") && isSecretName(l.lastName()) ||
		slices.Contains(r.rec.Masks, "email") && addressPattern.MatchString(l.text())
}

// whyMasked is the reason why a text with an address of the service itself is compared loosely.
const whyMasked = "an e-mail address of the service, which was masked"

// isMaskedAddress reports whether an e-mail address in a part of x was masked by the recorder and belongs to the
// service: the test does not send the address to the service, and no host answers it. The service has such an address
// from its configuration or its database. So in a test the service uses the real address, which the recording does not
// have.
func (b *testBuilder) isMaskedAddress(x *recordedExchange, part int, address string) bool {
	if !slices.Contains(b.rec.Masks, "email") || isFromStub(x, part, leaf{value: address}) {
		return false
	}
	return !slices.ContainsFunc(b.calls, func(call *recordedExchange) bool {
		return slices.ContainsFunc(call.requestValues, func(l leaf) bool { return strings.Contains(l.text(), address) }) ||
			isFromStub(call, answerPart, leaf{value: address})
	})
}

// keepsMasked reports whether an expectation is loose because of a masked address.
func keepsMasked(e model.Expectation) bool { return strings.Contains(e.Why, whyMasked) }
