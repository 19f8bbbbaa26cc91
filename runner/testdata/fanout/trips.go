package main

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// planner plans trips and stores them.
type planner struct {
	flights, hotels, weather string

	mu    sync.Mutex
	trips map[string]*trip
}

// trip is a trip that can be booked.
type trip struct {
	TripID     string    `json:"tripId"`
	To         string    `json:"to"`
	Date       string    `json:"date"`
	Persons    int       `json:"persons"`
	Flight     flight    `json:"flight"`
	Hotel      hotel     `json:"hotel"`
	Weather    *weather  `json:"weather,omitempty"` // nil if it is not known
	TotalCents int       `json:"totalCents"`
	QuotedAt   time.Time `json:"quotedAt"`
	ValidUntil time.Time `json:"validUntil"`
	Booking    *booking  `json:"booking,omitempty"`
}

type flight struct {
	OfferID    string `json:"offerId"`
	Departure  string `json:"departure"`
	PriceCents int    `json:"priceCents"`
}

type hotel struct {
	OfferID    string `json:"offerId"`
	HotelName  string `json:"hotelName"`
	PriceCents int    `json:"priceCents"` // the price of a night
}

type weather struct {
	Celsius int  `json:"celsius"`
	Rain    bool `json:"rain"`
}

type wish struct {
	From    string `json:"from"`
	To      string `json:"to"`
	Date    string `json:"date"`
	Nights  int    `json:"nights"`
	Persons int    `json:"persons"`
}

// problem returns what is wrong with a wish, "" if nothing is.
func (w wish) problem() string {
	_, err := time.Parse(time.DateOnly, w.Date)
	switch {
	case len(w.From) != 3 || len(w.To) != 3:
		return "from, to: must be codes of three letters"
	case w.From == w.To:
		return "to: must be another place than from"
	case err != nil:
		return "date: must be a date such as 2026-05-31"
	case w.Nights < 1 || w.Nights > 30:
		return "nights: must be 1 to 30"
	case w.Persons < 1 || w.Persons > 9:
		return "persons: must be 1 to 9"
	}
	return ""
}

// plan asks all three services at the same time. A trip needs a flight and a bed. The forecast may be
// missing.
func (p *planner) plan(a asker, w wish) (*trip, error) {
	t := &trip{TripID: newID(), To: w.To, Date: w.Date, Persons: w.Persons}
	var forecast weather
	var noFlight, noHotel, noForecast error
	var all sync.WaitGroup
	all.Go(func() {
		q := url.Values{"from": {w.From}, "to": {w.To}, "date": {w.Date}, "persons": {strconv.Itoa(w.Persons)}}
		noFlight = a.ask(http.MethodGet, p.flights+"/offers?"+q.Encode(), nil, &t.Flight)
	})
	all.Go(func() {
		q := url.Values{"town": {w.To}, "date": {w.Date}, "nights": {strconv.Itoa(w.Nights)}}
		noHotel = a.ask(http.MethodGet, p.hotels+"/offers?"+q.Encode(), nil, &t.Hotel)
	})
	all.Go(func() { noForecast = p.forecast(a, w.To, w.Date, &forecast) })
	all.Wait()
	if err := errors.Join(noFlight, noHotel); err != nil {
		return nil, err
	}
	if noForecast == nil {
		t.Weather = &forecast
	}
	t.TotalCents = t.Flight.PriceCents*w.Persons + t.Hotel.PriceCents*w.Nights*rooms(w.Persons)
	t.QuotedAt = time.Now().UTC().Truncate(time.Millisecond)
	t.ValidUntil = t.QuotedAt.Add(30 * time.Minute)
	return t, nil
}

func (p *planner) forecast(a asker, town, date string, into *weather) error {
	return a.ask(http.MethodGet, fmt.Sprintf("%s/forecast/%s?date=%s", p.weather, url.PathEscape(town), url.QueryEscape(date)), nil, into)
}

// rooms returns the number of rooms for a number of persons, two in each room.
func rooms(persons int) int { return (persons + 1) / 2 }

func (p *planner) createTrip(r *http.Request) (int, any) {
	var w wish
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 1<<16)).Decode(&w); err != nil {
		return complain(http.StatusBadRequest, "body: must be a JSON object")
	}
	if text := w.problem(); text != "" {
		return complain(http.StatusBadRequest, text)
	}
	t, err := p.plan(askerFor(r), w)
	var said refusal
	switch {
	case errors.As(err, &said) && said.status == http.StatusNotFound:
		return complain(http.StatusUnprocessableEntity, "to: nobody goes there")
	case err != nil:
		return complain(http.StatusBadGateway, "one of those who must be asked gave no usable answer")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trips[t.TripID] = t
	return http.StatusCreated, *t
}

func (p *planner) getTrip(r *http.Request) (int, any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	t := p.trips[r.PathValue("tripId")]
	if t == nil {
		return complain(http.StatusNotFound, "tripId: there is no such trip")
	}
	return http.StatusOK, *t
}

// getWeather asks for the weather of a trip again.
func (p *planner) getWeather(r *http.Request) (int, any) {
	status, found := p.getTrip(r)
	t, ok := found.(trip)
	if !ok {
		return status, found
	}
	var w weather
	if err := p.forecast(askerFor(r), t.To, t.Date, &w); err != nil {
		return complain(http.StatusBadGateway, "weather: gave no usable answer")
	}
	return http.StatusOK, w
}

// newID returns a random UUID.
func newID() string {
	var b [16]byte
	rand.Read(b[:])
	b[6] = b[6]&0x0f | 0x40
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[0:4], b[4:6], b[6:8], b[8:10], b[10:])
}
