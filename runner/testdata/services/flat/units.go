package main

import (
	"cmp"
	"math"
	"net/http"
	"slices"

	"sonde/runner/testdata/services/serve"
)

// unit is a unit in which a value is value*Factor+Offset in the first unit of its kind.
type unit struct {
	Code   string   `json:"code"`
	Name   string   `json:"name"`
	Kind   string   `json:"kind"`
	Factor *float64 `json:"factor"`
	Offset float64  `json:"offset"`
}

const temperature = "temperature"

var units = []unit{
	{"m", "metre", "length", new(1.0), 0}, {"km", "kilometre", "length", new(1000.0), 0},
	{"mi", "mile", "length", new(1609.344), 0}, {"ft", "foot", "length", new(0.3048), 0},
	{"kg", "kilogram", "mass", new(1.0), 0}, {"g", "gram", "mass", new(0.001), 0}, {"lb", "pound", "mass", new(0.45359237), 0},
	{"K", "kelvin", temperature, new(1.0), 0}, {"C", "degree Celsius", temperature, new(1.0), 273.15},
	{"F", "degree Fahrenheit", temperature, new(5.0 / 9), 459.67 * 5 / 9},
	{"l", "litre", "volume", new(1.0), 0}, {"gal", "gallon", "volume", new(3.785411784), 0},
}

func unitOf(code string) (unit, bool) {
	i := slices.IndexFunc(units, func(u unit) bool { return u.Code == code })
	if i < 0 {
		return unit{}, false
	}
	return units[i], true
}

// unitIn returns the unit that a parameter names.
func unitIn(q *serve.Query, name string) unit {
	var codes []string
	for _, u := range units {
		codes = append(codes, u.Code)
	}
	u, _ := unitOf(q.OneOf(name, true, codes...))
	return u
}

func listUnits(c *serve.Call) (serve.Answer, error) {
	q := c.Query()
	kind := q.OneOf("kind", false, "length", "mass", temperature, "volume")
	if q.Err != nil {
		return serve.Answer{}, q.Err
	}
	list := []unit{}
	for _, u := range units {
		if kind == "" || u.Kind == kind {
			list = append(list, u)
		}
	}
	// F02: a factor alone does not convert temperatures, so it is left out, although the spec
	// requires a number.
	if c.Fault("F02", kind == temperature) {
		for i := range list {
			list[i].Factor = nil
		}
	}
	return serve.OK(list)
}

func getUnit(c *serve.Call) (serve.Answer, error) {
	u, ok := unitOf(c.PathValue("code"))
	if !ok {
		return serve.Answer{}, serve.Missing("unit")
	}
	return serve.OK(u)
}

// converted is a value in another unit. In scientific notation it is a mantissa and an exponent.
type converted struct {
	Value    float64  `json:"value"`
	Unit     string   `json:"unit"`
	Mantissa *float64 `json:"mantissa,omitempty"`
	Exponent *float64 `json:"exponent,omitempty"`
}

func convert(c *serve.Call) (serve.Answer, error) {
	q := c.Query()
	value, digits := q.Number("value", 1e9), q.Int("digits", 0, 10, 3)
	notation := cmp.Or(q.OneOf("notation", false, "plain", "scientific"), "plain")
	from, to := unitIn(q, "from"), unitIn(q, "to")
	if q.Err != nil {
		return serve.Answer{}, q.Err
	}
	base := value**from.Factor + from.Offset
	switch {
	case from.Kind != to.Kind:
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "%s is no %s", from.Kind, to.Kind)
	case from.Kind == temperature && base < 0:
		return serve.Answer{}, serve.Refuse(http.StatusUnprocessableEntity, "value: is below absolute zero")
	}
	a := converted{Value: rounded((base-to.Offset) / *to.Factor, digits), Unit: to.Code}
	if notation == "scientific" {
		a.scientific(c)
	}
	return serve.OK(a)
}

// rounded rounds to some digits after the point.
func rounded(f float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(f*scale) / scale
}

func (a *converted) scientific(c *serve.Call) {
	// F03: the logarithm of 0 is infinite, which JSON cannot express.
	c.Fault("F03", a.Value == 0)
	exponent := math.Floor(math.Log10(math.Abs(a.Value)))
	a.Mantissa, a.Exponent = new(a.Value/math.Pow(10, exponent)), &exponent
}
