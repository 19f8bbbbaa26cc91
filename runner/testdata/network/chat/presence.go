package main

import (
	"encoding/json"
	"net"
	"slices"
	"strings"
)

// hearPresence handles datagrams such as "alice away" or {"nick":"alice","state":"away"}, and
// answers them.
func (h *house) hearPresence(conn net.PacketConn) {
	text := make([]byte, 512)
	for {
		n, from, err := conn.ReadFrom(text)
		if err != nil {
			return
		}
		conn.WriteTo([]byte(h.present(string(text[:n]))), from)
	}
}

func (h *house) present(text string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	nick, state, ok := presence(text)
	if !ok || !nickName.MatchString(nick) {
		h.noise++
		return "ERR"
	}
	m := h.members[nick]
	if m == nil { // a person may be present without being in a room
		m = &member{nick: nick}
		h.members[nick] = m
	}
	if m.state = state; state == "gone" && m.room != nil {
		m.room.leave(m)
	}
	return "OK " + nick
}

func presence(text string) (nick, state string, ok bool) {
	if strings.HasPrefix(text, "{") {
		var p struct{ Nick, State string }
		if json.Unmarshal([]byte(text), &p) != nil {
			return "", "", false
		}
		nick, state = p.Nick, p.State
	} else {
		nick, state, _ = strings.Cut(strings.TrimSpace(text), " ")
	}
	return nick, state, slices.Contains([]string{"here", "away", "busy", "gone"}, state)
}
