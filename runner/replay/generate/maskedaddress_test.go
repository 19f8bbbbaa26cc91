package generate_test

import (
	"slices"
	"testing"

	"sonde/model"
	"sonde/runner/replay/generate"
)

// If the test does not send an address, and no host answers it, the address is the service's own. The recording has a
// pseudonym in its place, so that tests expect any address there. Other addresses are compared.
func TestMaskedAddresses(t *testing.T) {
	const own, guest, partner = "qxzv@wkep.example", "bnrt@hjsd.example", "plmo@uytr.example"
	first := sentTo("rules.example:80", "GET", "/partner", "", 200, `{"partner":"`+partner+`"}`)
	second := sentTo(
		"mail.example:80", "POST", "/mails",
		`{"from":"`+own+`","to":"`+guest+`","copy":"`+partner+`","text":"Reply to `+own+`."}`, 200, `{}`,
	)
	x := served("POST", "/guests", `{"email":"`+guest+`"}`, 200, `{"email":"`+guest+`","contact":"`+own+`"}`, first, second)
	for _, c := range []struct {
		masks            []string
		inMail, inAnswer []string // the pointers of the values that are compared loosely
	}{
		{masks: []string{"email"}, inMail: []string{"/from", "/text"}, inAnswer: []string{"/contact"}},
		{masks: []string{"card"}},
	} {
		rec := model.Recording{Served: []model.ServedRequest{x}, Masks: c.masks}
		s := generate.Tests(rec, spec("POST /guests"), generate.Options{})
		if len(s.Tests) != 1 {
			t.Fatalf("%d tests, skipped %+v", len(s.Tests), s.Skipped)
		}
		mock := s.Tests[0].Mock
		if got := patterns(mock.ExpectedCalls[1].Params); !slices.Equal(got, c.inMail) {
			t.Errorf("masks %q: the mail has patterns at %q, want %q", c.masks, got, c.inMail)
		}
		if got := patterns(mock.Output); !slices.Equal(got, c.inAnswer) {
			t.Errorf("masks %q: the answer has patterns at %q, want %q", c.masks, got, c.inAnswer)
		}
	}
}

// patterns returns the sorted pointers of the values in a body that are compared with patterns.
func patterns(all []model.Expectation) (pointers []string) {
	for _, e := range all {
		if e.In == model.InBody && e.Comparison == model.ComparePattern {
			pointers = append(pointers, e.Name)
		}
	}
	slices.Sort(pointers)
	return pointers
}
