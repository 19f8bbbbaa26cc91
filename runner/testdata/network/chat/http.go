package main

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"sonde/runner/testdata/services/serve"
)

// summary is a room in an answer.
type summary struct {
	Name     string `json:"name"`
	Topic    string `json:"topic"`
	Owner    string `json:"owner"`
	Count    int    `json:"count"`
	Messages int    `json:"messages"`
}

func (r *room) summary() summary {
	return summary{r.name, r.topic, r.owner, r.count, len(r.messages)}
}

func (h *house) open(c *serve.Call) (serve.Answer, error) {
	var in struct {
		Name  *string `json:"name"`
		Topic *string `json:"topic"`
	}
	if err := c.Decode(&in); err != nil {
		return serve.Answer{}, err
	}
	if err := serve.Check(serve.Rule{Holds: in.Name != nil && roomName.MatchString(*in.Name), Text: "name: must be 1 to 20 small letters"}); err != nil {
		return serve.Answer{}, err
	}
	if h.rooms[*in.Name] != nil {
		return serve.Answer{}, serve.Refuse(http.StatusConflict, "name: is taken")
	}
	return serve.Created(h.make(*in.Name, serve.Or(in.Topic, ""), "").summary(), "/rooms/%s", *in.Name)
}

func (h *house) list(c *serve.Call) (serve.Answer, error) {
	busy := c.Query()
	only := busy.OneOf("state", false, "empty", "busy", "quiet")
	all := []summary{}
	for _, name := range slices.Sorted(maps.Keys(h.rooms)) {
		s := h.rooms[name].summary()
		switch {
		case only == "empty" && s.Count > 0, only == "busy" && s.Count < 2, only == "quiet" && s.Messages > 0:
			continue
		}
		all = append(all, s)
	}
	a, _ := serve.OK(all)
	return a, busy.Err
}

func (h *house) room(c *serve.Call) (*room, error) {
	if r := h.rooms[c.PathValue("room")]; r != nil {
		return r, nil
	}
	return nil, serve.Missing("room")
}

func (h *house) show(c *serve.Call) (serve.Answer, error) {
	r, err := h.room(c)
	if err != nil {
		return serve.Answer{}, err
	}
	// F01: a member who leaves a room without being in it is still subtracted from the count.
	c.Fault("F01", r.count < 0)
	members := make([]string, 0, r.count)
	for _, nick := range slices.Sorted(maps.Keys(r.members)) {
		if h.members[nick].state == "away" {
			nick += " (away)"
		}
		members = append(members, nick)
	}
	return serve.OK(map[string]any{"room": r.summary(), "members": members})
}

func (h *house) shut(c *serve.Call) (serve.Answer, error) {
	r, err := h.room(c)
	if err != nil {
		return serve.Answer{}, err
	}
	if len(r.members) > 0 {
		return serve.Answer{}, serve.Refuse(http.StatusConflict, "somebody is in %s", r.name)
	}
	delete(h.rooms, r.name)
	return serve.NoContent()
}

func (h *house) post(c *serve.Call) (serve.Answer, error) {
	r, err := h.room(c)
	if err != nil {
		return serve.Answer{}, err
	}
	var in struct {
		From *string `json:"from"`
		Text *string `json:"text"`
	}
	if err := c.Decode(&in); err != nil {
		return serve.Answer{}, err
	}
	if err := serve.Check(
		serve.Rule{Holds: in.From != nil && nickName.MatchString(*in.From), Text: "from: must be a nick"},
		serve.Rule{Holds: in.Text != nil && strings.TrimSpace(*in.Text) != "" && len(*in.Text) <= 200, Text: "text: must have 1 to 200 letters"},
	); err != nil {
		return serve.Answer{}, err
	}
	if m := h.members[*in.From]; m != nil && m.state != "gone" && m.room != r {
		return serve.Answer{}, serve.Refuse(http.StatusForbidden, "%s is elsewhere", *in.From)
	}
	return serve.Created(h.say(r, *in.From, "say", *in.Text), "/rooms/%s/messages", r.name)
}

func (h *house) messages(c *serve.Call) (serve.Answer, error) {
	r, err := h.room(c)
	if err != nil {
		return serve.Answer{}, err
	}
	q := c.Query()
	since, kind := q.Int("since", 0, 1000, 0), q.OneOf("kind", false, "say", "act", "topic")
	if q.Err != nil {
		return serve.Answer{}, q.Err
	}
	type listed struct {
		message
		Shouted bool `json:"shouted"`
	}
	all := []listed{}
	for _, m := range r.messages {
		if m.ID <= since || kind != "" && m.Kind != kind {
			continue
		}
		// F02: a message that comes by TCP may be empty.
		words := strings.Fields(m.Text)
		c.Fault("F02", len(words) == 0)
		all = append(all, listed{m, words[0] == strings.ToUpper(words[0])})
	}
	return serve.OK(all)
}

func (h *house) member(c *serve.Call) (serve.Answer, error) {
	m := h.members[c.PathValue("nick")]
	if m == nil {
		return serve.Answer{}, serve.Missing("member")
	}
	said := map[string]any{"nick": m.nick, "state": m.state, "letters": len(m.letters)}
	if m.state == "gone" {
		return serve.Answer{}, serve.Refuse(http.StatusGone, "%s is gone", m.nick)
	}
	// F03: a member who is known only from a datagram is in no room.
	c.Fault("F03", m.room == nil)
	said["room"] = m.room.name
	if m.room.owner == m.nick {
		said["owner"] = true
	}
	return serve.OK(said)
}

func (h *house) status(*serve.Call) (serve.Answer, error) {
	said := map[string]any{"sessions": len(h.sessions), "noise": h.noise, "state": "quiet"}
	switch {
	case h.noise > 4:
		said["state"] = "noisy"
	case len(h.sessions) > 1:
		said["state"] = "busy"
	}
	return serve.OK(said)
}
