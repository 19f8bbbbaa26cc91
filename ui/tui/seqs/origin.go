package seqs

import "sonde/model"

// originFilter restricts the list to rows of one origin, or to picked rows.
type originFilter int

const (
	allOrigins originFilter = iota
	searchOrigin
	distilledOrigin
	byHandOrigin
	fileOrigin
	recordedOrigin
	pickedOnly
	originFilters
)

func (o originFilter) String() string {
	return [originFilters]string{"all", "search", "distilled", "by hand", fileOriginName, "recorded", "picked"}[o]
}

func (o originFilter) has(r *row) bool {
	switch o {
	case searchOrigin:
		return r.Origin == model.OriginSearched
	case distilledOrigin:
		return r.Origin == model.OriginDistilled
	case byHandOrigin:
		return r.Origin == model.OriginManual && r.file == nil
	case fileOrigin:
		return r.file != nil
	case recordedOrigin:
		return r.Origin == model.OriginRecorded
	case pickedOnly:
		return r.picked
	}
	return true
}
