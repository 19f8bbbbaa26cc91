package gene

import (
	"testing"
	"time"

	"sonde/model"
)

func dated(format string) *model.Schema { return &model.Schema{Type: "string", Format: format} }

func TestDatesAreMostlyValid(t *testing.T) {
	cases := []struct{ format, layout string }{
		{"date", time.DateOnly},
		{"time", "15:04:05Z07:00"},
		{"date-time", time.RFC3339},
	}
	for _, c := range cases {
		t.Run(c.format, func(t *testing.T) {
			r, g := source(1), New(dated(c.format))
			valid := 0
			for range 2000 {
				g.Sample(r)
				if _, err := time.Parse(c.layout, Text(g)); err == nil {
					valid++
				}
			}
			if valid < 1800 || valid == 2000 {
				t.Errorf("%d of 2000 are valid, want most, not all", valid)
			}
		})
	}
}

func TestDateCoversItsInvalidValues(t *testing.T) {
	r, g := source(1), New(dated("date")).(*Date)
	months := map[int64]bool{}
	for range 20000 {
		g.Sample(r)
		months[g.parts.value(1)] = true
	}
	for m := int64(0); m <= 13; m++ {
		if !months[m] {
			t.Errorf("month %d never came", m)
		}
	}
	if len(months) != 14 {
		t.Errorf("months %v", months)
	}
}

func TestDateTimeIsNineGenes(t *testing.T) {
	cases := map[string]int{"date": 4, "time": 4, "date-time": 9}
	for format, want := range cases {
		if got := ActiveCount(New(dated(format))); got != want {
			t.Errorf("%s counts %d genes, want %d", format, got, want)
		}
	}
}

func TestDateMovesOnePart(t *testing.T) {
	r, g := source(1), New(dated("date-time"))
	for range 100 {
		before := Text(g)
		if !Mutate(r, []Gene{g}, Pace{}) || Text(g) == before {
			t.Fatalf("%s did not change", before)
		}
	}
}

func TestSetDate(t *testing.T) {
	cases := []struct{ format, value, want string }{
		{"date", "2024-02-29", "2024-02-29"},
		{"date", "2023-02-29", "2023-02-29"}, // in the paper, dates may be invalid
		{"date", "2023-14-01", ""},
		{"date", "2023-02-33", ""},
		{"date", "1066-10-14", ""},
		{"date", "soon", ""},
		{"time", "23:59:58", "23:59:58Z"},
		{"time", "9:00", ""},
		{"date-time", "2017-07-21T17:32:28.123+02:00", "2017-07-21T17:32:28Z"},
		{"date-time", "2017-07-21", ""},
	}
	for _, c := range cases {
		t.Run(c.value, func(t *testing.T) {
			g := New(dated(c.format))
			if ok := g.SetValue(c.value); ok != (c.want != "") {
				t.Fatalf("fits is %v", ok)
			}
			if c.want != "" && Text(g) != c.want {
				t.Errorf("got %s, want %s", Text(g), c.want)
			}
		})
	}
}

func TestPatternBesideDate(t *testing.T) {
	s := dated("date")
	s.Pattern = `^\d{4}-\d{2}-\d{2}$`
	if _, ok := New(s).(*Date); !ok {
		t.Errorf("a date whose pattern says the same is %T", New(s))
	}
	s.Pattern = `^\d{2}\.\d{2}\.\d{4}$`
	if _, ok := New(s).(*String); !ok {
		t.Errorf("a date of another form is %T", New(s))
	}
}
