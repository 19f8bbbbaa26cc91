package demo

import (
	"strings"
	"time"
)

// store is one of the shop's branches, which never change.
type store struct {
	StoreID   int    `json:"storeId"`
	StoreName string `json:"storeName"`
	Town      string `json:"town"`

	week [6]hours // from Monday on; no store opens on Sundays
}

type hours struct{ opens, closes string }

var (
	long  = hours{"09:00", "20:00"}
	usual = hours{"10:00", "18:30"}
	short = hours{"10:00", "14:00"}
)

var stores = [...]store{
	{StoreID: 1, StoreName: "Summit", Town: "Graz", week: [6]hours{usual, usual, usual, long, long, short}},
	{StoreID: 2, StoreName: "Harbour", Town: "Kiel", week: [6]hours{long, long, long, long, long, usual}},
	{StoreID: 3, StoreName: "Old Mill", Town: "Thun", week: [6]hours{short, usual, usual, usual, usual, short}},
}

func listStores(c *call) (answer, error) {
	q := c.query()
	town := q.get("town")
	if town != nil {
		q.text("town", town, 2, 40)
	}
	if q.err != nil {
		return answer{}, q.err
	}
	list := []store{}
	for _, b := range stores {
		if town == nil || strings.EqualFold(*town, b.Town) {
			list = append(list, b)
		}
	}
	return ok(list), nil
}

// day is a store's hours on one date.
type day struct {
	StoreID int    `json:"storeId"`
	Date    string `json:"date"`
	Open    bool   `json:"open"`
	Opens   string `json:"opens,omitempty"`
	Closes  string `json:"closes,omitempty"`
}

func getHours(c *call) (answer, error) {
	id := c.id("storeId")
	if id < 1 || id > len(stores) {
		return answer{}, missing("storeId")
	}
	q := c.query()
	text := q.get("date")
	date := q.date("date", text)
	if q.err != nil {
		return answer{}, q.err
	}
	h, open := stores[id-1].on(c, date)
	return ok(day{StoreID: id, Date: *text, Open: open, Opens: h.opens, Closes: h.closes}), nil
}

// on returns the opening hours of a day, and whether the store opens on that day.
func (b store) on(c *call, date time.Time) (hours, bool) {
	if date.Month() == time.December && date.Day() >= 25 && date.Day() <= 26 {
		return hours{}, false
	}
	i := int(date.Weekday()) - 1 // Weekday is 0 on Sundays
	if c.guard("F02", i < 0) {
		return hours{}, false
	}
	return b.week[i], true
}
