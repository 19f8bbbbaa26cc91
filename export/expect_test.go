package export

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"sonde/model"

	"pgregory.net/rapid"
)

// anyMimic draws a MockTest for test. The last call of test must have been sent.
func anyMimic(test model.Test) *rapid.Generator[*model.MockTest] {
	return rapid.Custom(func(t *rapid.T) *model.MockTest {
		call := last(test)
		m := &model.MockTest{
			About:       text().Draw(t, "about"),
			Exchange:    text().Draw(t, "exchange"),
			Call:        call,
			Before:      rapid.IntRange(0, 3).Draw(t, "before"),
			OwnSessions: rapid.Bool().Draw(t, "own"),
			Output: rapid.SliceOfN(
				anyExpected(call, model.InStatus, model.InHeader, model.InBody, model.InBody), 0, 4,
			).Draw(t, "output"),
			Uncertain: rapid.Bool().Draw(t, "uncertain"),
		}
		for range rapid.IntRange(0, len(test.Stubs)).Draw(t, "wanted") {
			w := model.ExpectedCall{
				Stub:  rapid.IntRange(0, len(test.Stubs)-1).Draw(t, "stub"),
				Phase: rapid.IntRange(0, 2).Draw(t, "phase"),
			}
			places := []model.Location{model.InMessage}
			if test.Stubs[w.Stub].Protocol == model.HTTP {
				places = []model.Location{model.InHeader, model.InQuery, model.InPath, model.InBody, model.InBody}
			}
			w.Params = rapid.SliceOfN(anyExpected(call, places...), 0, 4).Draw(t, "params")
			m.ExpectedCalls = append(m.ExpectedCalls, w)
		}
		return m
	})
}

func anyExpected(call int, places ...model.Location) *rapid.Generator[model.Expectation] {
	return rapid.Custom(func(t *rapid.T) model.Expectation {
		e := model.Expectation{
			In:   rapid.SampledFrom(places).Draw(t, "in"),
			Name: rapid.OneOf(text(), rapid.SampledFrom([]string{"", "", "Location"})).Draw(t, "name"),
			Comparison: rapid.SampledFrom([]model.Comparison{
				model.CompareEquals, model.ComparePresent, model.CompareType, model.ComparePattern, model.CompareNear, model.CompareLinked,
			}).Draw(t, "like"),
			Why: text().Draw(t, "why"), Within: rapid.Float64Min(0).Draw(t, "within"),
		}
		if e.In == model.InMessage {
			e.Name = "1"
		}
		e.Value = rapid.OneOf(
			anyEquals(), rapid.Map(text(), func(s string) json.RawMessage { b, _ := json.Marshal(s); return b }),
		).Draw(t, "value")
		if e.Comparison == model.CompareEquals {
			e.Bytes = rapid.SliceOfN(rapid.Byte(), 0, 3).Draw(t, "bytes")
		}
		if call > 0 {
			e.Link = &model.Link{
				From:    rapid.IntRange(0, call-1).Draw(t, "from"),
				Header:  text().Draw(t, "header"),
				Pointer: text().Draw(t, "pointer"),
				Param:   text().Draw(t, "param"),
			}
		}
		return e
	})
}

func TestMimicsAreSound(t *testing.T) {
	leaveOutTypeChecks(t)
	for _, together := range []bool{false, true} {
		s := till()
		s.CombineOracles = together
		wantSound(t, s)
		s.Oracles = []model.MockOracle{model.CallOracle}
		wantSound(t, s)
		s.Local, s.Oracles = false, nil
		s.Tests[0].Stubs, s.Tests[0].Mock.ExpectedCalls = nil, nil
		wantSound(t, s)
	}
	checkSome(t, func(t *rapid.T) {
		s := anySuite().Draw(t, "suite")
		s.CombineOracles = rapid.Bool().Draw(t, "together")
		s.Oracles = rapid.SliceOfNDistinct(rapid.SampledFrom(model.MockOracles), 0, 3, rapid.ID).Draw(t, "oracles")
		for i, test := range s.Tests {
			if last(test) >= 0 && rapid.Bool().Draw(t, "mimics") {
				s.Tests[i].Mock = anyMimic(test).Draw(t, "mimic")
			}
		}
		wantSound(t, s)
	})
}

func TestFunctionsOfRecordedTests(t *testing.T) {
	for name, c := range map[string]struct {
		change func(s *Suite)
		want   []string
	}{
		"all oracles": {
			change: func(*Suite) {},
			want: []string{
				"CreatePayment_201_OO", "CreatePayment_201_PO", "CreatePayment_201_CO", "GetAbout_200_OO", "GetAbout_200_CO",
			},
		},
		"outward calls in an uncertain order": {
			change: func(s *Suite) { s.Tests[0].Mock.Uncertain = true },
			want:   []string{"CreatePayment_201_OO", "CreatePayment_201_PO", "GetAbout_200_OO", "GetAbout_200_CO"},
		},
		"one oracle": {
			change: func(s *Suite) { s.Oracles = []model.MockOracle{model.ParameterOracle} },
			want:   []string{"CreatePayment_201_PO"},
		},
		"no hosts": {
			change: func(s *Suite) { s.Tests = s.Tests[1:] },
			want:   []string{"GetAbout_200_OO"},
		},
		"the same test twice": {
			change: func(s *Suite) { s.Tests = []model.Test{s.Tests[0], s.Tests[0]} },
			want: []string{
				"CreatePayment_201_OO", "CreatePayment_201_PO", "CreatePayment_201_CO",
				"CreatePayment_201_2_OO", "CreatePayment_201_2_PO", "CreatePayment_201_2_CO",
			},
		},
		"together": {
			change: func(s *Suite) { s.CombineOracles = true },
			want:   []string{"CreatePayment_201", "GetAbout_200"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := till()
			c.change(&s)
			text, err := GoFile(s)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, line := range strings.Split(string(text), "\n") {
				if name, ok := strings.CutPrefix(line, "func Test"); ok && !strings.HasPrefix(name, "Main") {
					got = append(got, strings.TrimSuffix(name, "(t *testing.T) {"))
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// A body that is null is compared as JSON, not as an empty text.
func TestNullBodyOfRecordedTest(t *testing.T) {
	for value, want := range map[string]string{"null": "body(`null`)", `""`: "text(``)", `"null"`: "text(`null`)"} {
		all := expectations{}.calls(
			[]model.Expectation{{In: model.InBody, Comparison: model.CompareEquals, Value: json.RawMessage(value)}},
			map[string]string{"body": "body", "text": "text"},
		)
		if len(all) != 1 || strings.NewReplacer("\"", "`").Replace(goWriter{}.call(all[0], 0)) != want {
			t.Errorf("%s is compared by %+v, want %s", value, all, want)
		}
	}
}

func TestInconsistentRecordedTests(t *testing.T) {
	output := func(in model.Location, name string, by model.Comparison, value string) func(m *model.MockTest) {
		return func(m *model.MockTest) { m.Output[0] = expect(in, name, by, value, "") }
	}
	for want, change := range map[string]func(m *model.MockTest){
		"it replays call 0, which is not the last that was sent": func(m *model.MockTest) { m.Call = 0 },
		"outward call 0 wants stub 9 of 7":                       func(m *model.MockTest) { m.ExpectedCalls[0].Stub = 9 },
		`the expected value in the query at "a" is in a part that the message does not have`: output(
			model.InQuery, "a", model.ComparePresent, "",
		),
		`the expected value in the body at "/a" has the unknown comparison "so"`: output(
			model.InBody, "/a", "so", "",
		),
		`the expected value in the body at "" is "{", which is not JSON`: output(
			model.InBody, "", model.CompareEquals, "{",
		),
		`the expected value in the body at "/a" is not linked to a call before the one under test`: output(
			model.InBody, "/a", model.CompareLinked, "",
		),
		`the expected value in the header at "A" has an invalid pattern: "^(?:*)$" is not a regular expression: ` +
			`missing argument to repetition operator in "*"`: output(
			model.InHeader, "A", model.ComparePattern, `"*"`,
		),
		`the expected value in the said at "x" is not the index of a message: give a number from 0`: func(m *model.MockTest) {
			m.ExpectedCalls[0].Params[0].Name = "x"
		},
	} {
		s := till()
		change(s.Tests[0].Mock)
		if _, err := GoFile(s); err == nil || err.Error() != `test "r1" cannot be exported: `+want {
			t.Errorf("got error %v, want %s", err, want)
		}
	}
}
