package main

import (
	"bufio"
	"fmt"
	"net"
	"regexp"
	"strings"
	"time"
)

// session is a TCP connection on which a person sends lines.
type session struct {
	house  *house
	conn   net.Conn
	member *member // nil before NICK
	said   int
}

// mostSaid is the largest number of messages in a session.
const mostSaid = 5

// hearLines handles each connection in a session of its own.
func (h *house) hearLines(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		s := &session{house: h, conn: conn}
		h.mu.Lock()
		h.sessions[s] = true
		s.tell("CHAT 1")
		h.mu.Unlock()
		go s.hear()
	}
}

// hear executes each line until the session ends.
func (s *session) hear() {
	defer s.end()
	for lines := bufio.NewScanner(s.conn); lines.Scan(); {
		if !s.line(lines.Text()) {
			return
		}
	}
}

// end removes the session and its member.
func (s *session) end() {
	s.house.mu.Lock()
	defer s.house.mu.Unlock()
	s.conn.Close()
	delete(s.house.sessions, s)
	if s.member == nil || s.house.members[s.member.nick] != s.member {
		return
	}
	s.member.state = "gone"
	if r := s.member.room; r != nil {
		r.leave(s.member)
	}
}

func (s *session) tell(format string, args ...any) {
	s.conn.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
	fmt.Fprintf(s.conn, format+"\n", args...)
}

// wrong answers a line that cannot be executed. The session continues.
func (s *session) wrong(format string, args ...any) bool {
	s.house.noise++
	s.tell("ERR "+format, args...)
	return true
}

// line executes a line, and reports whether the session continues.
func (s *session) line(line string) bool {
	s.house.mu.Lock()
	defer s.house.mu.Unlock()
	verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch verb = strings.ToUpper(verb); {
	case verb == "QUIT":
		return s.quit(rest)
	case verb == "NICK":
		return s.nick(rest)
	case s.member == nil:
		return s.wrong("say NICK first")
	case verb == "JOIN":
		return s.join(rest)
	case verb == "LEAVE":
		return s.leave(rest)
	case verb == "LETTER":
		return s.letter(rest)
	case s.member.room == nil:
		return s.wrong("JOIN a room first")
	case verb == "SAY":
		return s.say("say", rest)
	case verb == "ME":
		return s.say("act", rest)
	case verb == "TOPIC":
		return s.topic(rest)
	}
	return s.wrong("%.20q is no command", verb)
}

func (s *session) quit(farewell string) bool {
	if s.member != nil && s.member.room != nil && farewell != "" {
		s.house.say(s.member.room, s.member.nick, "act", "leaves: "+farewell)
	}
	return false
}

var (
	nickName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]{0,11}$`)
	roomName = regexp.MustCompile(`^[a-z]{1,20}$`)
)

func (s *session) nick(name string) bool {
	old := s.house.members[name]
	switch {
	case s.member != nil:
		return s.wrong("you are %s", s.member.nick)
	case !nickName.MatchString(name):
		return s.wrong("%.20q is no nick", name)
	case old != nil && old.state != "gone":
		return s.wrong("%s is there already", name)
	}
	s.member = &member{nick: name, state: "here"}
	if old != nil {
		s.member.letters = old.letters
		s.tell("LETTERS %d", len(old.letters))
	}
	s.house.members[name] = s.member
	return true
}

func (s *session) join(name string) bool {
	if !roomName.MatchString(name) {
		return s.wrong("%.20q is no room", name)
	}
	r := s.house.rooms[name]
	switch {
	case r == nil:
		r = s.house.make(name, "", s.member.nick)
	case r.members[s.member.nick]:
		return s.wrong("you are there already")
	}
	if before := s.member.room; before != nil {
		before.leave(s.member)
	}
	r.members[s.member.nick], s.member.room = true, r
	r.count++
	s.tell("JOINED %s %d", name, r.count)
	return true
}

// leave leaves a room, without checking that the member is in it.
func (s *session) leave(name string) bool {
	r := s.house.rooms[name]
	if r == nil {
		return s.wrong("there is no %.20q", name)
	}
	r.leave(s.member)
	return true
}

func (s *session) say(kind, text string) bool {
	if s.said++; s.said > mostSaid {
		return s.wrong("you talk too much")
	}
	r := s.member.room
	if order, ok := strings.CutPrefix(text, "!"); ok {
		return s.order(r, order)
	}
	s.house.say(r, s.member.nick, kind, text)
	return true
}

// order executes a command that only the owner of a room may send.
func (s *session) order(r *room, order string) bool {
	verb, nick, _ := strings.Cut(order, " ")
	switch {
	case r.owner != s.member.nick:
		return s.wrong("%s is not yours", r.name)
	case verb == "clear":
		r.messages = nil
	case verb == "kick" && r.members[nick]:
		r.leave(s.house.members[nick])
	default:
		return s.wrong("%.20q is no order", order)
	}
	return true
}

func (s *session) topic(text string) bool {
	r := s.member.room
	if r.owner != s.member.nick && r.topic != "" {
		return s.wrong("%s has a topic", r.name)
	}
	r.topic = text
	s.house.say(r, s.member.nick, "topic", text)
	return true
}

// letter stores a message for a person who may have left: "LETTER alice see you".
func (s *session) letter(rest string) bool {
	to, text, _ := strings.Cut(rest, " ")
	m := s.house.members[to]
	switch {
	case m == nil:
		return s.wrong("nobody knows %.20q", to)
	case text == "":
		return s.wrong("the letter is empty")
	case m.state == "busy":
		return s.wrong("%s is busy", to)
	}
	m.letters = append(m.letters, text)
	return true
}
