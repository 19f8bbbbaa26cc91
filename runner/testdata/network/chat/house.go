package main

import (
	"sync"
)

// house has all rooms and their members.
type house struct {
	mu       sync.Mutex
	rooms    map[string]*room
	members  map[string]*member // by nick
	sessions map[*session]bool
	noise    int // the number of lines and datagrams that were not understood
}

type room struct {
	name, topic, owner string
	messages           []message
	members            map[string]bool
	count              int // the number of members
}

// member is a person who has a session, or who has sent a datagram.
type member struct {
	nick, state string
	room        *room
	letters     []string
}

// message is a message of a person.
type message struct {
	ID   int    `json:"id"`
	From string `json:"from"`
	Kind string `json:"kind"` // say, act, topic
	Text string `json:"text"`
}

func newHouse() *house {
	h := &house{sessions: map[*session]bool{}}
	h.reset()
	return h
}

// reset removes all rooms and members.
func (h *house) reset() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for s := range h.sessions {
		s.conn.Close()
	}
	clear(h.sessions)
	h.rooms, h.members, h.noise = map[string]*room{}, map[string]*member{}, 0
}

// make adds a room with an owner.
func (h *house) make(name, topic, owner string) *room {
	r := &room{name: name, topic: topic, owner: owner, members: map[string]bool{}}
	h.rooms[name] = r
	return r
}

// mostMessages is the number of messages that a room keeps.
const mostMessages = 6

// say adds a message, and sends it to all sessions in the room.
func (h *house) say(r *room, from, kind, text string) message {
	m := message{1, from, kind, text}
	if n := len(r.messages); n > 0 {
		m.ID = r.messages[n-1].ID + 1
	}
	if r.messages = append(r.messages, m); len(r.messages) > mostMessages {
		r.messages = r.messages[1:]
	}
	for s := range h.sessions {
		if s.member != nil && s.member.room == r && s.member.nick != from {
			s.tell("MSG %s %s %s", from, kind, text)
		}
	}
	return m
}

// leave removes a person from a room.
func (r *room) leave(m *member) {
	r.count--
	delete(r.members, m.nick)
	if m.room == r {
		m.room = nil
	}
}
