package dialogue

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"

	"sonde/assets/wire"
	"sonde/model"
)

var (
	redisCommand = regexp.MustCompile(`^\*[1-9]\d{0,5}\r\n\$[1-9]\d{0,2}\r\n[A-Za-z]`)
	redisStart   = regexp.MustCompile(`^\*(\d{1,6}(\r(\n(\$(\d{1,3}(\r(\n)?)?)?)?)?)?)?$`)
)

// detectRedis recognizes a command of Redis.
func detectRedis(data []byte) (p model.Protocol, more bool) {
	if redisCommand.Match(data) {
		return model.Redis, false
	}
	return "", len(data) == 0 || redisStart.Match(data)
}

// redisParser is the parser of connections in the protocol of Redis.
type redisParser struct {
	commands, replies bytes.Buffer // data that is not complete yet
	transaction       wire.RedisTransaction
}

func (p *redisParser) sent(data []byte) (all []string, err error) {
	p.commands.Write(data)
	err = each(&p.commands, func(in *bufio.Reader) error {
		words, err := wire.ReadRedisCommand(in)
		switch {
		case err != nil:
			return err
		case subscribes(words):
			return ErrUnreadable
		case wire.RedisSetsUp(words):
			all = append(all, "")
		default:
			all = append(all, p.transaction.Request(words).JSON)
		}
		return nil
	})
	return all, err
}

// subscribes reports whether a command makes the host send messages that are no replies to requests.
func subscribes(words []string) bool {
	switch strings.ToUpper(words[0]) {
	case "SUBSCRIBE", "PSUBSCRIBE", "SSUBSCRIBE", "MONITOR", "SYNC", "PSYNC":
		return true
	}
	return false
}

func (p *redisParser) answered(data []byte) (all []answer, err error) {
	p.replies.Write(data)
	err = each(&p.replies, func(in *bufio.Reader) error {
		reply, err := wire.ReadRedisReply(in)
		if err == nil && !strings.HasPrefix(reply, `{"push":`) { // no request asked for it
			all = append(all, answer{reply: reply})
		}
		return err
	})
	return all, err
}

// each calls the function read for each complete message in a buffer, and leaves an incomplete message in the buffer.
// If read returns an error for another reason, each returns ErrUnreadable.
func each(data *bytes.Buffer, read func(*bufio.Reader) error) error {
	for data.Len() > 0 {
		rest := bytes.NewReader(data.Bytes())
		in := bufio.NewReader(rest)
		err := read(in)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return nil
		case err != nil:
			return ErrUnreadable
		}
		data.Next(data.Len() - rest.Len() - in.Buffered())
	}
	return nil
}
