package main

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"

	"sonde/runner/testdata/services/serve"
)

// report is the answer of the other host about a city.
type report struct {
	Status  string `json:"status"`
	City    string `json:"city"` // the new name of the city
	Current *struct {
		Temperature float64 `json:"temperature"` // Celsius
		Wind        struct {
			Speed float64 `json:"speed"` // metres a second
			Gusts float64 `json:"gusts"`
		} `json:"wind"`
		Conditions []string `json:"conditions"`
	} `json:"current"`
	Alerts []struct {
		Level int    `json:"level"`
		Text  string `json:"text"`
	} `json:"alerts"`
}

// report answers with the weather of a city.
func (r *reader) report(c *serve.Call) (serve.Answer, error) {
	q := c.Query()
	unit := q.OneOf("unit", false, "celsius", "fahrenheit")
	if q.Err != nil {
		return serve.Answer{}, q.Err
	}
	w, err := r.ask(c, c.PathValue("city"))
	if err == nil && w.Status == "renamed" {
		w, err = r.ask(c, w.City)
	}
	if err != nil {
		return serve.Answer{}, err
	}
	switch w.Status {
	case "ok":
		return w.calm(c, unit)
	case "alert":
		return w.alarm(c)
	case "unknown":
		return serve.Answer{}, serve.Missing("city")
	case "closed":
		return serve.Answer{}, serve.Refuse(http.StatusServiceUnavailable, "nobody looks at the weather now")
	}
	return serve.Answer{}, strange("the weather is %.20q", w.Status)
}

func (r *reader) ask(c *serve.Call, city string) (w report, err error) {
	p, err := r.found(c.Context(), r.weather+"/v1/cities/"+url.PathEscape(city), map[string]string{"Accept": "application/json"})
	if err != nil {
		return w, err
	}
	if json.Unmarshal([]byte(p.text), &w) != nil {
		return w, strange("the weather is no JSON that is understood")
	}
	return w, nil
}

func (w report) calm(c *serve.Call, unit string) (serve.Answer, error) {
	// F03: the report is fine, but has no measurement.
	c.Fault("F03", w.Current == nil)
	if math.Abs(w.Current.Temperature) > 80 {
		return serve.Answer{}, strange("it is %g degrees", w.Current.Temperature)
	}
	now := map[string]any{"temperature": w.Current.Temperature, "wind": force(w.Current.Wind.Speed), "advice": w.advice()}
	if unit == "fahrenheit" {
		now["temperature"] = math.Round(w.Current.Temperature*18+320) / 10
	}
	if gusts := w.Current.Wind.Gusts; gusts > 2*w.Current.Wind.Speed && gusts > 10 {
		now["gusty"] = true
	}
	return serve.OK(now)
}

// advice returns what to take along.
func (w report) advice() string {
	for _, is := range w.Current.Conditions {
		switch is {
		case "rain":
			return "umbrella"
		case "snow":
			return "boots"
		case "fog":
			return "lamp"
		}
	}
	if w.Current.Temperature < 0 {
		return "gloves"
	}
	return "nothing"
}

func force(speed float64) string {
	switch {
	case speed < 0.3:
		return "calm"
	case speed < 8:
		return "breeze"
	case speed < 20.8:
		return "gale"
	case speed < 32.7:
		return "storm"
	}
	return "hurricane"
}

func (w report) alarm(c *serve.Call) (serve.Answer, error) {
	// F04: the report may have no alerts.
	c.Fault("F04", len(w.Alerts) == 0)
	worst := w.Alerts[0]
	for _, a := range w.Alerts[1:] {
		if a.Level > worst.Level {
			worst = a
		}
	}
	if worst.Level > 3 {
		return serve.OK(map[string]any{"advice": "stay at home", "alert": worst.Text})
	}
	return serve.OK(map[string]any{"advice": "take care", "alert": worst.Text})
}
