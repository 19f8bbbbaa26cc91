package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// booking has the reservations for a trip.
type booking struct {
	FlightReservation string    `json:"flightReservation"`
	HotelReservation  string    `json:"hotelReservation"`
	Name              string    `json:"name"`
	BookedAt          time.Time `json:"bookedAt"`
}

// reservation is the body of a request to another service and of its answer.
type reservation struct {
	OfferID string    `json:"offerId"`
	Name    string    `json:"name"`
	Persons int       `json:"persons"`
	SentAt  time.Time `json:"sentAt"`
}

type reserved struct {
	ReservationID string `json:"reservationId"`
}

// book reserves the flight and then the bed. If there is no bed, it cancels the flight.
func (p *planner) book(a asker, t trip, name string) (*booking, error) {
	now := time.Now().UTC().Truncate(time.Second)
	var seat, bed reserved
	want := reservation{t.Flight.OfferID, name, t.Persons, now}
	if err := a.ask(http.MethodPost, p.flights+"/reservations", want, &seat); err != nil {
		return nil, err
	}
	want.OfferID = t.Hotel.OfferID
	if err := a.ask(http.MethodPost, p.hotels+"/reservations", want, &bed); err != nil {
		return nil, errors.Join(err, a.giveBack(p.flights, seat.ReservationID))
	}
	return &booking{seat.ReservationID, bed.ReservationID, name, now}, nil
}

func (a asker) giveBack(where, id string) error {
	return a.ask(http.MethodDelete, where+"/reservations/"+url.PathEscape(id), nil, nil)
}

func (p *planner) createBooking(r *http.Request) (int, any) {
	var in struct {
		Name string `json:"name"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(nil, r.Body, 1<<16)).Decode(&in); err != nil || in.Name == "" {
		return complain(http.StatusBadRequest, "name: is required")
	}
	status, found := p.getTrip(r)
	t, ok := found.(trip)
	switch {
	case !ok:
		return status, found
	case t.Booking != nil:
		return complain(http.StatusConflict, "tripId: is booked")
	}
	b, err := p.book(askerFor(r), t, in.Name)
	var said refusal
	switch {
	case errors.As(err, &said) && said.status == http.StatusConflict:
		return complain(http.StatusConflict, "tripId: nothing is left of what was offered")
	case err != nil:
		return complain(http.StatusBadGateway, "one of those who must be asked gave no usable answer")
	}
	p.mark(t.TripID, b)
	return http.StatusCreated, b
}

// deleteBooking cancels all reservations at the same time.
func (p *planner) deleteBooking(r *http.Request) (int, any) {
	status, found := p.getTrip(r)
	t, ok := found.(trip)
	switch {
	case !ok:
		return status, found
	case t.Booking == nil:
		return complain(http.StatusConflict, "tripId: is not booked")
	}
	a := askerFor(r)
	var seat, bed error
	var both sync.WaitGroup
	both.Go(func() { seat = a.giveBack(p.flights, t.Booking.FlightReservation) })
	both.Go(func() { bed = a.giveBack(p.hotels, t.Booking.HotelReservation) })
	both.Wait()
	if err := errors.Join(seat, bed); err != nil {
		return complain(http.StatusBadGateway, "not everything could be given back")
	}
	p.mark(t.TripID, nil)
	return http.StatusNoContent, nil
}

// mark stores the booking of a trip, nil if it is not booked.
func (p *planner) mark(id string, b *booking) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t := p.trips[id]; t != nil {
		t.Booking = b
	}
}
