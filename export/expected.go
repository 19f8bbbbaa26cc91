package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"sonde/model"
)

// checkMock returns the first inconsistency of a recorded exchange as an error of one line, or nil.
func checkMock(t model.Test) error {
	m := t.Mock
	if m.Call < 0 || m.Call != last(t) {
		return fmt.Errorf("it replays call %d, which is not the last that was sent", m.Call)
	}
	if err := checkExpected(m.Output, t, model.InStatus, model.InHeader, model.InTrailer, model.InBody); err != nil {
		return err
	}
	for i, w := range m.ExpectedCalls {
		if w.Stub < 0 || w.Stub >= len(t.Stubs) {
			return fmt.Errorf("outward call %d wants stub %d of %d", i, w.Stub, len(t.Stubs))
		}
		if s := t.Stubs[w.Stub]; s.Inward || s.Protocol == model.DNS || s.Protocol == model.Environment {
			return fmt.Errorf("outward call %d wants the stub of %.60q, which does not answer outward calls", i, s.Host)
		}
		places := []model.Location{model.InMessage}
		switch p := t.Stubs[w.Stub].Protocol; {
		case p == model.HTTP:
			places = []model.Location{model.InHeader, model.InQuery, model.InPath, model.InBody}
		case p.IsDatabase():
			places = []model.Location{model.InBody}
		}
		if err := checkExpected(w.Params, t, places...); err != nil {
			return err
		}
	}
	return nil
}

// checkExpected returns an error if expected values cannot be compared. Their locations must be among
// places.
func checkExpected(all []model.Expectation, t model.Test, places ...model.Location) error {
	for _, e := range all {
		err := checkExpectation(e, t)
		if !slices.Contains(places, e.In) {
			err = errors.New("is in a part that the message does not have")
		}
		if err != nil {
			return fmt.Errorf("the expected value in the %.20s at %.60q %w", e.In, e.Name, err)
		}
	}
	return nil
}

// comparisons are the comparisons that exported tests support.
var comparisons = []model.Comparison{
	model.CompareEquals, model.CompareLinked, model.ComparePresent, model.CompareType, model.ComparePattern, model.CompareNear,
}

// checkExpectation returns an error if an expected value cannot be compared. The error is a predicate, such
// as "is not JSON".
func checkExpectation(e model.Expectation, t model.Test) error {
	text, isText := textOf(&e)
	badPattern := model.CheckRegexp("^(?:" + text + ")$")
	_, badIndex := strconv.ParseUint(e.Name, 10, 16)
	switch {
	case !slices.Contains(comparisons, e.Comparison):
		return fmt.Errorf("has the unknown comparison %.20q", e.Comparison)
	case e.Comparison == model.CompareEquals && len(e.Bytes) == 0 && !json.Valid(e.Value):
		return fmt.Errorf("is %.60q, which is not JSON", e.Value)
	case e.Comparison == model.CompareLinked && (e.In == model.InStatus || e.Link == nil || e.Link.From < 0 ||
		e.Link.From >= t.Mock.Call || t.Calls[e.Link.From].Status == 0 || e.Link.IsOpen()):
		return fmt.Errorf("is not linked to a call before the one under test")
	case (e.Comparison == model.CompareType || e.Comparison == model.ComparePattern) && !isText:
		return fmt.Errorf("is %.60q, which is not a string", e.Value)
	case e.Comparison == model.ComparePattern && badPattern != nil:
		return fmt.Errorf("has an invalid pattern: %w", badPattern)
	case e.Comparison == model.CompareNear && (e.Within < 0 || math.IsNaN(e.Within) || math.IsInf(e.Within, 0)):
		return fmt.Errorf("is within %v", e.Within)
	case e.In == model.InMessage && badIndex != nil:
		return fmt.Errorf("is not the index of a message: give a number from 0")
	}
	return nil
}
